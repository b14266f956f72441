#include "studio/server/project/history_file.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/files/strict_json.h"
#include "studio/server/project/project_parts.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

constexpr int history_version = 1;
constexpr const char* history_remedy = "earlier changes cannot be undone";
constexpr std::size_t longest_act = 200, most_methods = 100, most_takes_of_state = 1000;
// Commas and indices take less space than the counted data.
constexpr std::size_t most_bytes_read = 2 * most_history_bytes;

// Data that is written once, under a number.
template <class Key>
class Pool {
 public:
  // `make` produces the JSON of new data.
  template <class Make>
  std::size_t number(const Key& key, const Make& make, std::size_t& bytes) {
    const auto [place, fresh] = numbers_.try_emplace(key, numbers_.size());
    if (fresh) {
      things_.push_back(make());
      bytes += things_.back().dump().size();
    }
    return place->second;
  }
  std::size_t size() const { return things_.size(); }
  // Removes all data after the first `count`. None may be added afterwards.
  void cut(std::size_t count) { things_.erase(things_.begin() + static_cast<std::ptrdiff_t>(count), things_.end()); }
  PageJson take_things() { return std::move(things_); }

 private:
  std::map<Key, std::size_t> numbers_;
  PageJson things_ = PageJson::array();
};

// Writes states until they exceed the given number of bytes.
class StateWriter {
 public:
  explicit StateWriter(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null if the state exceeds the remaining size; nothing more can be written then.
  PageJson state(const Project& project) {
    const std::array<std::size_t, 6> before{settings_.size(), blocks_.size(), layers_.size(),
                                            poses_.size(),    kept_.size(),   takes_.size()};
    PageJson json = whole_state(project);
    if (bytes_ <= most_bytes_) return json;
    settings_.cut(before[0]);
    blocks_.cut(before[1]);
    layers_.cut(before[2]);
    poses_.cut(before[3]);
    kept_.cut(before[4]);
    takes_.cut(before[5]);
    return {};
  }

  void finish(PageJson& json) {
    json["settings"] = settings_.take_things();
    json["blocks"] = blocks_.take_things();
    json["layers"] = layers_.take_things();
    json["poses"] = poses_.take_things();
    json["kept_poses"] = kept_.take_things();
    json["takes"] = takes_.take_things();
  }

 private:
  PageJson whole_state(const Project& project) {
    PageJson json{{"method", project.method}};
    json["settings"] = PageJson::object();
    for (const auto& [method, text] : project.settings)
      json["settings"][method] = settings_.number(
          text, [&state = text] { return PageJson::parse(state); }, bytes_);
    json["paint"] = PageJson::object();
    for (const auto& [channel, layer] : project.paint) json["paint"][channel] = layer_number(layer);
    json["pose"] = pose_number(project.pose);
    if (!project.kept_poses.empty()) {
      const PageJson kept = kept_poses_json(project.kept_poses);
      json["kept_poses"] = kept_.number(
          kept.dump(), [&] { return kept; }, bytes_);
    }
    json["takes"] = PageJson::array();
    for (const auto& take : project.takes)
      json["takes"].push_back(takes_.number(
          take.get(), [&] { return take_part_json(*take); }, bytes_));
    put_motions(project, json);
    bytes_ += json.dump().size();
    return json;
  }

  // Successive states usually have the same pose.
  std::size_t pose_number(const HandPose& pose) {
    if (last_pose_ && last_pose_->first == pose) return last_pose_->second;
    const PageJson json = pose_json(pose);
    last_pose_.emplace(pose, poses_.number(
                                 json.dump(), [&] { return json; }, bytes_));
    return last_pose_->second;
  }

  std::size_t layer_number(const PaintLayer& layer) {
    PageJson numbers = PageJson::array();
    for (const PaintLayer::Block& block : layer.blocks())
      numbers.push_back(blocks_.number(
          block.get(), [&] { return PageJson(base64(*block)); }, bytes_));
    return layers_.number(
        numbers.dump(), [&] { return numbers; }, bytes_);
  }

  Pool<std::string> settings_, layers_, poses_, kept_;
  Pool<const std::vector<float>*> blocks_;
  Pool<const NamedTake*> takes_;
  std::optional<std::pair<HandPose, std::size_t>> last_pose_;
  std::size_t most_bytes_, bytes_ = 0;
};

// The data that an index in the file refers to.
template <class Thing>
const Thing& numbered(const std::vector<Thing>& things, const PageJson& number, const StudioFile& file) {
  if (!number.is_number_unsigned() || number.get<std::size_t>() >= things.size())
    throw file.damaged("refers to a part that it does not contain");
  return things[number.get<std::size_t>()];
}

std::vector<PaintLayer> layers_from(const PageJson& json, const StudioFile& file) {
  std::vector<PaintLayer::Block> blocks;
  for (const PageJson& text : list_of(json, "blocks", file)) {
    if (!text.is_string()) throw file.damaged("has paint that is not a text");
    const std::vector<float> values = paint_from_text(text.get<std::string>(), file);
    if (values.empty() || values.size() > PaintLayer::block) throw file.damaged("has paint of another length");
    blocks.push_back(std::make_shared<const std::vector<float>>(values));
  }
  std::vector<PaintLayer> layers;
  for (const PageJson& numbers : list_of(json, "layers", file)) {
    if (!numbers.is_array()) throw file.damaged("has paint that is not a list of blocks");
    std::vector<PaintLayer::Block> own;
    for (const PageJson& number : numbers) {
      if (!own.empty() && own.back()->size() != PaintLayer::block) throw file.damaged("has paint with a gap");
      own.push_back(numbered(blocks, number, file));
    }
    layers.push_back(PaintLayer::of_blocks(std::move(own)));
  }
  return layers;
}

// Parts that the states of a file share.
struct SharedParts {
  std::vector<std::string> settings;
  std::vector<PaintLayer> layers;
  std::vector<HandPose> poses;
  std::vector<KeptPoses> kept_poses;
  std::vector<std::shared_ptr<const NamedTake>> takes;
};

SharedParts shared_parts(const PageJson& json, const StudioFile& file) {
  SharedParts parts;
  for (const PageJson& settings : list_of(json, "settings", file))
    parts.settings.push_back(settings_from_json(settings, file));
  parts.layers = layers_from(json, file);
  for (const PageJson& pose : list_of(json, "poses", file)) {
    if (!pose.is_object()) throw file.damaged("has a pose that is not an object");
    parts.poses.push_back(pose_from_json(pose, file));
  }
  for (const PageJson& poses : list_of(json, "kept_poses", file)) {
    if (!poses.is_object()) throw file.damaged("has kept poses that are not an object");
    parts.kept_poses.push_back(kept_poses_from_json(poses, file));
  }
  for (const PageJson& take : list_of(json, "takes", file))
    parts.takes.push_back(std::make_shared<const NamedTake>(take_part_from_json(take, file)));
  return parts;
}

Project state_from(const PageJson& json, const SharedParts& parts, const StudioFile& file) {
  if (!json.is_object() || !json.contains("pose")) throw file.damaged("has a state without a pose");
  Project project;
  project.method = text_of(json, "method", file);
  const PageJson &settings = object_of(json, "settings", file), &takes = list_of(json, "takes", file);
  if (settings.size() > most_methods || takes.size() > most_takes_of_state)
    throw file.damaged("has a state with more settings or takes than there can be");
  for (const auto& [method, number] : settings.items())
    project.settings[method] = numbered(parts.settings, number, file);
  adopt_old_model(json, project, file);
  for (const auto& [channel, number] : object_of(json, "paint", file).items()) {
    check_paint_channel(channel, file);
    project.paint[channel] = numbered(parts.layers, number, file);
  }
  project.pose = numbered(parts.poses, json["pose"], file);
  if (json.contains("kept_poses")) project.kept_poses = numbered(parts.kept_poses, json["kept_poses"], file);
  for (const PageJson& number : takes) project.takes.push_back(numbered(parts.takes, number, file));
  take_motions(json, file, project);
  return project;
}

}  // namespace

