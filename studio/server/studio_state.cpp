#include "studio/server/studio_state.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/defect_rank.h"
#include "sinew/files/settings_json.h"
#include "sinew/rig/weight_controls.h"
#include "sinew/shape/presets.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/cook/surface_channels.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_marks = 200;  // of a take, on a time line
constexpr double one_mark = 0.1;         // seconds between actions of one kind that are one mark

// Capabilities that pages know, and their names there.
constexpr std::pair<const char*, bool Capabilities::*> abilities[] = {
    {"ground", &Capabilities::ground},       {"colliders", &Capabilities::colliders}, {"held", &Capabilities::held},
    {"pokes", &Capabilities::loads},         {"gravity", &Capabilities::gravity},     {"shapes", &Capabilities::shapes},
    {"stiffness", &Capabilities::stiffness}, {"damping", &Capabilities::damping},     {"balls", &Capabilities::balls}};

PageJson three(const Vec3& v) { return {v.x, v.y, v.z}; }

// A member of a load as its command has it: the point of the skin is `at`. Its example is the default.
PageJson load_member(const ActionKind& kind, const Setting& member) {
  if (member.key == std::string_view("point")) return {{"key", "at"}, {"kind", "point"}, {"help", member.help}};
  PageJson defaults = PageJson::object();
  if (*member.example) {
    Action usual;
    set_from_text(member, kind.of(usual), member.example);
    defaults[member.key] = PageJson::parse(table_json(kind.of(usual)))[member.key];
  }
  return describe_setting(member, PageJson::object(), defaults);
}

// Actions of a take for a time line. Those of one kind that follow closely, as sliders and turned joints send them, are
// one mark, and movements of a pointer are none.
PageJson take_marks(const Take& take) {
  PageJson marks = PageJson::array();
  std::map<Action::Kind, double> last;  // seconds
  for (const auto& [elapsed, action] : take) {
    if (action.kind == Action::Kind::drag || action.kind == Action::Kind::carry) continue;
    const auto before = last.find(action.kind);
    const bool goes_on = before != last.end() && elapsed - before->second < one_mark;
    last[action.kind] = elapsed;
    if (!goes_on && marks.size() < most_marks) marks.push_back({elapsed, kind_of(action).word});
  }
  return marks;
}

}  // namespace

PageJson character_state(const LoadedCharacter& loaded, const std::string& project,
                         const std::vector<std::string>& notes) {
  const Character& character = loaded.opened->character;
  const SimulationSurface& surface = *loaded.scene->surface;
  PageJson json{{"number", loaded.number},
                {"name", std::filesystem::path(character.file).filename().string()},
                {"height", loaded.scene->height},
                {"metres_per_unit", character.metres_per_unit},
                {"vertices", surface.rest.positions.size()},
                {"triangles", surface.rest.triangles.size()}};
  json["kind"] = loaded.scene->body_plan;
  json["joints"] = PageJson::array();
  const std::vector<Joint>& joints = character.skeleton.joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool bone = std::any_of(surface.bones.begin(), surface.bones.end(),
                                  [&](const Bone& each) { return each.joint == static_cast<int>(j); });
    json["joints"].push_back({{"name", joints[j].name}, {"parent", joints[j].parent}, {"bone", bone}});
  }
  json["morphs"] = PageJson::array();
  for (const WeightControl& weight : weight_controls(character, surface)) {
    const std::string& name = weight.parameter.control;
    if (std::find(json["morphs"].begin(), json["morphs"].end(), name) == json["morphs"].end())
      json["morphs"].push_back(name);
  }
  json["methods"] = PageJson::array();
  for (const auto& method : live_methods(has_skin_weights(character)))
    json["methods"].push_back({{"name", method->name()},
                               {"what", method->summary()},
                               {"models", method->traits().model_ending},
                               {"curves", method->traits().gives_curves}});
  json["notes"] = notes;
  json["project"] = project;
  return json;
}

PageJson play_state(const PlayState& play) {
  return {{"clip", play.clip}, {"playing", advances(play.mode)},
          {"loop", play.loop}, {"speed", play.speed},
          {"time", play.time}, {"steered", play.mode == PlayMode::steering}};
}

PageJson method_state(const Project& project, const DeformerTraits& traits) {
  PageJson can = PageJson::object();
  for (const auto& [name, ability] : abilities) can[name] = traits.can.*ability;
  return {{"name", project.method},
          {"model", model_in(project)},
          {"can", can},
          {"step", traits.step},
          {"memory", traits.step > 0}};
}

