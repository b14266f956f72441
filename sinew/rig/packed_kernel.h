// Points in groups, blended in vector registers.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/rig/dual_quaternion_kernel.h"
#include "sinew/rig/packed_influences.h"

namespace sinew {

// Groups [begin, end), linearly. `rest`: all points; `result`: the groups' own, which may be their part of `rest`.
void blend_maps(const PackedInfluences& packed, std::size_t begin, std::size_t end, std::span<const Affine> bone,
                std::span<const Vec3> rest, std::span<Vec3> result);

// Likewise by sums of motions, whose signs agree. `apart`: per group, whether it is left out; empty: none.
void blend_motions(const PackedInfluences& packed, std::size_t begin, std::size_t end, std::span<const char> apart,
                   const MotionPalette& palette, std::span<const Vec3> rest, std::span<Vec3> result);

}  // namespace sinew
