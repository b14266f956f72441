// Blends of dual quaternions, several points at a time in vector registers.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct BoneMotions;

// Rigid motions of bones, as kernels read them.
struct MotionPalette {
  std::vector<std::array<double, 8>> motion;  // per bone: real and dual part, x, y, z, w
  // Per pair of bones, in the row of the first: 1, or -1 where the second's real part is closer to the first's with the
  // other sign. Empty: signs are found anew for each point, which is faster for few points of many bones.
  std::vector<float> sign;
};

MotionPalette motion_palette(const BoneMotions& motions, bool with_signs);

// Points moved as moved_by() moves each, but for rounding: stretches first, then motions. The palette is that of the
// motions.
void move_points(const BoneMotions& motions, const MotionPalette& palette, std::span<const Vec3> rest,
                 std::span<const Influences> influences, std::span<Vec3> result);

// Points moved by the blended motions of their influences. All three have the same length; `result` may be `rest`.
// Influences name bones of the palette.
void blend_motions(const MotionPalette& palette, std::span<const Vec3> rest, std::span<const Influences> influences,
                   std::span<Vec3> result);

}  // namespace sinew
