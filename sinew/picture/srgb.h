// Conversion between linear light and the sRGB bytes of files.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/linalg/small.h"

namespace sinew {

float linear_from_srgb(std::uint8_t encoded);

// The nearest byte; values outside [0, 1] are clamped.
std::uint8_t srgb_byte(float linear);
std::array<std::uint8_t, 3> srgb_bytes(const Vec3& linear);

}  // namespace sinew
