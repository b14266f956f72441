#include "sinew/cook/mixed/mixed_bones.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

constexpr int bone_samples = 32;        // intervals per segment
constexpr double near_the_skin = 0.02;  // share of the height
constexpr double least_inside = 0.5;    // share of a segment's length
constexpr double share_of_way = 0.8;    // of the distance from a leaf's joint to the skin
constexpr double longest_leaf = 3;      // relative to the parent's length

class Flesh {
 public:
  Flesh(const TriangleMesh& rest, double height)
      : tree_(rest), winding_(tree_), reach_(near_the_skin * height), height_(height) {}

  double height() const { return height_; }
  bool encloses(const Vec3& p) const { return winding_(p) > 0.5; }
  bool holds(const Vec3& p) const { return encloses(p) || tree_.closest_point(p, reach_).triangle >= 0; }

 private:
  BoundingVolumeHierarchy tree_;
  WindingNumber winding_;
  double reach_, height_;
};

Vec3 joint_position(const Bone& bone) { return inverse(bone.rest_to_joint).translation; }

Vec3 along(const BoneSegment& segment, double share) { return segment.head * (1 - share) + segment.tail * share; }

// Distance through the flesh from a point, metres; 0 from a point outside.
double way_out(const Flesh& flesh, const Vec3& from, const Vec3& direction, double longest) {
  const double step = longest / (4 * bone_samples);
  const auto inside = [&](double way) { return flesh.encloses(from + direction * way); };
  if (!inside(0)) return 0;
  double last = 0;
  while (last + step < longest && inside(last + step)) last += step;
  double next = last + step;
  for (int halvings = 0; halvings < 10; ++halvings) {
    const double middle = (last + next) / 2;
    (inside(middle) ? last : next) = middle;
  }
  return last;
}

// The bone of a joint without children.
BoneSegment leaf_segment(const Flesh& flesh, const Vec3& joint, const Vec3& before) {
  const double length = distance(before, joint);
  if (!(length > 0)) return {joint, joint};
  const Vec3 direction = (joint - before) / length;
  const double longest = std::min(longest_leaf * length, flesh.height());
  return {joint, joint + direction * (share_of_way * way_out(flesh, joint, direction, longest))};
}

// Cuts the segment to its part in the flesh, from the first to the last sample inside. False if too little is inside.
bool cut_to_flesh(const Flesh& flesh, BoneSegment& segment) {
  int first = -1, last = -1, inside = 0;
  for (int k = 0; k <= bone_samples; ++k) {
    if (!flesh.holds(along(segment, static_cast<double>(k) / bone_samples))) continue;
    if (first < 0) first = k;
    last = k;
    ++inside;
  }
  if (inside < least_inside * (bone_samples + 1)) return false;
  const BoneSegment whole = segment;
  if (first > 0) segment.head = along(whole, static_cast<double>(first) / bone_samples);
  if (last < bone_samples) segment.tail = along(whole, static_cast<double>(last) / bone_samples);
  return true;
}

// Keeps the segments that lie in the flesh, cut to it. False if there are none.
bool lies_in_flesh(const Flesh& flesh, Bone& bone) {
  std::vector<BoneSegment> inside = bone.segments;
  std::erase_if(inside, [&](BoneSegment& segment) { return !cut_to_flesh(flesh, segment); });
  if (inside.empty()) return false;
  bone.segments = std::move(inside);
  return true;
}

std::vector<char> strongest_somewhere(const SimulationSurface& surface) {
  std::vector<char> strongest(surface.bones.size(), 0);
  for (const Influences& influences : surface.influences)
    if (influences.count > 0) strongest[index(influences.joint[0])] = 1;
  return strongest;
}

std::vector<char> find_in_flesh(const SimulationSurface& surface, const Flesh& flesh, std::vector<Bone>& bones) {
  for (Bone& bone : bones) {
    const bool leaf = bone.segments.size() == 1 && bone.segments[0].head == bone.segments[0].tail;
    if (leaf && bone.parent >= 0)
      bone.segments[0] = leaf_segment(flesh, joint_position(bone), joint_position(surface.bones[index(bone.parent)]));
  }
  std::vector<char> kept(bones.size(), 0);
  for (std::size_t b = 0; b < bones.size(); ++b) kept[b] = lies_in_flesh(flesh, bones[b]);
  if (std::find(kept.begin(), kept.end(), 1) == kept.end()) kept.assign(kept.size(), 1);
  return kept;
}

PosingBones keep(const std::vector<Bone>& bones, const std::vector<char>& kept) {
  PosingBones result{{}, std::vector<int>(bones.size(), -1)};
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (!kept[b]) continue;
    result.of_surface_bone[b] = static_cast<int>(result.bones.size());
    result.bones.push_back(bones[b]);
  }
  const auto nearest_kept = [&](int bone) {
    while (bone >= 0 && !kept[index(bone)]) bone = bones[index(bone)].parent;
    return bone < 0 ? -1 : result.of_surface_bone[index(bone)];
  };
  for (Bone& bone : result.bones) bone.parent = nearest_kept(bone.parent);
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (!kept[b]) result.of_surface_bone[b] = nearest_kept(bones[b].parent);
  return result;
}

}  // namespace

PosingBones bones_that_pose(const SimulationSurface& surface, double height) {
  std::vector<Bone> bones = surface.bones;
  if (!surface.weighted) {
    const std::vector<char> kept = find_in_flesh(surface, Flesh(surface.rest, height), bones);
    return keep(bones, kept);
  }
  std::vector<char> kept = strongest_somewhere(surface);
  for (std::size_t b = 0; b < bones.size(); ++b) kept[b] = kept[b] && !bones[b].helper;
  // A skin that no bone moves.
  if (std::find(kept.begin(), kept.end(), 1) == kept.end()) kept.assign(kept.size(), 1);
  return keep(bones, kept);
}

}  // namespace sinew
