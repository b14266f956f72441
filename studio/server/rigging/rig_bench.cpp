#include "studio/server/rigging/rig_bench.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/rigging/joint_placing.h"
#include "sinew/rigging/joint_templates.h"
#include "sinew/session/pose_changes.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_steps = 2000;  // that can be undone
constexpr double centre_share = 0.025;    // of the longest side: joints this near to the mirror plane go to it

TriangleMesh shown_mesh(const Character& character) {
  TriangleMesh mesh{shown_positions(character, sample(character.skeleton, nullptr, 0)), {}};
  int first = 0;
  for (const Part& part : character.parts) {
    if (!is_surface(part)) continue;
    for (const Triangle& t : part.surface.triangles)
      mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    first += static_cast<int>(part.surface.positions.size());
  }
  return mesh;
}

MirrorAxis axis_of(const RigBench& bench, const command::EditJoint& edit) {
  return edit.axis.empty() ? bench.now.mirror : mirror_axis_from(edit.axis);
}
MirrorPlane plane_of(const RigBench& bench, MirrorAxis axis) { return mirror_plane(bench.opened->character, axis); }

// Joints of the trunk go to the mirror plane when they are placed near it.
Vec3 snapped_to_plane(const RigBench& bench, const std::string& name, const Vec3& place) {
  if (other_side(name)) return place;
  return centred(place, plane_of(bench, bench.now.mirror), centre_share * longest_side(*bench.shown));
}

Vec3 place_for(const RigBench& bench, const command::EditJoint& edit) {
  if (edit.position) return *edit.position;
  if (!edit.line) throw usage_error("joint: give a line of sight or a position.");
  const std::optional<Vec3> middle = middle_along(*bench.shown, *edit.line);
  if (!middle) throw usage_error("The line misses the body; click on it.");
  return snapped_to_plane(bench, edit.name, *middle);
}

Vec3 place_to_drag_to(const RigBench& bench, const command::EditJoint& edit) {
  if (edit.position) return *edit.position;
  if (!edit.line || !edit.normal)
    throw usage_error("joint: give a line of sight and the plane's normal, or a position.");
  const Vec3& from = joint_named(bench.now.joints, edit.name).position;
  const std::optional<Vec3> place = dragged_to(*bench.shown, from, *edit.line, *edit.normal, edit.snap);
  return place && edit.snap ? snapped_to_plane(bench, edit.name, *place) : place.value_or(from);
}

RigJoints added(const RigBench& bench, const command::EditJoint& edit, std::string& name) {
  const RigJoints& joints = bench.now.joints;
  name = free_joint_name(joints, edit.name);
  PlacedJoint joint{name, edit.parent, place_for(bench, edit)};
  if (!edit.above.empty()) return with_joint_above(joints, edit.above, joint);
  if (joint.parent.empty() && !joints.empty()) joint.parent = joints.front().name;
  return with_joint(joints, joint);
}

RigJoints edited(RigBench& bench, const command::EditJoint& edit, std::string& name) {
  const RigJoints& joints = bench.now.joints;
  const MirrorPlane both = plane_of(bench, edit.both ? bench.now.mirror : MirrorAxis::none);
  if (edit.action == "add") return added(bench, edit, name);
  if (edit.action == "move") return with_moved_joint(joints, edit.name, place_to_drag_to(bench, edit), both);
  if (edit.action == "bone") return with_bone(joints, edit.parent, edit.name);
  if (edit.action == "delete") return without_joint(joints, edit.name);
  if (edit.action == "rename") return with_renamed_joint(joints, edit.name, edit.to);
  if (edit.action == "clear") return {};
  if (edit.action == "template") return template_joints(edit.to, *bench.shown, plane_of(bench, axis_of(bench, edit)));
  if (edit.action == "mirror") {
    if (joints.empty()) throw usage_error("There are no joints to mirror yet.");
    return mirrored_joints(joints, plane_of(bench, axis_of(bench, edit)), "The rig");
  }
  throw usage_error("joint: action is add, move, bone, delete, rename, mirror, template or clear.");
}

void go(RigEdits& now, std::vector<RigEdits>& from, std::vector<RigEdits>& to, const char* nothing) {
  if (from.empty()) throw usage_error(nothing);
  to.push_back(std::exchange(now, from.back()));
  from.pop_back();
}

