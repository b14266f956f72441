#include "sinew/rigging/joint_templates.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/rigging/joint_placing.h"

namespace sinew {
namespace {

// A joint of a template. `across`: share of the half width, 0 in the middle, where it is only an offset to the left
// side; `up` and `along`: shares of the box's height and length.
struct TemplateJoint {
  const char *name, *parent;
  double across, up, along;
};

// The bodies of bipeds are narrower than their arms reach: `across` is a share of their height. Arms lead to the
// outermost point, legs to where the feet stand.
constexpr TemplateJoint biped_joints[] = {{"hips", "", 0, 0.53, 0.5},
                                          {"spine", "hips", 0, 0.61, 0.5},
                                          {"chest", "spine", 0, 0.7, 0.5},
                                          {"neck", "chest", 0, 0.83, 0.5},
                                          {"head", "neck", 0, 0.89, 0.5},
                                          {"clavicle.L", "chest", 0.03, 0.79, 0.5},
                                          {"upper_arm.L", "clavicle.L", 0, 0, 0.5},
                                          {"forearm.L", "upper_arm.L", 0, 0, 0.5},
                                          {"hand.L", "forearm.L", 0, 0, 0.5},
                                          {"thigh.L", "hips", 0.055, 0.49, 0.5},
                                          {"shin.L", "thigh.L", 0.06, 0.28, 0.5},
                                          {"foot.L", "shin.L", 0.06, 0.05, 0.35},
                                          {"toes.L", "foot.L", 0.06, 0.02, 0.6}};
constexpr TemplateJoint quadruped_joints[] = {{"hips", "", 0, 0.7, 0.22},
                                              {"spine", "hips", 0, 0.7, 0.42},
                                              {"chest", "spine", 0, 0.68, 0.62},
                                              {"neck", "chest", 0, 0.76, 0.74},
                                              {"head", "neck", 0, 0.86, 0.85},
                                              {"tail 1", "hips", 0, 0.7, 0.13},
                                              {"tail 2", "tail 1", 0, 0.62, 0.05},
                                              {"shoulder.L", "chest", 0.5, 0.58, 0.66},
                                              {"foreleg.L", "shoulder.L", 0.5, 0.36, 0.64},
                                              {"forepaw.L", "foreleg.L", 0.5, 0.08, 0.66},
                                              {"forefoot.L", "forepaw.L", 0.5, 0.03, 0.7},
                                              {"thigh.L", "hips", 0.5, 0.56, 0.22},
                                              {"shin.L", "thigh.L", 0.5, 0.36, 0.24},
                                              {"hindpaw.L", "shin.L", 0.5, 0.14, 0.18},
                                              {"hindfoot.L", "hindpaw.L", 0.5, 0.03, 0.22}};
constexpr TemplateJoint fish_joints[] = {{"body", "", 0, 0.5, 0.62},
                                         {"head", "body", 0, 0.5, 0.78},
                                         {"jaw", "head", 0, 0.42, 0.9},
                                         {"spine 1", "body", 0, 0.5, 0.5},
                                         {"spine 2", "spine 1", 0, 0.5, 0.4},
                                         {"spine 3", "spine 2", 0, 0.5, 0.31},
                                         {"spine 4", "spine 3", 0, 0.5, 0.22},
                                         {"tail", "spine 4", 0, 0.5, 0.14},
                                         {"tail upper", "tail", 0, 0.75, 0.05},
                                         {"tail lower", "tail", 0, 0.25, 0.05},
                                         {"dorsal", "spine 1", 0, 0.72, 0.5},
                                         {"dorsal tip", "dorsal", 0, 0.9, 0.45},
                                         {"anal", "spine 2", 0, 0.28, 0.4},
                                         {"fin.L", "body", 0.4, 0.4, 0.62},
                                         {"fin tip.L", "fin.L", 0.8, 0.35, 0.54}};
constexpr TemplateJoint bird_joints[] = {{"body", "", 0, 0.5, 0.45},
                                         {"chest", "body", 0, 0.55, 0.58},
                                         {"neck 1", "chest", 0, 0.68, 0.68},
                                         {"neck 2", "neck 1", 0, 0.78, 0.72},
                                         {"head", "neck 2", 0, 0.88, 0.78},
                                         {"beak", "head", 0, 0.87, 0.92},
                                         {"tail", "body", 0, 0.48, 0.2},
                                         {"wing.L", "chest", 0.15, 0.58, 0.55},
                                         {"elbow.L", "wing.L", 0.4, 0.58, 0.48},
                                         {"wrist.L", "elbow.L", 0.65, 0.58, 0.52},
                                         {"wing tip.L", "wrist.L", 0.92, 0.58, 0.42},
                                         {"thigh.L", "body", 0.1, 0.38, 0.45},
                                         {"shin.L", "thigh.L", 0.1, 0.25, 0.48},
                                         {"foot.L", "shin.L", 0.1, 0.06, 0.42},
                                         {"toes.L", "foot.L", 0.1, 0.02, 0.52}};

constexpr std::array template_names{"biped", "quadruped", "fish", "bird"};

std::span<const TemplateJoint> rows_of(const std::string& name) {
  if (name == template_names[0]) return biped_joints;
  if (name == template_names[1]) return quadruped_joints;
  if (name == template_names[2]) return fish_joints;
  if (name == template_names[3]) return bird_joints;
  throw usage_error("'" + name + "' is none of the templates biped, quadruped, fish and bird.");
}

// A box in the template's axes: across the plane to the left, up, along the line of sight.
struct TemplateFrame {
  MirrorPlane plane;
  Box box;