fs::path history_path(const fs::path& character) {
  fs::path path = character;
  return path.replace_extension(".studio.history.json");
}

std::string history_json(const HistoryLine& line, const std::string& character, std::size_t most_bytes) {
  StateWriter writer(most_bytes);
  PageJson states = PageJson::array();
  const PageJson now = writer.state(*line.states[line.at]);
  std::vector<PageJson> before;  // nearest to the present first
  bool room = !now.is_null();
  for (std::size_t k = line.at; room && k-- > 0;) {
    PageJson state = writer.state(*line.states[k]);
    room = !state.is_null();
    if (room) before.push_back(std::move(state));
  }
  for (auto state = before.rbegin(); state != before.rend(); ++state) states.push_back(std::move(*state));
  if (!now.is_null()) states.push_back(now);
  for (std::size_t k = line.at + 1; room && k < line.states.size(); ++k) {
    PageJson state = writer.state(*line.states[k]);
    room = !state.is_null();
    if (room) states.push_back(std::move(state));
  }
  PageJson json{{"sinew studio history", history_version}, {"character", character}, {"at", before.size()}};
  json["acts"] = PageJson::array();
  for (std::size_t k = 0; k + 1 < states.size(); ++k) json["acts"].push_back(line.acts[line.at - before.size() + k]);
  json["states"] = std::move(states);
  writer.finish(json);
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace) + "\n";
}

