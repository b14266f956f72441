#include "sinew/rig/packed_influences.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/dual_quaternion_kernel.h"
#include "sinew/rig/packed_kernel.h"

namespace sinew {
namespace {

constexpr std::size_t packed_grain = 128;  // groups

// Edges of the graph of pairs, breadth first from the lowest bone of each part.
std::vector<std::array<int, 2>> spanning_tree(const std::vector<std::array<int, 2>>& pairs, std::size_t bones) {
  std::vector<std::vector<int>> beside(bones);
  for (const auto& [a, b] : pairs) {
    beside[index(a)].push_back(b);
    beside[index(b)].push_back(a);
  }
  std::vector<std::array<int, 2>> tree;
  std::vector<char> seen(bones, 0);
  for (std::size_t root = 0; root < bones; ++root) {
    if (seen[root]) continue;
    seen[root] = 1;
    std::vector<int> reached{static_cast<int>(root)};
    for (std::size_t k = 0; k < reached.size(); ++k)
      for (const int next : beside[index(reached[k])]) {
        if (seen[index(next)]) continue;
        seen[index(next)] = 1;
        tree.push_back({reached[k], next});
        reached.push_back(next);
      }
  }
  return tree;
}

void check_counts(std::size_t rest, const PackedInfluences& packed, std::size_t results) {
  if (packed.points != rest || results != rest)
    throw usage_error("skinning needs influences and a place for the result for each of " + std::to_string(rest) +
                      " points.");
}

// A bone's numbers meet points of its groups that do not follow it, with a weight of 0.
void check_finite(const PackedInfluences& packed, std::span<const Affine> bone) {
  for (const int b : packed.moving) {
    const Vec3& moved = bone[index(b)].translation;
    const auto& turned = bone[index(b)].linear.m;
    const auto is_finite = [](double number) { return std::isfinite(number); };
    if (!is_finite(moved.x) || !is_finite(moved.y) || !is_finite(moved.z) ||
        !std::all_of(std::begin(turned), std::end(turned), is_finite))
      throw input_error("the map of bone " + std::to_string(b) + " is not a number");
  }
}

std::span<Vec3> of_groups(std::size_t begin, std::size_t end, std::span<Vec3> points) {
  const std::size_t first = PackedInfluences::group * begin;
  return points.subspan(first, std::min(PackedInfluences::group * end, points.size()) - first);
}

double along(const std::array<double, 8>& a, const std::array<double, 8>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Gives motions that are blended with each other signs that agree, as far as the bones of a pose have such signs.
// Returns whether each pair agrees; empty: all do.
std::vector<char> agree_in_signs(const PackedInfluences& packed, MotionPalette& palette) {
  for (const auto& [from, to] : packed.tree)
    if (along(palette.motion[index(from)], palette.motion[index(to)]) < 0)
      for (double& number : palette.motion[index(to)]) number = -number;
  std::vector<char> agrees;
  for (std::size_t p = 0; p < packed.pairs.size(); ++p) {
    if (!(along(palette.motion[index(packed.pairs[p][0])], palette.motion[index(packed.pairs[p][1])]) < 0)) continue;
    agrees.resize(packed.pairs.size(), 1);
    agrees[p] = 0;
  }
  return agrees;
}

// Groups whose points are moved one by one: their motions' signs do not agree, or a bone stretches them.
std::vector<char> groups_apart(const PackedInfluences& packed, const BoneMotions& motions,
                               const std::vector<char>& agrees) {
  const bool stretches =
      std::any_of(motions.stretches.begin(), motions.stretches.end(), [](char stretched) { return stretched != 0; });
  if (agrees.empty() && !stretches) return {};
  std::vector<char> apart(packed.groups(), 0);
  for (std::size_t g = 0; g < apart.size(); ++g) {
    for (int k = packed.start[g]; stretches && k < packed.start[g + 1]; ++k)
      if (const int b = packed.bone[index(k)]; b >= 0 && motions.stretches[index(b)]) apart[g] = 1;
    for (int k = packed.pair_start[g]; !agrees.empty() && k < packed.pair_start[g + 1]; ++k)
      if (!agrees[index(packed.pair[index(k)])]) apart[g] = 1;
  }
  return apart;
}

}  // namespace

PackedInfluences packed_influences(std::span<const Influences> influences) {
  PackedInfluences packed;
  packed.points = influences.size();
  std::map<std::array<int, 2>, int> number;
  for (std::size_t begin = 0; begin < influences.size(); begin += PackedInfluences::group) {
    const std::size_t count = std::min(PackedInfluences::group, influences.size() - begin);
    std::map<int, std::array<double, PackedInfluences::group>> of_bone;
    std::vector<int> pairs;
    for (std::size_t i = 0; i < PackedInfluences::group; ++i) {
      const Influences on = i < count ? influences[begin + i] : Influences{};
      if (on.count < 0 || on.count > max_influences)
        throw input_error("vertex " + std::to_string(begin + i) + " has " + std::to_string(on.count) +
                          " influences; at most " + std::to_string(max_influences) + " are possible.");
      if (on.count == 0) of_bone[-1][i] = 1;
      for (std::size_t k = 0; k < index(on.count); ++k) {
        if (on.joint[k] < 0)
          throw input_error("vertex " + std::to_string(begin + i) + " follows bone " + std::to_string(on.joint[k]) +
                            ", which does not exist.");
        if (!std::isfinite(on.weight[k]))
          throw input_error("vertex " + std::to_string(begin + i) + " has a skin weight that is not a number");
        of_bone[on.joint[k]][i] += on.weight[k];
        packed.bones = std::max(packed.bones, index(on.joint[k]) + 1);
        if (on.joint[k] == on.joint[0]) continue;
        const auto [found, added] = number.try_emplace({on.joint[0], on.joint[k]}, static_cast<int>(number.size()));
        if (added) packed.pairs.push_back(found->first);
        if (std::find(pairs.begin(), pairs.end(), found->second) == pairs.end()) pairs.push_back(found->second);
      }
    }
    for (const auto& [bone, weights] : of_bone) {
      packed.bone.push_back(bone);
      packed.weight.insert(packed.weight.end(), weights.begin(), weights.end());
    }
    packed.pair.insert(packed.pair.end(), pairs.begin(), pairs.end());
    packed.start.push_back(static_cast<int>(packed.bone.size()));
    packed.pair_start.push_back(static_cast<int>(packed.pair.size()));
  }
  packed.moving = packed.bone;
  std::sort(packed.moving.begin(), packed.moving.end());
  packed.moving.erase(std::unique(packed.moving.begin(), packed.moving.end()), packed.moving.end());
  if (!packed.moving.empty() && packed.moving.front() < 0) packed.moving.erase(packed.moving.begin());
  packed.tree = spanning_tree(packed.pairs, packed.bones);
  return packed;
}

void check_bones(const PackedInfluences& packed, std::size_t bones) {
  if (packed.bones > bones)
    throw input_error("a vertex follows bone " + std::to_string(packed.bones - 1) + ", but there are only " +
                      std::to_string(bones) + ".");
}

void linear_blend(std::span<const Vec3> rest, const PackedInfluences& packed, std::span<const Affine> bone,
                  std::span<Vec3> result) {
  check_counts(rest.size(), packed, result.size());
  check_bones(packed, bone.size());
  check_finite(packed, bone);
  parallel_chunks(packed.groups(), packed_grain, [&](std::size_t begin, std::size_t end) {
    blend_maps(packed, begin, end, bone, rest, of_groups(begin, end, result));
  });
}

void dual_quaternion_blend(std::span<const Vec3> rest, std::span<const Influences> influences,
                           const PackedInfluences& packed, std::span<const Affine> bone, std::span<Vec3> result) {
  check_counts(rest.size(), packed, result.size());
  const PackedMotions motions(influences, packed, bone);
  parallel_chunks(packed.groups(), packed_grain, [&](std::size_t begin, std::size_t end) {
    motions.move(begin, end, rest, of_groups(begin, end, result));
  });
}

PackedMotions::PackedMotions(std::span<const Influences> influences, const PackedInfluences& packed,
                             std::span<const Affine> bone)
    : influences_(influences), packed_(packed) {
  check_bones(packed, bone.size());
  motions_ = bone_motions(bone);
  palette_ = motion_palette(motions_, false);
  apart_ = groups_apart(packed, motions_, agree_in_signs(packed, palette_));
}

void PackedMotions::move(std::size_t begin, std::size_t end, std::span<const Vec3> rest, std::span<Vec3> result) const {
  constexpr std::size_t group = PackedInfluences::group;
  blend_motions(packed_, begin, end, apart_, palette_, rest, result);
  for (std::size_t g = begin; g < end && !apart_.empty(); ++g) {
    if (!apart_[g]) continue;
    const std::size_t first = group * g, count = std::min(group, rest.size() - first);
    move_points(motions_, palette_, rest.subspan(first, count), influences_.subspan(first, count),
                result.subspan(group * (g - begin), count));
  }
}

}  // namespace sinew
