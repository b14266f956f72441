// Samples a surface's texture, filtered for the size at which it is seen.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/files/texture.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct TextureColor {
  Vec3 color;  // linear RGB
  double opacity = 1;
};

class TextureSampler {
 public:
  explicit TextureSampler(const MaterialTexture& texture);

  // The mipmap level whose texels are about as large as a pixel of the picture. `texture_area`: area of a piece of
  // surface in texture coordinates; `picture_area`: its area in pixels of the picture.
  int level(double texture_area, double picture_area) const;

  TextureColor at(double u, double v, int level) const;

 private:
  struct Level {
    int width = 0, height = 0;
    std::vector<std::array<std::uint8_t, 4>> pixels;  // sRGB and opacity
  };
  TextureColor pixel(const Level& level, int column, int row) const;

  std::vector<Level> levels_;  // each half as wide and high as the one before
  TextureWrap wrap_u_, wrap_v_;
  bool nearest_;
};

}  // namespace sinew
