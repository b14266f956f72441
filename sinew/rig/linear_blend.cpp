#include "sinew/rig/linear_blend.h"

#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 512;

void check_influence(std::size_t i, const Influences& v, std::size_t bones) {
  if (v.count < 0 || v.count > max_influences)
    throw input_error("vertex " + std::to_string(i) + " has " + std::to_string(v.count) + " influences; at most " +
                      std::to_string(max_influences) + " are possible");
  for (int k = 0; k < v.count; ++k) {
    const int joint = v.joint[static_cast<std::size_t>(k)];
    if (joint < 0 || static_cast<std::size_t>(joint) >= bones)
      throw input_error("vertex " + std::to_string(i) + " follows bone " + std::to_string(joint) +
                        ", but there are only " + std::to_string(bones));
    if (!std::isfinite(v.weight[static_cast<std::size_t>(k)]))
      throw input_error("vertex " + std::to_string(i) + " has a skin weight that is not a number");
  }
}

}  // namespace

Affine blended_bone(const Influences& influences, std::span<const Affine> bone) {
  if (influences.count == 0) return {};
  Affine sum{Mat3::zero(), {}};
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
    const Affine& map = bone[static_cast<std::size_t>(influences.joint[k])];
    sum.linear += map.linear * influences.weight[k];
    sum.translation += map.translation * influences.weight[k];
  }
  return sum;
}

void linear_blend(std::span<const Vec3> rest, std::span<const Influences> influences, std::span<const Affine> bone,
                  std::span<Vec3> result) {
  if (influences.size() != rest.size() || result.size() != rest.size())
    throw usage_error("linear blend skinning of " + std::to_string(rest.size()) +
                      " points needs as many influences and results");
  parallel_for(rest.size(), grain, [&](std::size_t i) {
    // The mean of the transformed points equals the point transformed by the mean, without forming a matrix.
    const Influences& on = influences[i];
    check_influence(i, on, bone.size());
    Vec3 sum = on.count == 0 ? rest[i] : Vec3{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(on.count); ++k)
      sum += on.weight[k] * (bone[static_cast<std::size_t>(on.joint[k])] * rest[i]);
    result[i] = sum;
  });
}

}  // namespace sinew
