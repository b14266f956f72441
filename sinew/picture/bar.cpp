#include "sinew/picture/bar.h"

#include <algorithm>

#include "sinew/picture/srgb.h"

namespace sinew {

void fill_column(Image& image, int x, int y, int height, const Vec3& linear_color) {
  if (x < 0 || x >= image.width) return;
  const std::array<std::uint8_t, 3> color = srgb_bytes(linear_color);
  for (int row = std::max(y, 0); row < std::min(y + height, image.height); ++row)
    for (std::size_t c = 0; c < 3; ++c) image.pixel(x, row)[c] = color[c];
}

}  // namespace sinew