void read_kept_joints(RigBench& bench) {
  const std::filesystem::path file = joints_path(bench.path);
  std::error_code status;
  if (!std::filesystem::exists(file, status)) return;
  try {
    const JointsFile kept = read_joints(file);
    if (kept.joints.size() > most_placed_joints) throw input_error(file.string() + ": has too many joints.");
    bench.now.joints = mirrored_joints(kept.joints, plane_of(bench, kept.mirror), file.string());
    const auto vertices = static_cast<int>(bench.shown->positions.size());
    if (!kept.painted.empty() && kept.painted.rbegin()->first >= vertices)
      throw input_error(file.string() + ": has weights of vertices that the mesh does not have.");
    if (!kept.painted.empty()) bench.now.painted = std::make_shared<const PaintedWeights>(kept.painted);
    if (kept.mirror != MirrorAxis::none) bench.now.mirror = kept.mirror;
  } catch (const Error& error) {
    bench.now = {};
    bench.joints_file_is_ours = false;
    bench.notes.push_back(std::string(error.what()) + " Until then joints are not kept.");
  }
}

std::shared_ptr<const PaintedWeights> renamed(const PaintedWeights& painted, const std::string& name,
                                              const std::string& to) {
  auto result = std::make_shared<PaintedWeights>(painted);
  for (auto& [vertex, weights] : *result)
    for (auto& [joint, weight] : weights)
      if (joint == name) joint = to;
  return result;
}

// Edits of one kind and stroke of a page are one step.
void commit(RigBench& bench, RigEdits next, const std::string& what, int stroke, std::uint64_t page) {
  const std::string kind = stroke == 0 ? "" : what + " " + std::to_string(page) + " " + std::to_string(stroke);
  if (kind.empty() || kind != bench.last_edit) {
    bench.before.push_back(bench.now);
    if (bench.before.size() > most_steps) bench.before.erase(bench.before.begin());
  }
  bench.after.clear();
  bench.last_edit = kind;
  bench.now = std::move(next);
}

std::vector<char> locked_joints(const RiggedDraft& rigged, const std::vector<std::string>& names) {
  std::vector<char> locked(rigged.joints.size(), 0);
  for (const std::string& name : names)
    locked[static_cast<std::size_t>(&joint_named(rigged.joints, name) - rigged.joints.data())] = 1;
  return locked;
}

std::shared_ptr<const PaintedWeights> painted(const RigBench& bench, const command::PaintWeights& paint) {
  const RiggedDraft& rigged = found_weights(bench);
  const std::vector<Influences> before = surface_influences(rigged.character);
  std::vector<Influences> after = before;
  const std::vector<char> locked = locked_joints(rigged, paint.locked);
  for (const auto& [vertex, amount] : paint.values)
    if (static_cast<std::size_t>(vertex) >= after.size())
      throw usage_error("The mesh has no vertex " + std::to_string(vertex) + ".");
  if (paint.action == "add") {
    const PlacedJoint& joint = joint_named(rigged.joints, paint.name);
    add_weights(after, paint.values, static_cast<int>(&joint - rigged.joints.data()), locked);
  } else if (paint.action == "smooth") {
    smooth_weights_by_hand(after, paint.values, *bench.shown, locked);
  } else if (paint.action == "mirror") {
    mirror_weights(after, *bench.shown, plane_of(bench, bench.now.mirror), centre_share * longest_side(*bench.shown),
                   rigged.joints);
  } else {
    throw usage_error("paint_weights: action is add, smooth, mirror or clear.");
  }
  return std::make_shared<const PaintedWeights>(
      painted_over(bench.now.painted ? *bench.now.painted : PaintedWeights{}, before, after, rigged.joints));
}

