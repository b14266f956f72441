#include "studio/server/studio.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/thread_loan.h"
#include "sinew/base/wall_clock.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/gltf/read_uri.h"
#include "sinew/jobs/check_file.h"
#include "sinew/jobs/report.h"
#include "studio/server/bake_jobs.h"
#include "studio/server/command.h"
#include "studio/server/edit_takes.h"
#include "studio/server/embedded_page.h"
#include "studio/server/kitchen.h"
#include "studio/server/method_settings.h"
#include "studio/server/page_glb.h"
#include "studio/server/pages.h"
#include "studio/server/project_file.h"
#include "studio/server/studio_state.h"
#include "studio/server/surface_channels.h"
#include "studio/server/surface_message.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr int protocol_version = 1;
constexpr std::string_view output_path = "/output/";

bool opens(const fs::path& file) {
  const std::string ending = lower_case_ending(file);
  return ending == ".glb" || ending == ".gltf" || ending == ".vrm";
}

std::string sentence_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Stopped&) {
    return "It was stopped.";
  } catch (const std::bad_alloc&) {
    return "There is not memory enough for that.";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

class Studio::Implementation {
 public:
  explicit Implementation(const StudioOptions& options)
      : options_(options),
        folders_(options.folders),
        token_(random_token()),
        saver_([this](const std::string& sentence) { tell_failure("saving", sentence); }),
        stage_({[this](auto frame) { pages_.show(frame); }, [this](const PlayState& play) { note_play(play); },
                [this](const RecordedTake& take, bool ended) { note_recorded(take, ended); },
                [this](const std::string& sentence) { tell_failure("playing", sentence); }}),
        kitchen_([this](const std::string& what, const ProgressReport& done) { tell_progress(what, done); }),
        bakes_([this](const ProgressReport& done) { return tell_progress("baking", done), true; },
               [this](const Baked& baked) { finish_bake(baked); }),
        server_(options.port, token_, options.limits,
                {[this](const WebRequest& request) { return answer(request); }, [this](PageNumber page) { join(page); },
                 [this](PageNumber page, std::string_view text) { hear(page, text); },
                 [this](PageNumber page) { leave(page); }}) {
    ready_ = true;
    if (options.file) {
      folders_.add(options.file->has_parent_path() ? options.file->parent_path() : fs::path("."));
      open({*options.file, nullptr}, 0, 0);
    }
  }

  ~Implementation() {
    ends_ = true;
    if (checker_.joinable()) checker_.join();
  }

  int port() const { return server_.port(); }
  const std::string& token() const { return token_; }

 private:
  // --- Pages ---

  void join(PageNumber page) {
    while (!ready_) std::this_thread::yield();
    pages_.join(server_, page);
    stage_.post([](Stage& stage) { stage.watch(true); });
  }

  void leave(PageNumber page) {
    const bool somebody = pages_.leave(page);
    stage_.post([page, somebody](Stage& stage) {
      stage.forget_page(page);
      stage.watch(somebody);
    });
  }

  void send_all(const PageJson& json) { pages_.send_all(json); }
  void reply(PageNumber page, std::int64_t id, const PageJson& json = PageJson::object()) {
    pages_.reply(page, id, json);
  }
  void reply_error(PageNumber page, std::int64_t id, const std::string& sentence) {
    pages_.reply_error(page, id, sentence);
  }

  void tell_failure(const std::string& what, const std::string& sentence) {
    send_all({{"event", "failed"}, {"what", what}, {"error", sentence}});
  }
  void tell_progress(const std::string& what, const ProgressReport& done) {
    PageJson json{{"what", what}, {"activity", done.activity}, {"share", done.fraction}};
    {
      const std::lock_guard lock(desk_);
      work_ = done.fraction >= 1 ? PageJson() : json;
    }
    PageJson event{{"event", "progress"}};
    event.update(json);
    send_all(event);
  }

  // --- Requests ---

  WebAnswer answer(const WebRequest& request) {
    while (!ready_) std::this_thread::yield();
    const auto wants = [&](std::string_view path) { return request.path == path; };
    if (wants("/open")) {
      if (request.method != "POST") return text_answer(405, "A file is sent by POST.\n");
      return take_dropped(request);
    }
    if (request.method != "GET") return text_answer(405, "The studio answers GET here.\n");
    if (wants("/")) return page();
    if (wants("/character.glb")) return character_file(request, true);
    if (wants("/surface")) return character_file(request, false);
    if (request.path.starts_with(output_path)) {
      const std::string name = decode_percent(request.path.substr(output_path.size())).value_or("");
      return output(name);
    }
    return text_answer(404, "There is nothing of this name.\n");
  }

  WebAnswer page() const {
    WebAnswer answer;
    answer.type = "text/html; charset=utf-8";
    if (!options_.page.empty()) {
      answer.bytes = std::make_shared<const std::vector<std::byte>>(read_file(options_.page));
      answer.script = "'unsafe-inline' blob:";
      return answer;
    }
    const std::span<const std::byte> bytes = embedded_page();
    if (bytes.empty())
      return text_answer(
          404,
          "This program was built without the studio's page, which takes node and npm; build it where they are.\n");
    answer.bytes = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    answer.gzipped = true;
    answer.script = embedded_script();
    return answer;
  }

  WebAnswer character_file(const WebRequest& request, bool glb) {
    Cast cast;
    {
      const std::lock_guard lock(desk_);
      cast = cast_;
    }
    if (!cast.opened) return text_answer(404, "There is no character yet.\n");
    const std::string number = query_value(request.query, "number").value_or("");
    if (!number.empty() && number != std::to_string(cast.number))
      return text_answer(409, "There is another character now.\n");
    WebAnswer answer;
    answer.type = glb ? "model/gltf-binary" : "application/octet-stream";
    const std::lock_guard lock(files_mutex_);
    if (files_of_ != cast.number) glb_.reset();
    files_of_ = cast.number;
    if (glb) {
      if (!glb_) glb_ = std::make_shared<const std::vector<std::byte>>(page_glb(*cast.opened->document));
      answer.bytes = glb_;
    } else {
      answer.bytes = std::make_shared<const std::vector<std::byte>>(
          surface_message(cast.opened->character, *cast.prepared->scene.surface, cast.number));
    }
    return answer;
  }

  WebAnswer take_dropped(const WebRequest& request) {
    const std::string name = query_value(request.query, "name").value_or("");
    const auto answer_error = [](const std::string& sentence) {
      return text_answer(400, PageJson{{"error", sentence}}.dump(-1, ' ', false, PageJson::error_handler_t::replace),
                         "application/json");
    };
    if (!is_plain_name(name) || !opens(name)) return answer_error("A character is a .glb, .gltf or .vrm file.");
    if (folders_.all().empty())
      return answer_error("The studio has no folder to keep the file in; start it with --folder.");
    try {
      open({keep(name, request.body), nullptr}, 0, 0);
    } catch (const Error& error) {
      return answer_error(error.what());
    }
    return text_answer(200, "{}", "application/json");
  }

  // In the first folder, where its project is kept beside it; a file that is there already, and another one, stays.
  fs::path keep(const std::string& name, std::span<const std::byte> bytes) const {
    const fs::path folder = folders_.all().front(), plain = folder / name;
    for (int k = 1; k < 1000; ++k) {
      fs::path path =
          k == 1 ? plain : folder / (plain.stem().string() + "-" + std::to_string(k) + plain.extension().string());
      std::error_code status;
      if (!fs::exists(path, status)) {
        write_file(path, bytes);
        return path;
      }
      if (fs::file_size(path, status) != bytes.size() || status) continue;
      const std::vector<std::byte> there = read_file(path);
      if (std::equal(there.begin(), there.end(), bytes.begin(), bytes.end())) return path;
    }
    throw usage_error(name + ": there are too many files of this name; give it another one.");
  }

  // --- Messages ---

  void hear(PageNumber page, std::string_view text) {
    const Command command = parse_command(text);
    if (!command.complaint.empty()) {
      pages_.send(page,
                  PageJson{{"re", command.id ? PageJson(*command.id) : PageJson()}, {"error", command.complaint}});
      return;
    }
    const std::int64_t id = *command.id;
    try {
      if (!std::holds_alternative<command::Hello>(command.request)) require_greeting(page);
      std::visit([&](const auto& request) { handle(page, id, request); }, command.request);
    } catch (const std::exception&) {
      reply_error(page, id, sentence_of(std::current_exception()));
    }
  }

  void require_greeting(PageNumber page) {
    if (!pages_.greeted(page)) throw usage_error("Say hello first.");
  }

  void handle(PageNumber page, std::int64_t id, const command::Hello& hello) {
    if (hello.version != protocol_version)
      throw usage_error(hello.version > protocol_version ? "This page is newer than the program; load it again."
                                                         : "This page is older than the program; load it again.");
    pages_.greet(page);
    const std::lock_guard lock(desk_);
    reply(page, id, {{"version", protocol_version}, {"program", SINEW_VERSION}, {"state", state()}});
  }

  void handle(PageNumber page, std::int64_t, const command::Next&) { pages_.ask_for_frame(page); }

  void handle(PageNumber page, std::int64_t id, const command::ListFiles& list) {
    PageJson answer{{"folders", PageJson::array()}, {"files", PageJson::array()}, {"samples", PageJson::array()}};
    for (const fs::path& folder : folders_.all()) answer["folders"].push_back(folder.string());
    if (const fs::path samples = samples_folder(); !samples.empty()) answer["samples"] = files_in(samples, false);
    if (!folders_.all().empty()) {
      const fs::path folder = list.folder.empty() ? folders_.all().front() : folders_.inside(list.folder);
      answer["folder"] = folder.string();
      answer["files"] = files_in(folder, true);
    }
    reply(page, id, answer);
  }

  static PageJson files_in(const fs::path& folder, bool with_folders) {
    constexpr std::size_t most = 2000;
    std::map<std::string, PageJson> found;
    std::error_code status;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, status)) {
      const std::string name = entry.path().filename().string();
      const bool is_folder = entry.is_directory(status);
      if (name.empty() || name.front() == '.' || found.size() >= most) continue;
      if (is_folder ? !with_folders
                    : !(entry.is_regular_file(status) &&
                        (opens(entry.path()) || lower_case_ending(entry.path()) == ".sinew")))
        continue;
      PageJson file{{"name", name}, {"path", entry.path().string()}};
      if (is_folder)
        file["folder"] = true;
      else
        file["bytes"] = entry.file_size(status);
      found[(is_folder ? "0" : "1") + name] = std::move(file);
    }
    PageJson files = PageJson::array();
    for (auto& [name, file] : found) files.push_back(std::move(file));
    return files;
  }

  void handle(PageNumber page, std::int64_t id, const command::Open& asked) {
    fs::path file;
    std::error_code status;
    const fs::path samples = samples_folder(), sample = fs::path(asked.path);
    if (!samples.empty() && sample.parent_path() == samples && is_plain_name(sample.filename().string()))
      file = own_sample(sample);
    else
      file = folders_.inside(asked.path);
    if (!opens(file) || !fs::is_regular_file(file, status))
      throw usage_error(asked.path + ": is no character; the studio opens .glb, .gltf and .vrm files.");
    open({file, nullptr}, page, id);
  }

  // Samples are part of the program: what a user makes of one is kept in the user's own folder.
  fs::path own_sample(const fs::path& sample) const {
    std::error_code status;
    if (folders_.all().empty() || fs::equivalent(sample.parent_path(), folders_.all().front(), status)) return sample;
    return keep(sample.filename().string(), read_file(sample));
  }

  // --- On stage ---

  void on_stage(PageNumber page, std::int64_t id, std::function<void(Stage&)> work) {
    const bool taken = stage_.post(page, id, [this, page, id, work = std::move(work)](Stage& stage) {
      try {
        work(stage);
        reply(page, id);
      } catch (const std::exception&) {
        reply_error(page, id, sentence_of(std::current_exception()));
      }
    });
    if (!taken) throw usage_error("More is waiting to be done than the machine can do; ask again in a moment.");
  }

  // What changes how it plays is told to all pages.
  void on_stage_playing(PageNumber page, std::int64_t id, std::function<void(Stage&)> work) {
    on_stage(page, id, [this, work = std::move(work)](Stage& stage) {
      work(stage);
      note_play(stage.state());
    });
  }
  void on_stage_holding(PageNumber page, std::int64_t id, std::function<void(Stage&)> work) {
    on_stage(page, id, [this, work = std::move(work)](Stage& stage) {
      work(stage);
      note_hands(stage);
    });
  }

  void note_play(const PlayState& play) {
    const std::lock_guard lock(desk_);
    play_ = play;
    if (take_doing_ == "playing" && !play.playing) take_doing_.clear();
    send_all({{"event", "changed"}, {"play", play_state(play)}});
  }
  void note_hands(Stage& stage) {
    const std::lock_guard lock(desk_);
    hands_ = hands_state(stage.hands());
    send_all({{"event", "changed"}, {"hands", hands_}});
  }

  void handle(PageNumber page, std::int64_t id, const command::Play& play) {
    on_stage_playing(page, id, [play](Stage& stage) { stage.play(play); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Pause&) {
    on_stage_playing(page, id, [](Stage& stage) { stage.pause(); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Scrub& scrub) {
    on_stage_playing(page, id, [scrub](Stage& stage) { stage.scrub(scrub.time); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Speed& speed) {
    on_stage_playing(page, id, [speed](Stage& stage) { stage.speed(speed.value); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Grab& grab) {
    on_stage_holding(page, id, [grab](Stage& stage) { stage.grab(grab); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Drag& drag) {
    on_stage(page, id, [drag](Stage& stage) { stage.drag(drag); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Release& release) {
    on_stage_holding(page, id, [release](Stage& stage) { stage.release(release.name); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Poke& poke) {
    on_stage(page, id, [poke](Stage& stage) { stage.poke(poke); });
  }
  void handle(PageNumber page, std::int64_t id, const command::Gravity& gravity) {
    on_stage(page, id, [this, gravity](Stage& stage) {
      stage.gravity(gravity.value);
      const std::lock_guard lock(desk_);
      gravity_ = {gravity.value.x, gravity.value.y, gravity.value.z};
      send_all({{"event", "changed"}, {"gravity", gravity_}});
    });
  }
  void handle(PageNumber page, std::int64_t id, const command::Show& show) {
    on_stage(page, id, [show](Stage& stage) { stage.show(show); });
  }

  // --- What a user decides ---

  void require_character() const {
    if (!cast_.opened) throw usage_error("There is no character yet; open one.");
  }

  void handle(PageNumber page, std::int64_t id, const command::PoseJoints& pose) {
    const std::lock_guard lock(desk_);
    require_character();
    Project next = history_.now();
    std::string kind = "pose";
    for (const auto& [joint, rotation] : pose.joints) {
      if (static_cast<std::size_t>(joint) >= cast_.opened->character.skeleton.joints.size())
        throw usage_error("The character has no joint " + std::to_string(joint) + ".");
      next.pose.joints[joint] = rotation;
      kind += " " + std::to_string(joint);
    }
    decide(std::move(next), "pose", kind, page, id);
  }
  void handle(PageNumber page, std::int64_t id, const command::Unpose& unpose) {
    const std::lock_guard lock(desk_);
    Project next = history_.now();
    if (unpose.joints.empty()) next.pose = {};
    for (const int joint : unpose.joints) next.pose.joints.erase(joint);
    decide(std::move(next), "pose", "", page, id);
  }
  void handle(PageNumber page, std::int64_t id, const command::Carry& carry) {
    const std::lock_guard lock(desk_);
    Project next = history_.now();
    next.pose.carried = carry.by;
    decide(std::move(next), "place", "carry", page, id);
  }

  void handle(PageNumber page, std::int64_t id, const command::Set& set) {
    const std::lock_guard lock(desk_);
    require_character();
    Project next = history_.now();
    std::string& settings = next.settings[next.method];
    settings = with_value(next.method, settings, set.path, set.value);
    decide(std::move(next), set.path.empty() ? "settings" : set.path, "set " + set.path, page, id);
  }
  void handle(PageNumber page, std::int64_t id, const command::Reset& reset) {
    const std::lock_guard lock(desk_);
    require_character();
    Project next = history_.now();
    if (reset.path.empty())
      next.settings.erase(next.method);
    else
      next.settings[next.method] = without_value(next.method, next.settings[next.method], reset.path);
    decide(std::move(next), reset.path.empty() ? "settings" : reset.path, "", page, id);
  }
  void handle(PageNumber page, std::int64_t id, const command::ChooseMethod& method) {
    const std::lock_guard lock(desk_);
    require_character();
    const std::vector<MethodName> methods = live_methods(has_skin_weights(cast_.opened->character));
    if (std::none_of(methods.begin(), methods.end(),
                     [&](const MethodName& known) { return known.name == method.name; }))
      throw usage_error("'" + method.name + "' is no method that this character can be played with.");
    Project next = history_.now();
    next.method = method.name;
    if (next.method == "springs" && !next.settings.contains("springs"))
      next.settings["springs"] = swinging(*cast_.prepared->scene.surface);
    if (!method.model.empty()) next.model = folders_.inside(method.model).string();
    decide(std::move(next), "method", "", page, id);
  }
  // Springs swing joints that somebody names: at first those that only move flesh, or else the last ones of all chains.
  static std::string swinging(const SimulationSurface& surface) {
    PageJson joints = PageJson::array();
    for (const Bone& bone : surface.bones)
      if (bone.helper) joints.push_back(bone.name);
    const bool by_helpers = !joints.empty();
    for (std::size_t b = 0; !by_helpers && b < surface.bones.size(); ++b) {
      const bool last = std::none_of(surface.bones.begin(), surface.bones.end(),
                                     [&](const Bone& other) { return other.parent == static_cast<int>(b); });
      if (last && surface.bones[b].parent >= 0) joints.push_back(surface.bones[b].name);
    }
    return with_value("springs", "", "swing", joints.dump());
  }

  void handle(PageNumber page, std::int64_t id, const command::Paint& paint) {
    const std::lock_guard lock(desk_);
    require_character();
    const bool rigid = paint.channel == "rigid";
    if (paint.channel != "stiffness" && paint.channel != "damping" && !rigid)
      throw usage_error("'" + paint.channel + "' is nothing that is painted; stiffness, damping and rigid are.");
    const std::size_t vertices = rest_surface_->rest.positions.size();
    for (const auto& [vertex, value] : paint.values) {
      if (static_cast<std::size_t>(vertex) >= vertices)
        throw usage_error("The surface has no vertex " + std::to_string(vertex) + ".");
      const float least = paint.channel == "stiffness" ? 0.01f : 0, most = rigid ? 1 : 100;
      if (value < least || value > most)
        throw usage_error("Paint of " + paint.channel + " is a number from " +
                          (rigid       ? "0 to 1"
                           : least > 0 ? "0.01 to 100"
                                       : "0 to 100") +
                          ".");
    }
    Project next = history_.now();
    const auto there = next.paint.find(paint.channel);
    const PaintLayer layer = there == next.paint.end() ? unpainted(*rest_surface_, paint.channel) : there->second;
    next.paint[paint.channel] = layer.painted(paint.values);
    decide(std::move(next), "paint", "", page, id);
  }
  void handle(PageNumber page, std::int64_t id, const command::Channel& channel) {
    const std::lock_guard lock(desk_);
    require_character();
    reply(page, id, {{"values", base64(channel_values(channel.name))}});
  }

  std::vector<float> channel_values(const std::string& name) const {
    if (name == "stiffness" || name == "damping" || name == "rigid") {
      const auto painted = history_.now().paint.find(name);
      return painted == history_.now().paint.end() ? unpainted(*rest_surface_, name).values()
                                                   : painted->second.values();
    }
    if (name == "anatomy") return anatomy_channel(*cast_.prepared);
    if (name == "depth") return depth_channel(*cast_.prepared);
    throw usage_error(
        "'" + name +
        "' is nothing that the surface has a number of; stiffness, damping, rigid, anatomy and depth are.");
  }

  void handle(PageNumber page, std::int64_t id, const command::Undo&) {
    const std::lock_guard lock(desk_);
    if (!history_.can_undo()) throw usage_error("There is nothing more to undo.");
    const Project before = history_.now();
    history_.undo();
    apply(before, page, id);
  }
  void handle(PageNumber page, std::int64_t id, const command::Redo&) {
    const std::lock_guard lock(desk_);
    if (!history_.can_redo()) throw usage_error("There is nothing to do again.");
    const Project before = history_.now();
    history_.redo();
    apply(before, page, id);
  }

  // desk_ is held, as in all that follows here.
  void decide(Project next, const std::string& what, const std::string& kind, PageNumber page, std::int64_t id) {
    choice_of(next);  // throws for what makes no sense
    const Project before = history_.now();
    history_.act(std::move(next), what, kind, clock_.now());
    apply(before, page, id);
  }

  MethodChoice choice_of(const Project& project) const {
    const auto settings = project.settings.find(project.method);
    return choice_from(project.method, project.model, settings == project.settings.end() ? "" : settings->second,
                       folders_);
  }

  static std::string settings_of_method(const Project& project) {
    const auto settings = project.settings.find(project.method);
    return settings == project.settings.end() ? "" : settings->second;
  }

  // The project is another one now: what follows from that is done, and told.
  void apply(const Project& before, PageNumber page, std::int64_t id) {
    const Project& now = history_.now();
    save();
    PageJson changed{{"event", "changed"}, {"history", history_state(history_)}};
    const bool other_method = before.method != now.method || before.model != now.model;
    const bool cooks =
        other_method || settings_of_method(before) != settings_of_method(now) || before.paint != now.paint;
    if (cooks) {
      changed["settings"] = settings_state();
      changed["painted"] = painted_state();
    }
    if (before.takes != now.takes) changed["takes"] = takes_state(now);
    if (before.pose != now.pose) {
      changed["pose"] = pose_state(now.pose);
      changed["carried"] = {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z};
      const auto lead = [pose = now.pose](Stage& stage) { stage.pose(pose); };
      if (cooks)
        stage_.post(lead);
      else
        on_stage(page, id, lead);
    }
    send_all(changed);
    if (cooks)
      cook(page, id);
    else if (before.pose == now.pose)
      reply(page, id);
  }

  // With what null comes to in the flesh that was cooked last.
  PageJson settings_state() const {
    std::map<std::string, double> now;
    if (cast_.prepared && cast_.prepared->flesh) {
      now["young"] = cast_.prepared->flesh->material.young;
      now["damping"] = cast_.prepared->flesh->material.damping_ratio;
    }
    return describe_settings(choice_of(history_.now()), now);
  }

  PageJson painted_state() const {
    PageJson painted = PageJson::array();
    for (const auto& [channel, layer] : history_.now().paint) painted.push_back(channel);
    return painted;
  }

  void save() {
    if (project_file_.empty() || !project_is_ours_) return;
    const Project project = with_recording();
    saver_.save(project_file_, [project, name = character_name_] { return project_json(project, name); });
  }
  Project with_recording() const {
    Project project = history_.now();
    if (recording_) project.takes.push_back(recording_);
    return project;
  }

  // --- Cooking ---

  struct Waiter {
    PageNumber page;
    std::int64_t id;
    std::uint64_t order;
    Stopwatch watch;
  };

  void cook(PageNumber page, std::int64_t id) {
    const std::uint64_t order = ++orders_;
    waiters_.push_back({page, id, order, {}});
    kitchen_.cook({choice_of(history_.now()), history_.now().paint},
                  [this, order](Served served) { serve(std::move(served), order); });
  }

  // On the kitchen's thread.
  void serve(Served served, std::uint64_t order) {
    if (served.failure && served.again) return tell_failure("cooking", sentence_of(served.failure));
    if (served.failure) return refuse_order(sentence_of(served.failure), order);
    stage_.post([this, served, order](Stage& stage) {
      std::string failure;
      if (stage.cast().number != served.cast.number) {
        failure = "There is another character now.";
      } else {
        try {
          stage.change(served.cast);
        } catch (const std::exception&) {
          failure = sentence_of(std::current_exception());
        }
      }
      if (!failure.empty()) return refuse_order(failure, order);
      const std::lock_guard lock(desk_);
      cast_ = served.cast;
      play_ = stage.state();
      hands_ = hands_state(stage.hands());
      method_ = method_state(history_.now(), stage.session().traits());
      send_all({{"event", "changed"},
                {"method", method_},
                {"settings", settings_state()},
                {"play", play_state(play_)},
                {"hands", hands_}});
      for (const Waiter& waiter : waiters_)
        if (waiter.order <= order) reply(waiter.page, waiter.id, {{"seconds", waiter.watch.seconds()}});
      std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.order <= order; });
    });
  }

  // What cannot be cooked is taken back.
  void refuse_order(const std::string& sentence, std::uint64_t order) {
    const std::lock_guard lock(desk_);
    for (const Waiter& waiter : waiters_)
      if (waiter.order <= order) reply_error(waiter.page, waiter.id, sentence);
    std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.order <= order; });
    if (order != orders_) return;
    history_.take_back();
    save();
    const Project& now = history_.now();
    send_all({{"event", "changed"},
              {"settings", settings_state()},
              {"painted", painted_state()},
              {"history", history_state(history_)},
              {"takes", takes_state(now)},
              {"pose", pose_state(now.pose)}});
  }

  // --- Opening ---

  void open(OpenOrder file, PageNumber page, std::int64_t id) {
    const auto opening = std::make_shared<Opening>();
    opening->path = file.file;
    kitchen_.open(
        std::move(file), [this, opening](const OpenedCharacter& opened) { return first_order(opened, *opening); },
        [this, opening, page, id](Served served) { enter(std::move(served), *opening, page, id); });
  }

  struct Opening {
    fs::path path;
    Project project;
    std::vector<std::string> notes;
    bool project_is_ours = true;
  };

  // On the kitchen's thread: the project beside the file, or a new one.
  Order first_order(const OpenedCharacter& opened, Opening& opening) const {
    const Character& character = opened.character;
    const fs::path file = project_path(opening.path);
    Project fresh;
    fresh.method = has_skin_weights(character) ? "flesh" : "mixed";
    opening.project = fresh;
    std::error_code status;
    if (fs::exists(file, status)) {
      try {
        opening.project = project_from_json(read_text_file(file), file.string());
        choice_of(opening.project);
        drop_what_does_not_fit(character, opening);
      } catch (const Error& error) {
        opening.project = fresh;
        opening.project_is_ours = false;
        opening.notes.push_back(std::string(error.what()) + " Until then nothing is kept.");
      }
    }
    return {choice_of(opening.project), opening.project.paint};
  }

  static void drop_what_does_not_fit(const Character& character, Opening& opening) {
    Project& project = opening.project;
    if (!project.paint.empty()) {
      const std::size_t vertices = simulation_surface(character).rest.positions.size();
      const bool fits = std::all_of(project.paint.begin(), project.paint.end(),
                                    [&](const auto& item) { return item.second.size() == vertices; });
      if (!fits) {
        project.paint.clear();
        opening.notes.push_back(
            "The character has another surface than when it was painted; the project's paint is left out.");
      }
    }
    const auto joints = static_cast<int>(character.skeleton.joints.size());
    std::erase_if(project.pose.joints, [&](const auto& item) { return item.first >= joints; });
  }

  // On the kitchen's thread.
  void enter(Served served, const Opening& opening, PageNumber page, std::int64_t id) {
    if (served.again) return serve(std::move(served), 0);
    if (served.failure) {
      const std::string sentence = sentence_of(served.failure);
      if (page == 0)
        tell_failure("opening", sentence);
      else
        reply_error(page, id, sentence);
      return;
    }
    const auto surface = std::make_shared<const SimulationSurface>(simulation_surface(served.cast.opened->character));
    stage_.post(page, id, [this, served, opening, surface, page, id](Stage& stage) {
      const Character& character = served.cast.opened->character;
      try {
        stage.enter(served.cast, character.clips.empty() ? "" : character.clips[0].name, true);
        if (!opening.project.pose.empty()) stage.pose(opening.project.pose);
      } catch (const std::exception&) {
        const std::string sentence = sentence_of(std::current_exception());
        if (page == 0)
          tell_failure("opening", sentence);
        else
          reply_error(page, id, sentence);
        return;
      }
      const std::lock_guard lock(desk_);
      cast_ = served.cast;
      rest_surface_ = surface;
      history_ = History(opening.project);
      project_file_ = project_path(opening.path);
      project_is_ours_ = opening.project_is_ours;
      character_path_ = opening.path;
      character_name_ = opening.path.filename().string();
      recording_.reset();
      take_doing_.clear();
      gravity_ = PageJson();
      outputs_.clear();
      waiters_.clear();
      std::vector<std::string> notes = opening.notes;
      for (const std::string& note : served.cast.prepared->report.warnings) notes.push_back(note);
      if (!served.cast.opened->size.sentence.empty()) notes.insert(notes.begin(), served.cast.opened->size.sentence);
      character_ = character_state(served.cast, project_file_.filename().string(), notes);
      play_ = stage.state();
      hands_ = hands_state(stage.hands());
      method_ = method_state(history_.now(), stage.session().traits());
      send_all({{"event", "state"}, {"state", state()}});
      reply(page, id);
    });
  }

  // --- Takes ---

  void note_recorded(const RecordedTake& take, bool ended) {
    const std::lock_guard lock(desk_);
    recording_ = std::make_shared<const NamedTake>(NamedTake{take_name_, take});
    if (ended) {
      Project next = history_.now();
      next.takes.push_back(std::exchange(recording_, nullptr));
      history_.act(std::move(next), "take", "", clock_.now());
      take_doing_.clear();
      send_all({{"event", "changed"},
                {"takes", takes_state(history_.now())},
                {"take", PageJson()},
                {"history", history_state(history_)}});
    }
    save();
  }

  void handle(PageNumber page, std::int64_t id, const command::EditTake& edit) {
    const std::lock_guard lock(desk_);
    require_character();
    const Project& now = history_.now();
    if (edit.action == "record") {
      take_name_ = edit.name.empty() ? free_take_name(now) : edit.name;
      refuse_take_named(now, take_name_);
      return on_stage_playing(page, id, [this](Stage& stage) {
        stage.record();
        note_take("recording");
        note_hands(stage);
      });
    }
    if (edit.action == "stop")
      return on_stage_playing(page, id, [this](Stage& stage) {
        if (stage.recording())
          stage.stop_recording();
        else
          stage.pause();
        note_take("");
      });
    if (edit.action == "play")
      return on_stage_playing(page, id, [this, take = take_named(now, edit.name)](Stage& stage) {
        stage.repeat(take.take);
        {
          const std::lock_guard inner(desk_);
          take_name_ = take.name;
        }
        note_take("playing");
      });
    decide(with_edited_take(now, edit), "take", "", page, id);
  }

  void note_take(const std::string& doing) {
    const std::lock_guard lock(desk_);
    take_doing_ = doing;
    send_all({{"event", "changed"}, {"take", take_state()}});
  }
  PageJson take_state() const {
    return take_doing_.empty() ? PageJson() : PageJson{{"name", take_name_}, {"doing", take_doing_}};
  }

  // --- Baking ---

  void handle(PageNumber page, std::int64_t id, const command::Bake& bake) {
    const std::lock_guard lock(desk_);
    require_character();
    BakeOrder order = bake_order(bake, history_.now(), choice_of(history_.now()), cast_.opened, character_path_);
    order.surface = rest_surface_;
    const std::string command = order.command;
    bakes_.begin(std::move(order));
    reply(page, id, {{"command", command}});
  }

  // On the thread that baked.
  void finish_bake(const Baked& baked) {
    tell_progress("baking", {"", 1});
    if (baked.stopped) return tell_failure("baking", "The bake was stopped; nothing was written.");
    if (!baked.failure.empty()) return tell_failure("baking", baked.failure);
    const std::lock_guard lock(desk_);
    PageJson files = PageJson::array();
    for (const fs::path& file : baked.files) {
      std::error_code status;
      const std::string name = file.filename().string();
      files.push_back({{"name", name}, {"bytes", fs::file_size(file, status)}});
      outputs_[name] = file;
    }
    send_all({{"event", "baked"},
              {"files", files},
              {"command", baked.command},
              {"report", PageJson::parse(report_json(baked.report))},
              {"seconds", baked.seconds}});
    send_all({{"event", "changed"}, {"outputs", outputs_state()}});
  }

  PageJson outputs_state() const {
    PageJson outputs = PageJson::array();
    for (const auto& [name, file] : outputs_) {
      std::error_code status;
      outputs.push_back({{"name", name}, {"bytes", fs::file_size(file, status)}});
    }
    return outputs;
  }

  WebAnswer output(const std::string& name) {
    fs::path file;
    {
      const std::lock_guard lock(desk_);
      if (const auto found = outputs_.find(name); found != outputs_.end()) file = found->second;
    }
    if (file.empty()) return text_answer(404, "Nothing of this name was baked.\n");
    WebAnswer answer;
    const std::string ending = lower_case_ending(file);
    answer.type = ending == ".png"    ? "image/png"
                  : ending == ".webp" ? "image/webp"
                  : ending == ".json" ? "application/json"
                                      : "application/octet-stream";
    answer.bytes = std::make_shared<const std::vector<std::byte>>(read_file(file));
    if (!answer.type.starts_with("image/")) answer.download = "baked" + ending;
    return answer;
  }

  void handle(PageNumber page, std::int64_t id, const command::Cancel&) {
    kitchen_.cancel();
    bakes_.cancel();
    const std::lock_guard lock(desk_);
    for (const Waiter& waiter : waiters_) reply_error(waiter.page, waiter.id, "It was stopped.");
    waiters_.clear();
    reply(page, id);
  }

  // --- Checking ---

  void handle(PageNumber page, std::int64_t id, const command::Check&) {
    const std::lock_guard lock(desk_);
    require_character();
    if (checking_) throw usage_error("The character is being checked already.");
    if (checker_.joinable()) checker_.join();
    checking_ = true;
    checker_ = std::thread([this, page, id, cast = cast_, path = character_path_] {
      PageJson answer;
      try {
        const ThreadLoan alone;
        answer = check_state(cast, check_file(path.string(), [this](const ProgressReport&) { return !ends_.load(); }));
      } catch (const std::exception&) {
        answer = {{"error", sentence_of(std::current_exception())}};
      }
      checking_ = false;
      reply(page, id, answer);
    });
  }

  PageJson state() const {
    PageJson json{{"character", character_}};
    if (!cast_.opened) return json;
    const Project& now = history_.now();
    json["play"] = play_state(play_);
    json["method"] = method_;
    json["settings"] = settings_state();
    json["pose"] = pose_state(now.pose);
    json["carried"] = {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z};
    json["gravity"] = gravity_;
    json["hands"] = hands_;
    json["painted"] = painted_state();
    json["history"] = history_state(history_);
    json["takes"] = takes_state(now);
    json["take"] = take_state();
    json["work"] = work_;
    json["outputs"] = outputs_state();
    return json;
  }

  StudioOptions options_;
  Folders folders_;
  std::string token_;
  WallClock clock_ = steady_wall_clock();
  std::atomic<bool> ready_{false};

  Pages pages_;

  // What is decided, and what pages know of it.
  std::mutex desk_;
  Cast cast_;
  std::shared_ptr<const SimulationSurface> rest_surface_;  // as the file paints it
  History history_;
  fs::path character_path_, project_file_;
  std::string character_name_;
  bool project_is_ours_ = true;
  PageJson character_, hands_ = PageJson::array(), method_, gravity_, work_;
  PlayState play_;
  std::vector<Waiter> waiters_;
  std::uint64_t orders_ = 0;
  std::shared_ptr<const NamedTake> recording_;
  std::string take_name_, take_doing_;

  std::map<std::string, fs::path> outputs_;  // that were baked, by name

  std::atomic<bool> checking_{false}, ends_{false};
  std::thread checker_;

  std::mutex files_mutex_;
  std::shared_ptr<const std::vector<std::byte>> glb_;
  std::uint32_t files_of_ = 0;

  // In this order: those below call those above.
  ProjectFile saver_;
  Stage stage_;
  Kitchen kitchen_;
  BakeJobs bakes_;
  WebServer server_;
};

Studio::Studio(const StudioOptions& options) : implementation_(std::make_unique<Implementation>(options)) {}
Studio::~Studio() = default;
int Studio::port() const { return implementation_->port(); }
const std::string& Studio::token() const { return implementation_->token(); }
std::string Studio::address() const { return "http://127.0.0.1:" + std::to_string(port()) + "/?token=" + token(); }

}  // namespace sinew
