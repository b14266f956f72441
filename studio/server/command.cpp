#include "studio/server/command.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "studio/server/instrument/instrument_command.h"
#include "studio/server/lattice/lattice_command.h"
#include "studio/server/message_keys.h"
#include "studio/server/motion/motion_command.h"
#include "studio/server/paint/paint_command.h"
#include "studio/server/rigging/rig_command.h"
#include "studio/server/shape/shape_command.h"

namespace sinew::studio {
namespace {

constexpr std::int64_t most_id = std::int64_t{1} << 53;  // largest integer of a page
constexpr std::size_t deepest = 12, most_tokens = 400'000;

// Counts the values of a message before it is built.
class Size : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return more(); }
  bool boolean(bool) override { return more(); }
  bool number_integer(number_integer_t) override { return more(); }
  bool number_unsigned(number_unsigned_t) override { return more(); }
  bool number_float(number_float_t, const string_t&) override { return more(); }
  bool string(string_t&) override { return more(); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return deeper(); }
  bool key(string_t&) override { return more(); }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    sentence = "The message is not JSON.";
    return false;
  }

  std::string sentence;

 private:
  bool more() {
    if (++tokens_ <= most_tokens) return true;
    sentence = "The message has too many values.";
    return false;
  }
  bool deeper() {
    if (++depth_ <= deepest) return more();
    sentence = "The message is nested too deeply.";
    return false;
  }

  std::size_t depth_ = 0, tokens_ = 0;
};

// The number of a joint, as a key of the object `member`.
int joint_number(const char* member, const std::string& key, const Keys& keys) {
  int number = 0;
  for (const char digit : key) {
    if (digit < '0' || digit > '9' || number > most_joints)
      throw keys.wrong(member, "must name joints by their numbers");
    number = 10 * number + (digit - '0');
  }
  if (key.empty() || number > most_joints) throw keys.wrong(member, "must name joints by their numbers");
  return number;
}