PageJson loads_state(ActionKinds kinds) {
  PageJson loads = PageJson::array();
  for (const ActionKind& kind : kinds) {
    if (!kind.load) continue;
    PageJson row{{"name", kind.word}, {"tools", PageJson::array()}, {"members", PageJson::array()}};
    for (const auto& [name, ability] : abilities)
      if (ability == kind.needs) row["needs"] = name;
    for (const ActionTool& tool : kind.tools)
      row["tools"].push_back({{"name", tool.name}, {"hint", tool.hint}, {"continuous", tool.continuous}});
    for (const Setting& member : kind.members) row["members"].push_back(load_member(kind, member));
    loads.push_back(std::move(row));
  }
  return loads;
}

PageJson pose_state(const HandPose& pose) {
  PageJson json = PageJson::object();
  for (const auto& [joint, q] : pose.joints) json[std::to_string(joint)] = {q.x, q.y, q.z, q.w};
  return json;
}

PageJson acting_state(const Hands& hands) {
  PageJson held = PageJson::array();
  for (const Hand& hand : hands.held)
    held.push_back({{"name", hand.name}, {"at", {{"rest", three(hand.point)}}}, {"target", three(hand.target)}});
  return {{"hands", held},
          {"gravity", hands.gravity ? three(*hands.gravity) : PageJson()},
          {"tissue", {{"stiffness", hands.stiffness.value_or(1)}, {"damping", hands.damping.value_or(1)}}}};
}

PageJson shapes_state(const Scene& scene, const std::vector<Action>& held) {
  if (!scene.shapes) return {};
  const auto held_value = [&](Action::Kind kind, const std::string& name) {
    const auto found = std::find_if(held.begin(), held.end(),
                                    [&](const Action& action) { return action.kind == kind && action.name == name; });
    return found == held.end() ? std::nullopt : found->value;
  };
  PageJson state{{"controls", PageJson::array()}, {"rigs", PageJson::array()}};
  for (const ShapeControls::Control& control : scene.shapes->controls()) {
    const std::optional<double> value = held_value(Action::Kind::control, control.name);
    state["controls"].push_back({{"name", control.name},
                                 {"least", control.least},
                                 {"most", control.most},
                                 {"posed", control.posed},
                                 {"value", value ? PageJson(*value) : PageJson()}});
  }
  for (const std::string& rig : scene.shapes->rigs())
    state["rigs"].push_back({{"name", rig}, {"share", held_value(Action::Kind::rig, rig).value_or(1)}});
  return state;
}

PageJson presets_state() {
  PageJson presets = PageJson::array();
  for (const ShapePreset& preset : shape_presets())
    presets.push_back(
        {{"name", preset.name}, {"help", preset.help}, {"on_skin", preset.pieces.front().guide != GuideKind::bone}});
  return presets;
}

PageJson kept_poses_state(const Project& project) {
  PageJson poses = PageJson::array();
  for (const auto& [name, joints] : project.kept_poses) {
    PageJson turns = PageJson::object();
    for (const auto& [joint, q] : joints) turns[joint] = {q.x, q.y, q.z, q.w};
    poses.push_back({{"name", name}, {"joints", turns}});
  }
  return poses;
}

PageJson takes_state(const Project& project) {
  PageJson json = PageJson::array();
  for (const auto& take : project.takes)
    json.push_back({{"name", take->name},
                    {"clip", take->take.clip},
                    {"begin", take->take.begin},
                    {"seconds", take->take.seconds},
                    {"actions", take->take.actions.size()},
                    {"marks", take_marks(take->take.actions)}});
  return json;
}

PageJson history_state(const History& history) {
  return {{"undo", history.undos()},
          {"redo", history.redos()},
          {"what", history.what()},
          {"redo_what", history.redo_what()}};
}

PageJson check_state(const LoadedCharacter& loaded, const FileCheck& check) {
  PageJson answer{{"size", check.size}, {"methods", check.methods}, {"refusal", check.refusal}};
  answer["decisions"] = PageJson::array();
  for (const Decision& decision : check.decisions)
    answer["decisions"].push_back({{"about", decision.about}, {"what", decision.what}});
  answer["defects"] = PageJson::array();
  for (const Defect& defect : check.defects) {
    PageJson entry{{"name", defect.name},     {"where", defect.where},
                   {"kind", defect.kind},     {"count", defect.elements.size()},
                   {"action", defect.action}, {"rank", name_of(rank_of(defect))}};
    entry["vertices"] = vertices_of(defect, loaded.opened->character, *loaded.scene->surface);
    entry["joints"] = defect.kind == "joint" ? PageJson(defect.elements) : PageJson::array();
    answer["defects"].push_back(std::move(entry));
  }
  return answer;
}

}  // namespace sinew::studio