PageJson numbers(const Vec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

std::filesystem::path joints_path(const std::filesystem::path& mesh) {
  std::filesystem::path path = mesh;
  return path.replace_extension(".joints.json");
}

std::vector<Vec3> shown_positions(const Character& character, const Pose& pose) {
  std::vector<Vec3> positions;
  for (const Part& part : character.parts)
    if (is_surface(part))
      for (const Vec3& p : posed_positions(character, part, pose)) positions.push_back(character.metres_per_unit * p);
  return positions;
}

RigBench rig_bench(std::shared_ptr<const OpenedCharacter> opened, const std::filesystem::path& path,
                   std::uint32_t number) {
  RigBench bench;
  bench.number = number;
  bench.path = path;
  bench.shown = std::make_shared<const TriangleMesh>(shown_mesh(opened->character));
  if (bench.shown->triangles.empty())
    throw input_error(path.string() + ": shows no triangles; there is nothing to rig.");
  bench.opened = std::move(opened);
  if (!bench.opened->size.sentence.empty()) bench.notes.push_back(bench.opened->size.sentence);
  read_kept_joints(bench);
  return bench;
}

std::string edit(RigBench& bench, const command::EditJoint& edit, std::uint64_t page) {
  std::string name;
  RigEdits next{edited(bench, edit, name), axis_of(bench, edit), bench.now.painted};
  if (edit.action == "rename" && next.painted) next.painted = renamed(*next.painted, edit.name, edit.to);
  if (edit.action == "clear" || edit.action == "template") next.painted = nullptr;
  commit(bench, std::move(next), edit.action + " " + edit.name, edit.stroke, page);
  return name;
}

void paint(RigBench& bench, const command::PaintWeights& paint, std::uint64_t page) {
  RigEdits next = bench.now;
  next.painted = paint.action == "clear" ? nullptr : painted(bench, paint);
  commit(bench, std::move(next), "weights " + paint.action + " " + paint.name, paint.stroke, page);
}

void apply_paint(RigBench& bench) {
  if (!bench.rigged || bench.rigged->joints != bench.now.joints || bench.rigged->painted == bench.now.painted) return;
  const std::shared_ptr<const RiggedDraft> automatic = bench.rigged->automatic ? bench.rigged->automatic : bench.rigged;
  if (!bench.now.painted) {
    bench.rigged = automatic;
    return;
  }
  auto draft = std::make_shared<RiggedDraft>(*automatic);
  draft->automatic = automatic;
  draft->painted = bench.now.painted;
  apply_painted_weights(draft->character, *draft->painted, draft->joints, joints_path(bench.path).string());
  bench.rigged = std::move(draft);
}

JointsFile joints_file(const RigEdits& edits) {
  return {MirrorAxis::none, edits.joints, edits.painted ? *edits.painted : PaintedWeights{}};
}

void undo(RigBench& bench) {
  go(bench.now, bench.before, bench.after, "There is nothing more to undo.");
  bench.last_edit.clear();
}
void redo(RigBench& bench) {
  go(bench.now, bench.after, bench.before, "There is nothing to do again.");
  bench.last_edit.clear();
}

const RiggedDraft& found_weights(const RigBench& bench) {
  if (bench.now.joints.empty()) throw usage_error("There are no joints yet; click on the body to place some.");
  if (!bench.problem.empty()) throw usage_error(bench.problem);
  if (!bench.weights_are_found()) throw usage_error("The weights are being found; try again in a moment.");
  return *bench.rigged;
}

Pose tried_pose(const RiggedDraft& rigged, const std::map<std::string, Quat>& joints) {
  const Skeleton& skeleton = rigged.character.skeleton;
  std::vector<LocalRotation> turned;
  for (const auto& [name, rotation] : joints) {
    const PlacedJoint& joint = joint_named(rigged.joints, name);
    turned.push_back({rigged.first_joint + static_cast<int>(&joint - rigged.joints.data()), rotation});
  }
  SamplingSpace sampling;
  Pose pose;
  sample(skeleton, nullptr, 0, sampling, pose);
  turn_joints(rigged.character, sampling, turned, {}, pose);
  return pose;
}

std::vector<float> joint_weights(const RiggedDraft& rigged, const std::string& name) {
  const int joint = name.empty() ? -1 : static_cast<int>(&joint_named(rigged.joints, name) - rigged.joints.data());
  std::vector<float> values;
  for (const Part& part : rigged.character.parts) {
    if (!is_surface(part)) continue;
    for (const Influences& vertex : part.influences) {
      // Skins of rig_mesh() list the joints in their order.
      const auto begin = vertex.joint.begin(), end = begin + vertex.count;
      const auto found = std::find(begin, end, joint);
      if (joint < 0)
        values.push_back(static_cast<float>(vertex.count > 0 ? vertex.joint[0] : 0));
      else
        values.push_back(found == end ? 0.0F
                                      : static_cast<float>(vertex.weight[static_cast<std::size_t>(found - begin)]));
    }
  }
  return values;
}

PageJson rigging_state(const RigBench& bench) {
  PageJson json{{"number", bench.number},
                {"name", bench.path.filename().string()},
                {"size", longest_side(*bench.shown)},
                {"vertices", bench.shown->positions.size()},
                {"triangles", bench.shown->triangles.size()}};
  json["joints"] = PageJson::array();
  for (const PlacedJoint& joint : bench.now.joints)
    json["joints"].push_back({{"name", joint.name}, {"parent", joint.parent}, {"position", numbers(joint.position)}});
  json["mirror"] = bench.now.mirror == MirrorAxis::z ? "z" : bench.now.mirror == MirrorAxis::x ? "x" : "none";
  json["weights"] = bench.now.joints.empty()    ? "none"
                    : !bench.problem.empty()    ? "failed"
                    : bench.weights_are_found() ? "found"
                                                : "finding";
  json["problem"] = bench.problem;
  json["notes"] = bench.notes;
  if (bench.weights_are_found())
    for (const std::string& note : bench.rigged->notes) json["notes"].push_back(note);
  json["templates"] = PageJson::array();
  for (const char* name : joint_templates()) json["templates"].push_back(name);
  json["painted"] = bench.now.painted ? bench.now.painted->size() : 0;
  json["undo"] = bench.before.size();
  json["redo"] = bench.after.size();
  return json;
}

}  // namespace sinew::studio