  double half_width() const {
    const double low = plane.axis == MirrorAxis::z ? box.lower.z : box.lower.x;
    const double high = plane.axis == MirrorAxis::z ? box.upper.z : box.upper.x;
    return std::max(high - plane.at, plane.at - low);
  }
  double height() const { return box.upper.y - box.lower.y; }
  Vec3 left() const { return plane.axis == MirrorAxis::z ? Vec3{0, 0, -1} : Vec3{1, 0, 0}; }
  Vec3 ahead() const { return plane.axis == MirrorAxis::z ? Vec3{1, 0, 0} : Vec3{0, 0, 1}; }

  // `across` in metres from the plane; `up` and `along` as shares.
  Vec3 at(double across, double up, double along) const {
    const double length = dot(box.upper - box.lower, ahead());
    Vec3 place = across * left() + (dot(box.lower, ahead()) + along * length) * ahead();
    (plane.axis == MirrorAxis::z ? place.z : place.x) += plane.at;
    place.y = box.lower.y + up * height();
    return place;
  }
};

// Measures of the limbs of a body.
struct Limbs {
  Vec3 tip;         // the outermost point of the left side: a hand
  double sole = 0;  // how far from the plane the left foot stands, metres
};

Limbs find_limbs(const TriangleMesh& mesh, const TemplateFrame& frame) {
  constexpr double low = 0.04;  // of the height: feet
  Limbs limbs;
  double farthest = 0;
  std::size_t count = 0;
  for (const Vec3& p : mesh.positions) {
    const double across = dot(p, frame.left()) - dot(frame.at(0, 0, 0), frame.left());
    if (across > farthest) {
      farthest = across;
      limbs.tip = p;
    }
    if (!(across > 0) || p.y > frame.box.lower.y + low * frame.height()) continue;
    limbs.sole += across;
    ++count;
  }
  if (count > 0) limbs.sole /= static_cast<double>(count);
  return limbs;
}

Vec3 place_of_joint(const std::string& name, const TemplateJoint& joint, const TemplateFrame& frame,
                    const Limbs& limbs) {
  const std::string_view own = joint.name;
  const bool two_legged = name == template_names[0];
  const bool on_leg = joint.across > 0 && joint.up < (two_legged ? 0.5 : 0.6) && name != template_names[2];
  if (two_legged && (own == "upper_arm.L" || own == "forearm.L" || own == "hand.L")) {
    const Vec3 shoulder = frame.at(0.11 * frame.height(), 0.79, 0.5);
    const double share = own == "upper_arm.L" ? 0.1 : own == "forearm.L" ? 0.45 : 0.8;
    return shoulder + share * (limbs.tip - shoulder);
  }
  if (on_leg && limbs.sole > 0 && name != template_names[3])
    return frame.at((two_legged ? std::lerp(1.0, 0.75, 2 * joint.up) : 1.0) * limbs.sole, joint.up, joint.along);
  return frame.at(joint.across * (two_legged ? frame.height() : frame.half_width()), joint.up, joint.along);
}

// The middle of the flesh on a line through the place, where some is nearer than a tenth of the box.
Vec3 into_flesh(const TriangleMesh& mesh, const TemplateFrame& frame, const Vec3& place, const Vec3& along) {
  const Vec3 size = frame.box.upper - frame.box.lower;
  const double longest = std::max({size.x, size.y, size.z}), near = 0.1 * longest;
  const Vec3 begin = place - 2 * longest * along;
  const std::optional<Vec3> middle = dragged_to(mesh, place, {begin, along}, along, true);
  return middle && distance(*middle, place) < near ? *middle : place;
}

}  // namespace

std::span<const char* const> joint_templates() { return template_names; }

std::vector<PlacedJoint> template_joints(const std::string& name, const TriangleMesh& mesh, const MirrorPlane& plane) {
  const std::span<const TemplateJoint> rows = rows_of(name);
  TemplateFrame frame{plane, {}};
  for (const Triangle& triangle : mesh.triangles)
    for (const int v : triangle) frame.box.include(mesh.positions[static_cast<std::size_t>(v)]);
  if (mesh.triangles.empty() || !(frame.height() > 0))
    throw usage_error("A template needs a mesh with some height to lie in.");
  const Limbs limbs = find_limbs(mesh, frame);
  std::vector<PlacedJoint> joints;
  for (const TemplateJoint& row : rows) {
    const bool beside = std::string_view(row.name).ends_with(".L");
    const Vec3 place = place_of_joint(name, row, frame, limbs);
    // Trunks are centred up and down, limbs along the line of sight.
    const Vec3 along = beside || name == template_names[0] ? frame.ahead() : Vec3{0, 1, 0};
    joints.push_back({row.name, row.parent, into_flesh(mesh, frame, place, along)});
  }
  if (plane.axis == MirrorAxis::none) return joints;
  MirrorPlane exact = plane;
  exact.tolerance = 0;  // joints of a side have partners, however near to the plane they are
  return mirrored_joints(std::move(joints), exact, "the template");
}

}  // namespace sinew
