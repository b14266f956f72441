// The vector kernel of skin(), dispatched at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/rig/linear_blend.h"

namespace sinew::skinning {

// Consecutive vertices. Inputs may be read up to one number past the last vertex; outputs are written exactly up to it.
struct VertexRange {
  const float* position;
  const float* normal;               // null without normals
  const float* weight;               // 4 per vertex
  const std::uint16_t* bone_offset;  // 4 per vertex
  std::size_t count;
  float* result_position;
  float* result_normal;  // null without normals
};

// Squared length below which a blended normal has no direction and becomes zero.
inline constexpr float vanishing_squared = 1e-30f;

void skin_range(const VertexRange& range, const FloatBone* bone);

}  // namespace sinew::skinning