Request hello(Keys& keys) { return command::Hello{keys.integer("version", keys.need("version"), 1'000'000)}; }
Request next(Keys&) { return command::Next{}; }
Request list_files(Keys& keys) { return command::ListFiles{keys.text_or("folder")}; }
Request open_file(Keys& keys) { return command::Open{keys.text("path"), keys.flag("look").value_or(false)}; }
Request play(Keys& keys) {
  command::Play play;
  if (const Json* clip = keys.find("clip")) play.clip = keys.text("clip", *clip, longest_text);
  play.loop = keys.flag("loop");
  if (const Json* speed = keys.find("speed")) play.speed = keys.number("speed", *speed, 0.01, 4);
  return play;
}
Request pause_clip(Keys&) { return command::Pause{}; }
Request scrub(Keys& keys) { return command::Scrub{keys.number("time", -1e6, 1e6)}; }
Request speed(Keys& keys) { return command::Speed{keys.number("value", 0.01, 4)}; }
Request pose(Keys& keys) {
  command::PoseJoints pose;
  const Json& joints = keys.need("joints");
  if (!joints.is_object() || joints.size() > 1000)
    throw keys.wrong("joints", "must be an object of at most 1000 rotations");
  for (const auto& [key, value] : joints.items()) {
    pose.joints[joint_number("joints", key, keys)] = rotation(keys, value);
  }
  pose.stroke = keys.stroke();
  return pose;
}
std::map<int, Vec3> pinned_places(Keys& keys) {
  std::map<int, Vec3> places;
  const Json* pinned = keys.find("pinned");
  if (!pinned) return places;
  if (!pinned->is_object() || pinned->size() > 100)
    throw keys.wrong("pinned", "must be an object of at most 100 places");
  for (const auto& [key, place] : pinned->items())
    places[joint_number("pinned", key, keys)] = keys.vector("pinned", place, farthest);
  return places;
}
Request reach(Keys& keys) {
  command::ReachJoint reach;
  reach.joint = keys.integer("joint", keys.need("joint"), most_joints);
  reach.target = keys.vector("target", keys.need("target"), farthest);
  reach.pinned = pinned_places(keys);
  reach.clip_time = keys.number("clip_time", -1e6, 1e6);
  reach.stroke = keys.stroke();
  return reach;
}
Request draw_line(Keys& keys) {
  command::DrawLine line;
  line.points = keys.places("points", 2, 2000, farthest);
  line.normal = keys.vector("normal", keys.need("normal"), 1000);
  line.eye = keys.vector("eye", keys.need("eye"), farthest);
  if (const Json* through = keys.find("through")) line.through = keys.integer("through", *through, most_joints);
  line.feet_stay = keys.flag("feet_stay").value_or(false);
  line.pinned = pinned_places(keys);
  line.clip_time = keys.number("clip_time", -1e6, 1e6);
  line.stroke = keys.stroke();
  return line;
}
Request unpose(Keys& keys) {
  command::Unpose unpose;
  const Json* joints = keys.find("joints");
  if (!joints) return unpose;
  if (!joints->is_array() || joints->size() > 1000) throw keys.wrong("joints", "must be a list of at most 1000 joints");
  for (const Json& joint : *joints) unpose.joints.push_back(keys.integer("joints", joint, most_joints));
  return unpose;
}
Request keep_pose(Keys& keys) {
  command::KeepPose keep;
  keep.name = keys.text("name", longest_name);
  if (keep.name.empty()) throw keys.wrong("name", "must not be empty");
  const Json& joints = keys.need("joints");
  if (joints.is_null()) return keep;
  if (!joints.is_object() || joints.empty() || joints.size() > 1000)
    throw keys.wrong("joints", "must be an object of 1 to 1000 rotations, or null");
  for (const auto& [joint, value] : joints.items()) {
    if (joint.empty() || joint.size() > longest_text) throw keys.wrong("joints", "must have the names of joints");
    keep.joints[joint] = rotation(keys, value);
  }
  return keep;
}
Request carry(Keys& keys) { return command::Carry{keys.vector("by"), keys.stroke()}; }
Request grab(Keys& keys) {
  command::Grab grab;
  grab.name = keys.text("name", longest_name);
  if (grab.name.empty()) throw keys.wrong("name", "must not be empty");
  grab.at = keys.place("at", keys.need("at"));
  if (const Json* target = keys.find("target")) grab.target = keys.vector("target", *target, farthest);
  if (const Json* radius = keys.find("radius")) grab.radius = keys.number("radius", *radius, 0, 1000);
  grab.stays = keys.flag("stays").value_or(false);
  return grab;
}
Request drag(Keys& keys) { return command::Drag{keys.text("name", longest_name), keys.vector("target")}; }
Request release(Keys& keys) { return command::Release{keys.text_or("name", longest_name)}; }

