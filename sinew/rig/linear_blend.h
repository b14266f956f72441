// Linear blend skinning: each point moves by the weighted mean of its bones' affine maps,
//   p' = (sum_k w_k B_k) p.
#pragma once

#include <span>

#include "sinew/character/character.h"

namespace sinew {

// Weighted mean of the bones' maps; the identity where the vertex has no weight. `bone` has one map per entry of
// Skin::joints, from bind space to the space of the result.
Affine blended_bone(const Influences& influences, std::span<const Affine> bone);

// result[i] = blended_bone(influences[i], bone) * rest[i], to rounding. All three have the same length; `result` may be
// `rest`. Throws input_error where an influence names a bone that does not exist.
void linear_blend(std::span<const Vec3> rest, std::span<const Influences> influences, std::span<const Affine> bone,
                  std::span<Vec3> result);

}  // namespace sinew
