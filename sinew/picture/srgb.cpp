#include "sinew/picture/srgb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sinew {
namespace {

double decoded(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

constexpr std::size_t first_guesses = 4096;

struct Tables {
  std::array<float, 256> linear{};
  std::array<float, 257> border{};                      // the least value that rounds to each byte
  std::array<std::uint8_t, first_guesses + 1> guess{};  // a byte that is at most the correct one

  Tables() {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      linear[byte] = static_cast<float>(decoded(static_cast<double>(byte) / 255));
      border[byte] = static_cast<float>(decoded((static_cast<double>(byte) - 0.5) / 255));
    }
    border[0] = 0, border[256] = 2;
    for (std::size_t i = 0, byte = 0; i <= first_guesses; ++i) {
      while (border[byte + 1] <= static_cast<float>(i) / first_guesses) ++byte;
      guess[i] = static_cast<std::uint8_t>(byte);
    }
  }
};

const Tables tables;

}  // namespace

float linear_from_srgb(std::uint8_t encoded) { return tables.linear[encoded]; }

std::uint8_t srgb_byte(float linear) {
  const float value = linear > 0 ? std::min(linear, 1.0f) : 0.0f;
  std::uint8_t byte = tables.guess[static_cast<std::size_t>(value * first_guesses)];
  while (tables.border[byte + std::size_t{1}] <= value) ++byte;
  return byte;
}

std::array<std::uint8_t, 3> srgb_bytes(const Vec3& linear) {
  return {srgb_byte(static_cast<float>(linear.x)), srgb_byte(static_cast<float>(linear.y)),
          srgb_byte(static_cast<float>(linear.z))};
}

}  // namespace sinew
