// Linear light and the sRGB bytes that stand for it in files.
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