// The largest number of a unit that a page may send.
double most_of(const Unit& unit) {
  const std::string_view name = unit.name;
  return name == units::seconds.name ? 60 : name == units::metres.name ? 1000 : strongest;
}
// A load, by its row of the table: the point of the skin is `at`, all other members are there.
Request act(Keys& keys, const ActionKind& row) {
  command::Act act;
  act.action.kind = row.kind;
  act.action.radius = 0;
  const Settings settings = row.of(act.action);
  for (const Setting& member : settings.table) {
    const double most = std::min(member.range.most, most_of(member.unit));
    if (member.key == std::string_view("point"))
      act.at = keys.place("at", keys.need("at"));
    else if (const auto* vector = std::get_if<Member<Vec3>>(&member.value))
      vector->of(settings) = keys.vector(member.key, most);
    else if (const auto* number = std::get_if<Member<double>>(&member.value))
      number->of(settings) = keys.number(member.key, std::max(member.range.least, -most), most);
    else if (const auto* optional = std::get_if<Member<std::optional<double>>>(&member.value))
      optional->of(settings) = keys.number(member.key, std::max(member.range.least, -most), most);
  }
  return act;
}
Request gravity(Keys& keys) {
  const Json& value = keys.need("value");
  if (value.is_null()) return command::Gravity{};
  return command::Gravity{keys.vector("value", value, 1000)};
}
Request tissue(Keys& keys) {
  command::Tissue tissue;
  const auto factor = [&](const char* key) -> std::optional<double> {
    const Json* found = keys.find(key);
    if (!found) return std::nullopt;
    return keys.number(key, *found, least_of_tissue, most_of_tissue);
  };
  tissue.stiffness = factor("stiffness");
  tissue.damping = factor("damping");
  return tissue;
}
Request choose_method(Keys& keys) {
  command::ChooseMethod method{keys.text("name", longest_name), keys.text_or("model"), {}};
  if (const Json* settings = keys.find("settings")) {
    if (!settings->is_object()) throw keys.wrong("settings", "must be an object of keys and values");
    method.settings = settings->dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return method;
}
Request set(Keys& keys) {
  return command::Set{keys.text("path", longest_name),
                      keys.need("value").dump(-1, ' ', false, Json::error_handler_t::replace), keys.stroke()};
}
Request reset(Keys& keys) { return command::Reset{keys.text_or("path", longest_name)}; }
Request undo(Keys&) { return command::Undo{}; }
Request redo(Keys&) { return command::Redo{}; }
Request edit_take(Keys& keys) {
  command::EditTake take{
      keys.text("action", longest_name), keys.text_or("name", longest_name), keys.text_or("to", longest_name), {}, {}};
  if (const Json* from = keys.find("from")) take.from = keys.number("from", *from, 0, 1e6);
  if (const Json* seconds = keys.find("seconds")) take.seconds = keys.number("seconds", *seconds, 0, 1e6);
  return take;
}
Request bake(Keys& keys) {
  command::Bake bake;
  bake.output = keys.text("output");
  bake.clip = keys.text_or("clip");
  bake.take = keys.text_or("take", longest_name);
  bake.preview = keys.text_or("preview");
  if (const Json* rate = keys.find("frames_per_second"))
    bake.frames_per_second = keys.number("frames_per_second", *rate, 1, 1000);
  bake.loop = keys.flag("loop");
  if (const Json* from = keys.find("from")) bake.from = keys.number("from", *from, -1e6, 1e6);
  if (const Json* to = keys.find("to")) bake.to = keys.number("to", *to, -1e6, 1e6);
  bake.replace = keys.flag("replace").value_or(false);
  return bake;
}
Request fit(Keys& keys) {
  return command::Fit{keys.text("output"), keys.names("clips", longest_text), keys.flag("replace").value_or(false)};
}
Request learn(Keys& keys) { return command::Learn{keys.text("output"), keys.flag("replace").value_or(false)}; }
Request cancel(Keys&) { return command::Cancel{}; }
Request check(Keys&) { return command::Check{}; }
Request show(Keys& keys) {
  command::Show show{keys.flag("heat"),  keys.flag("goal"),    keys.flag("measures"),
                     keys.flag("cells"), keys.flag("muscles"), {}};
  if (const Json* picked = keys.find("picked")) show.picked = keys.place("picked", *picked);
  return show;
}

Request show_cells(Keys&) { return command::ShowCells{}; }
Request play_comparison(Keys& keys) {
  return command::PlayComparison{keys.text_or("method", longest_name), keys.text_or("model")};
}

Request let_fall(Keys& keys) { return command::LetFall{keys.text("output"), keys.flag("replace").value_or(false)}; }

Request show_curves(Keys& keys) { return command::ShowCurves{keys.flag("on").value_or(true)}; }
Request edit_curve(Keys& keys) {
  command::EditCurve edit{keys.text("clip"), keys.text("parameter"), "", 0};
  const Json& stretches = keys.need("stretches");
  if (!stretches.is_array() || stretches.size() > 1000)
    throw keys.wrong("stretches", "must be a list of at most 1000 stretches of keys");
  edit.stretches = stretches.dump(-1, ' ', false, Json::error_handler_t::replace);
  edit.stroke = keys.stroke();
  return edit;
}

constexpr std::pair<std::string_view, Request (*)(Keys&)> verbs[] = {{"hello", hello},
                                                                     {"next", next},
                                                                     {"files", list_files},
                                                                     {"open", open_file},
                                                                     {"play", play},
                                                                     {"pause", pause_clip},
                                                                     {"scrub", scrub},
                                                                     {"speed", speed},
                                                                     {"pose", pose},
                                                                     {"reach", reach},
                                                                     {"line", draw_line},
                                                                     {"unpose", unpose},
                                                                     {"keep_pose", keep_pose},
                                                                     {"carry", carry},
                                                                     {"grab", grab},
                                                                     {"drag", drag},
                                                                     {"release", release},
                                                                     {"gravity", gravity},
                                                                     {"tissue", tissue},
                                                                     {"shape", shape},
                                                                     {"add_shape", add_shape},
                                                                     {"edit_shape", edit_shape},
                                                                     {"move_shape", move_shape},
                                                                     {"fit_shape", fit_shape},
                                                                     {"shapes_of_morphs", shapes_of_morphs},
                                                                     {"picture_shape", picture_shape},
                                                                     {"rehearse_shape", rehearse_shape},
                                                                     {"transfer_shapes", transfer_shapes},
                                                                     {"transfer_lattice", transfer_lattice},
                                                                     {"show_surface", show_surface},
                                                                     {"method", choose_method},
                                                                     {"set", set},
                                                                     {"reset", reset},
                                                                     {"paint", paint},
                                                                     {"channel", channel},
                                                                     {"limb", edit_limb},
                                                                     {"limb_places", show_limb},
                                                                     {"undo", undo},
                                                                     {"redo", redo},
                                                                     {"take", edit_take},
                                                                     {"motion", edit_motion},
                                                                     {"motions", list_motions},
                                                                     {"motion_picture", picture_motion},
                                                                     {"steer", steer},
                                                                     {"push_body", push_body},
                                                                     {"path", show_path},
                                                                     {"edit_path", edit_path},
                                                                     {"draw_motion", draw_motion},
                                                                     {"bake", bake},
                                                                     {"cancel", cancel},
                                                                     {"check", check},
                                                                     {"show", show},
                                                                     {"cells", show_cells},
                                                                     {"beside", play_comparison},
                                                                     {"joint", edit_joint},
                                                                     {"rig_mesh", show_rig_mesh},
                                                                     {"try_joints", try_joints},
                                                                     {"weights", show_weights},
                                                                     {"paint_weights", paint_weights},
                                                                     {"rig_report", report_rig},
                                                                     {"save_rig", save_rig},
                                                                     {"let_fall", let_fall},
                                                                     {"fit", fit},
                                                                     {"learn", learn},
                                                                     {"lattice", edit_lattice},
                                                                     {"lattice_cells", show_lattice},
                                                                     {"lattice_skin", show_lattice_skin},
                                                                     {"lattice_check", check_lattice_by_hand},
                                                                     {"ring", place_ring},
                                                                     {"rings", show_rings},
                                                                     {"attach", attach_skin},
                                                                     {"handle", place_handle},
                                                                     {"handles", show_handles},
                                                                     {"muscle", edit_muscle},
                                                                     {"curves", show_curves},
                                                                     {"curve", edit_curve}};

Request request_of(const Json& message) {
  const auto verb = message.find("do");
  if (verb == message.end() || !verb->is_string()) throw usage_error("The message has no verb.");
  const auto& name = verb->get_ref<const std::string&>();
  Keys keys(message, name);
  keys.find("id");
  keys.find("do");
  const auto finished = [&](Request request) {
    keys.finish();
    return request;
  };
  for (const auto& [known, parse] : verbs)
    if (known == name) return finished(parse(keys));
  if (const ActionKind* row = kind_named(name); row && row->load) return finished(act(keys, *row));
  throw usage_error("'" + name.substr(0, longest_name) + "' is not a verb of the studio.");
}

}  // namespace

Command parse_command(std::string_view text) {
  Command command;
  try {
    Size size;
    if (!Json::sax_parse(text, &size)) {
      command.complaint = size.sentence.empty() ? "The message is not JSON." : size.sentence;
      return command;
    }
    const Json message = Json::parse(text);
    if (!message.is_object()) throw usage_error("A message is an object.");
    const auto id = message.find("id");
    if (id == message.end() || !id->is_number_integer() || *id < 0 || *id > most_id)
      throw usage_error("A message needs its id, a whole number.");
    command.id = id->get<std::int64_t>();
    command.request = request_of(message);
  } catch (const Error& error) {
    command.complaint = error.what();
  } catch (const std::exception&) {
    command.complaint = "The message is not valid.";
  }
  return command;
}

}  // namespace sinew::studio