HistoryLine history_from_json(std::string_view text, const std::string& name) {
  const StudioFile file{name, history_remedy};
  const PageJson json = parse_strict_json(text, name, history_remedy);
  if (!json.is_object() || !json.contains("sinew studio history"))
    throw file.damaged("is not a history of Sinew's studio");
  if (json["sinew studio history"] != history_version) throw file.damaged("was written by another version of Sinew");
  const PageJson &states = list_of(json, "states", file), &acts = list_of(json, "acts", file);
  if (states.empty() && acts.empty()) return {};
  if (states.size() > 2 * History::most + 1 || acts.size() + 1 != states.size() || !json.contains("at") ||
      !json["at"].is_number_unsigned() || json["at"].get<std::size_t>() >= states.size())
    throw file.damaged("has a number of acts that does not match its states");
  const SharedParts parts = shared_parts(json, file);
  HistoryLine line;
  line.at = json["at"].get<std::size_t>();
  for (const PageJson& state : states)
    line.states.push_back(std::make_shared<const Project>(state_from(state, parts, file)));
  for (const PageJson& act : acts) {
    if (!act.is_string() || act.get_ref<const std::string&>().size() > longest_act)
      throw file.damaged("has an act without a name");
    line.acts.push_back(act.get<std::string>());
  }
  return line;
}

HistoryLine read_history(const fs::path& path) {
  const StudioFile file{path.string(), history_remedy};
  std::error_code status;
  if (!fs::is_regular_file(path, status)) throw file.damaged("is no file that can be read");
  if (fs::file_size(path, status) > most_bytes_read || status) throw file.damaged("is larger than a history can be");
  return history_from_json(read_text_file(path), file.name);
}

HistoryLine leading_to(HistoryLine line, const Project& now) {
  if (line.states.empty()) return {{std::make_shared<const Project>(now)}, {}, 0};
  if (project_json(*line.states[line.at], "") == project_json(now, "")) return line;
  line.states.resize(line.at + 1);
  line.acts.resize(line.at);
  line.states.push_back(std::make_shared<const Project>(now));
  line.acts.emplace_back("the last changes");
  ++line.at;
  return line;
}

}  // namespace sinew::studio
