#include "sinew/picture/bar.h"

#include <algorithm>
#include <cmath>

#include "sinew/picture/light.h"

namespace sinew {

void fill_column(Image& image, int x, int y, int height, const Vec3& linear_color) {
  if (x < 0 || x >= image.width) return;
  const Vec3 color = 255 * srgb_encoded(linear_color);
  for (int row = std::max(y, 0); row < std::min(y + height, image.height); ++row)
    for (std::size_t c = 0; c < 3; ++c) image.pixel(x, row)[c] = static_cast<std::uint8_t>(std::lround(color[c]));
}

}  // namespace sinew
