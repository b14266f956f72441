#include "sinew/dynamics/character_links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/flesh_mass.h"
#include "sinew/kinematics/body_poser.h"
#include "sinew/linalg/symmetric_eigen.h"

namespace sinew {
namespace {

constexpr double least_share_of_bone = 1e-3, least_share = 5e-3;  // of the whole mass

// Where a joint is and how it is turned in the bind pose; rest space, metres.
struct BindFrame {
  Quat rotation;
  Vec3 place;
  Vec3 local(const Vec3& point) const { return rotate(conjugate(rotation), point - place); }
};
BindFrame bind_frame(const Bone& bone) {
  const Affine world = inverse(bone.rest_to_joint);
  return {orientation_of(world), world.translation};
}

std::vector<int> body_joints(const BodyBones& bones) {
  BodyBones without_fingers = bones;
  without_fingers.fingers = {};
  return joints_of(without_fingers);
}

// Chooses the joints that are links, and shares the flesh of bones out to them.
class LinkChoice {
 public:
  LinkChoice(const Character& character, const SimulationSurface& surface, const BodyBones& bones,
             std::span<const MassMoments> flesh)
      : skeleton_(character.skeleton), bone_of_(skeleton_.joints.size(), -1), is_link_(skeleton_.joints.size()) {
    for (std::size_t b = surface.bones.size(); b-- > 0;) bone_of_[index(surface.bones[b].joint)] = static_cast<int>(b);
    double whole = 0;
    for (const MassMoments& each : flesh) whole += each.mass;
    const bool known = bones.complete();
    for (const int joint : known ? body_joints(bones) : skeleton_.parents_first)
      if (bone_of_[index(joint)] >= 0) is_link_[index(joint)] = 1;
    if (known)
      for (const auto& [carrier, joint] : carriers(bones)) carrier_[joint] = carrier;
    // Links without flesh of their own become a part of the one above them.
    for (double least = known ? least_share_of_bone : least_share;; least *= 1.5) {
      while (drop_lightest(surface, flesh, least * whole)) {
      }
      if (static_cast<std::size_t>(std::count(is_link_.begin(), is_link_.end(), 1)) <= most_links) break;
    }
    order();
  }

  // Joints that are links, depth first, and the parent of each as a link; the first one has -1.
  const std::vector<int>& joints() const { return joints_; }
  const std::vector<int>& parents() const { return parents_; }

  // The link that a joint is a part of.
  int link_of(int joint) const {
    const int carrying = carrying_joint(joint);
    const auto at = std::find(joints_.begin(), joints_.end(), carrying);
    return at == joints_.end() ? 0 : static_cast<int>(at - joints_.begin());
  }

 private:
  int above(int joint) const {
    const auto carried = carrier_.find(joint);
    return carried != carrier_.end() ? carried->second : skeleton_.joints[index(joint)].parent;
  }
  // The joint itself or the next one above that is a link; -1 without one.
  int carrying_joint(int joint) const {
    std::size_t steps = 0;
    while (joint >= 0 && !is_link_[index(joint)] && steps++ <= is_link_.size()) joint = above(joint);
    return joint;
  }

  // Drops the lightest link below the limit that has a link above it; false if there is none.
  bool drop_lightest(const SimulationSurface& surface, std::span<const MassMoments> flesh, double least) {
    std::vector<double> mass(is_link_.size());
    for (std::size_t b = 0; b < flesh.size(); ++b)
      if (const int joint = carrying_joint(surface.bones[b].joint); joint >= 0) mass[index(joint)] += flesh[b].mass;
    int lightest = -1;
    bool any = false;
    for (std::size_t j = 0; j < is_link_.size(); ++j) {
      if (!is_link_[j]) continue;
      const bool top = carrying_joint(above(static_cast<int>(j))) < 0;
      // A first joint without flesh is no link, unless it is the only one.
      if (mass[j] < least && (!top || mass[j] <= 0) && (lightest < 0 || mass[j] < mass[index(lightest)]))
        lightest = static_cast<int>(j);
      any = any || mass[j] >= least;
    }
    if (lightest < 0 || !any) return false;
    is_link_[index(lightest)] = 0;
    return true;
  }

  // Depth first. Links of other trees than the first hang on the first link.
  void order() {
    std::vector<std::vector<int>> below(is_link_.size());
    std::vector<int> tops;
    for (const int joint : skeleton_.parents_first)
      if (is_link_[index(joint)]) {
        const int carrying = carrying_joint(above(joint));
        (carrying >= 0 ? below[index(carrying)] : tops).push_back(joint);
      }
    std::vector<std::pair<int, int>> open;  // joint, and its parent as a link
    for (std::size_t t = tops.size(); t-- > 0;) open.emplace_back(tops[t], t == 0 ? -1 : 0);
    while (!open.empty()) {
      const auto [joint, parent] = open.back();
      open.pop_back();
      const int link = static_cast<int>(joints_.size());
      joints_.push_back(joint);
      parents_.push_back(parent);
      const std::vector<int>& children = below[index(joint)];
      for (std::size_t c = children.size(); c-- > 0;) open.emplace_back(children[c], link);
    }
  }

