// Influences as vector kernels read them: points in groups of eight, each with the bones of its points, so that a
// register holds one number of eight points. Neighbours in a mesh share most of their bones.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/dual_quaternion_kernel.h"

namespace sinew {

struct PackedInfluences {
  static constexpr std::size_t group = 8;  // points

  std::size_t points = 0;
  std::size_t bones = 0;       // that must exist at least
  std::vector<int> moving;     // bones that move some point, ascending
  std::vector<int> start{0};   // groups + 1, into `bone`
  std::vector<int> bone;       // of groups; -1: none moves some of the points, which stay at rest
  std::vector<double> weight;  // eight per entry of `bone`: of the group's points
  // The strongest bone of a point and another one of it, each pair once; and those of each group.
  std::vector<std::array<int, 2>> pairs;
  std::vector<int> pair_start{0}, pair;
  // Edges that connect all bones of which one can get to the other by pairs, each after one that leads to its first.
  std::vector<std::array<int, 2>> tree;

  std::size_t groups() const { return start.size() - 1; }
};

// Throws input_error where a point has more influences than are possible, one of no bone, or a weight that is no
// number.
PackedInfluences packed_influences(std::span<const Influences> influences);

// Throws input_error where influences name a bone that does not exist.
void check_bones(const PackedInfluences& packed, std::size_t bones);

// These give the results of linear_blend() and dual_quaternion_blend() for the influences that were packed, but for
// rounding. They throw input_error where influences name a bone that does not exist, or the map of a bone that moves a
// point is not finite.
void linear_blend(std::span<const Vec3> rest, const PackedInfluences& packed, std::span<const Affine> bone,
                  std::span<Vec3> result);
void dual_quaternion_blend(std::span<const Vec3> rest, std::span<const Influences> influences,
                           const PackedInfluences& packed, std::span<const Affine> bone, std::span<Vec3> result);

// Dual quaternions of a pose, made ready to be blended. What is passed must outlive it.
class PackedMotions {
 public:
  // Throws input_error where influences name a bone that does not exist, or a bone's map is not finite.
  PackedMotions(std::span<const Influences> influences, const PackedInfluences& packed, std::span<const Affine> bone);
  // Moves groups [begin, end). `rest`: all points; `result`: the groups' own, which may be their part of `rest`.
  void move(std::size_t begin, std::size_t end, std::span<const Vec3> rest, std::span<Vec3> result) const;

 private:
  std::span<const Influences> influences_;
  const PackedInfluences& packed_;
  BoneMotions motions_;
  MotionPalette palette_;
  std::vector<char> apart_;  // groups whose points are moved one by one; empty: none
};

}  // namespace sinew
