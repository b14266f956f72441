#include "sinew/rig/bone_scale.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr double collapsed = 0.01, half = 0.5;  // of the size at rest
constexpr std::size_t bone_scale_grain = 256;

double scale_of(const Affine& map) { return std::cbrt(std::abs(determinant(map.linear))); }

}  // namespace

bool are_all_collapsed(std::span<const Affine> bones) {
  return std::all_of(bones.begin(), bones.end(), [](const Affine& bone) { return scale_of(bone) < collapsed; });
}

void shrink_with_bones(std::span<const Influences> influences, std::span<const Affine> bones,
                       std::span<Vec3> displacements) {
  if (std::none_of(bones.begin(), bones.end(), [](const Affine& bone) { return scale_of(bone) < half; })) return;
  parallel_for(displacements.size(), bone_scale_grain, [&](std::size_t v) {
    displacements[v] *= std::min(1.0, scale_of(blended_bone(influences[v], bones)) / half);
  });
}

}  // namespace sinew