  const Skeleton& skeleton_;
  std::vector<int> bone_of_;
  std::vector<char> is_link_;
  std::map<int, int> carrier_;
  std::vector<int> joints_, parents_;
};

// A capsule with the second moments of the flesh: about the longest axis, and as thick as the flesh is at right angles.
Capsule capsule_of(const MassMoments& flesh, const BindFrame& frame) {
  const Mat3 spread = flesh.spread();
  const SymmetricEigen eigen = symmetric_eigen(spread.m, 3);
  const auto deviation = [&](std::size_t k) { return std::sqrt(std::max(0.0, eigen.values[k])); };
  // A cylinder of this radius and half of this length has these deviations.
  const double radius = 2 * std::sqrt(deviation(1) * deviation(2)), half = std::sqrt(3.0) * deviation(0);
  const std::span<const double> axis = eigen.vector(0);
  const Vec3 way = Vec3{axis[0], axis[1], axis[2]} * std::max(0.0, half - 0.6 * radius);
  return {frame.local(flesh.centre() - way), frame.local(flesh.centre() + way), radius};
}

// Directions to the faces and the corners of a cube.
std::vector<Vec3> directions() {
  std::vector<Vec3> all{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) all.push_back(normalized(Vec3{x, y, z}));
  return all;
}
constexpr std::size_t faces = 6;

// Per link, the points of its skin that lie farthest in these directions: those to corners for feet, whose soles have
// to be flat, those to faces for all else.
std::vector<std::vector<Vec3>> extreme_points(const SimulationSurface& surface, std::span<const int> link_of_vertex,
                                              std::span<const char> is_foot, std::span<const BindFrame> frames) {
  const std::vector<Vec3> ways = directions();
  std::vector<std::vector<int>> best(frames.size(), std::vector<int>(ways.size(), -1));
  for (std::size_t v = 0; v < link_of_vertex.size(); ++v) {
    const int link = link_of_vertex[v];
    if (link < 0) continue;
    const bool foot = is_foot[index(link)] != 0;
    for (std::size_t w = foot ? faces : 0; w < (foot ? ways.size() : faces); ++w) {
      int& at = best[index(link)][w];
      if (at < 0 || dot(ways[w], surface.rest.positions[v] - surface.rest.positions[index(at)]) > 0)
        at = static_cast<int>(v);
    }
  }
  std::vector<std::vector<Vec3>> points(frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k) {
    std::sort(best[k].begin(), best[k].end());
    best[k].erase(std::unique(best[k].begin(), best[k].end()), best[k].end());
    for (const int v : best[k])
      if (v >= 0) points[k].push_back(frames[k].local(surface.rest.positions[index(v)]));
  }
  return points;
}

// Per vertex, the link of its largest weight; -1 for vertices of other figures and without triangles.
std::vector<int> links_of_vertices(const SimulationSurface& surface, std::span<const int> link_of_bone) {
  std::vector<int> links(surface.rest.positions.size(), -1);
  for (const Triangle& triangle : surface.rest.triangles)
    for (const int v : triangle) {
      const Influences& influences = surface.influences[index(v)];
      const bool main = surface.figure.empty() || surface.figure[index(v)] == 0;
      if (influences.count > 0 && main) links[index(v)] = link_of_bone[index(influences.joint[0])];
    }
  return links;
}

// `low`: per link, whether its skin reaches the ground in the bind pose. Arms that do are forelegs.
void mark_legs(const BodyBones& bones, std::span<const char> low, CharacterLinks& links) {
  const std::size_t n = links.body.size();
  links.bears.assign(n, 0);
  links.foot.assign(n, 0);
  const auto mark = [&](const LimbBones& limb, bool only_if_low) {
    const auto is = [&](std::size_t k, int joint) { return joint >= 0 && links.body.joint[k] == joint; };
    const auto is_end = [&](std::size_t k) {
      return is(k, limb.end) || is(k, limb.tip) || (limb.end < 0 && is(k, limb.lower));
    };
    bool stands = !only_if_low;
    for (std::size_t k = 0; k < n; ++k) stands = stands || (low[k] && is_end(k));
    for (std::size_t k = 0; k < n && stands; ++k) {
      if (is(k, limb.upper) || is(k, limb.lower) || is(k, limb.end)) links.bears[k] = 1;
      if (is_end(k)) links.foot[k] = 1;
    }
  };
  for (const LimbBones& leg : bones.legs) mark(leg, false);
  for (const LimbBones& arm : bones.arms) mark(arm, true);
  for (const LimbBones& arm : bones.arms)
    for (std::size_t k = 1; k < n; ++k)
      if (arm.upper >= 0 && links.body.joint[k] == arm.upper && !links.bears[k])
        links.upper_arms.push_back(static_cast<int>(k));
}

}  // namespace

std::size_t link_of_joint(const Skeleton& skeleton, const ArticulatedBody& body, int joint) {
  for (int j = joint; j >= 0; j = skeleton.joints[index(j)].parent) {
    const auto at = std::find(body.joint.begin(), body.joint.end(), j);
    if (at != body.joint.end()) return static_cast<std::size_t>(at - body.joint.begin());
  }
  return 0;
}

TreePose pose_of_links(const ArticulatedBody& body, const Pose& pose, double metres_per_unit) {
  TreePose links;
  std::vector<Quat> world;
  for (std::size_t k = 0; k < body.size(); ++k) {
    const Affine& joint = pose.world[index(body.joint[k])];
    world.push_back(orientation_of(joint));
    if (k == 0) {
      links.root = joint.translation * metres_per_unit;
      links.local.push_back(world[0]);
    } else {
      links.local.push_back(normalized(conjugate(world[index(body.tree.parent[k])]) * world[k]));
    }
  }
  return links;
}

CharacterLinks character_links(const Character& character, const SimulationSurface& surface, const BodyBones& bones,
                               const Pose& first, double density) {
  if (!surface.weighted)
    throw input_error(character.file +
                      " has a skin without weights, so that no bone carries flesh; give it a rig with `sinew rig`.");
  const std::vector<MassMoments> flesh = flesh_of_bones(surface, density);
  const LinkChoice choice(character, surface, bones, flesh);
  const std::size_t n = choice.joints().size();
  CharacterLinks links;
  ArticulatedBody& body = links.body;
  std::vector<BindFrame> frames(n);
  std::vector<MassMoments> carried(n);
  std::vector<int> link_of_bone;
  for (std::size_t b = 0; b < surface.bones.size(); ++b) {
    const int joint = surface.bones[b].joint, link = choice.link_of(joint);
    link_of_bone.push_back(link);
    carried[index(link)] += flesh[b];
    if (choice.joints()[index(link)] == joint) frames[index(link)] = bind_frame(surface.bones[b]);
  }
  double whole = 0;
  for (const MassMoments& each : carried) whole += each.mass;
  // A link is at least as heavy and as round as a ball of a hundredth of a percent of the whole.
  const double least = 1e-4 * whole, thin = 0.02 * std::cbrt(whole / density);
  const double unit = character.metres_per_unit;
  for (std::size_t k = 0; k < n; ++k) {
    const int joint = choice.joints()[k], parent = choice.parents()[k];
    body.joint.push_back(joint);
    body.name.push_back(character.skeleton.joints[index(joint)].name);
    body.tree.parent.push_back(parent);
    Vec3 offset;
    if (parent >= 0) {
      const Affine& above = first.world[index(choice.joints()[index(parent)])];
      offset =
          rotate(conjugate(orientation_of(above)), first.world[index(joint)].translation - above.translation) * unit;
    }
    body.tree.offset.push_back(offset);
    const double mass = std::max(carried[k].mass, least);
    body.tree.mass.push_back(mass);
    body.tree.mass_centre.push_back(carried[k].mass > 0 ? frames[k].local(carried[k].centre()) : Vec3{});
    const Mat3 turn = to_matrix(conjugate(frames[k].rotation));
    body.inertia.push_back(turn * carried[k].inertia() * transpose(turn) + Mat3::identity() * (mass * thin * thin));
    body.capsule.push_back(carried[k].mass > 0 ? capsule_of(carried[k], frames[k]) : Capsule{});
  }
  Vec3 centre;
  for (const MassMoments& each : carried) centre += each.first * (1 / whole);
  const std::vector<int> link_of_vertex = links_of_vertices(surface, link_of_bone);
  std::vector<double> lowest(n, HUGE_VAL);  // per link, height of its lowest skin in the bind pose
  for (std::size_t v = 0; v < link_of_vertex.size(); ++v)
    if (const int link = link_of_vertex[v]; link >= 0)
      lowest[index(link)] = std::min(lowest[index(link)], surface.rest.positions[v].y);
  const double ground = *std::min_element(lowest.begin(), lowest.end());
  links.height = std::max(centre.y - ground, 1e-3);
  std::vector<char> low;
  for (const double each : lowest) low.push_back(each - ground < 0.1 * links.height ? 1 : 0);
  mark_legs(bones, low, links);
  body.skin_points = extreme_points(surface, link_of_vertex, links.foot, frames);
  check_articulated_body(body);
  return links;
}

}  // namespace sinew
