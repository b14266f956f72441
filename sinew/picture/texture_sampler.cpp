#include "sinew/picture/texture_sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/picture/srgb.h"

namespace sinew {
namespace {

// An index within [0, size), however far outside it is.
int wrapped(int index, int size, TextureWrap wrap) {
  if (index >= 0 && index < size) return index;
  if (wrap == TextureWrap::clamp) return std::clamp(index, 0, size - 1);
  const int period = wrap == TextureWrap::mirror ? 2 * size : size;
  const int within = ((index % period) + period) % period;
  return within < size ? within : 2 * size - 1 - within;
}

}  // namespace

TextureSampler::TextureSampler(const MaterialTexture& texture)
    : wrap_u_(texture.wrap_u), wrap_v_(texture.wrap_v), nearest_(texture.nearest) {
  const Texture& picture = *texture.picture;
  Level full{picture.width, picture.height, {}};
  full.pixels.resize(picture.pixels());
  std::memcpy(full.pixels.data(), picture.rgba.data(), picture.rgba.size());
  levels_.push_back(std::move(full));
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& fine = levels_.back();
    Level coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), {}};
    coarse.pixels.reserve(static_cast<std::size_t>(coarse.width) * static_cast<std::size_t>(coarse.height));
    const auto at = [&](int x, int y) {
      return fine.pixels[static_cast<std::size_t>(std::min(y, fine.height - 1)) * static_cast<std::size_t>(fine.width) +
                         static_cast<std::size_t>(std::min(x, fine.width - 1))];
    };
    for (int y = 0; y < coarse.height; ++y)
      for (int x = 0; x < coarse.width; ++x) {
        const std::array<std::uint8_t, 4> four[4] = {at(2 * x, 2 * y), at(2 * x + 1, 2 * y), at(2 * x, 2 * y + 1),
                                                     at(2 * x + 1, 2 * y + 1)};
        // Transparent pixels do not contribute to the colour; if all are transparent, they count equally.
        float sum[3] = {0, 0, 0}, opacity = 0, weight = 0;
        for (const auto& pixel : four) {
          const float share = static_cast<float>(pixel[3]) + 1e-3f;
          for (std::size_t c = 0; c < 3; ++c) sum[c] += share * linear_from_srgb(pixel[c]);
          opacity += static_cast<float>(pixel[3]);
          weight += share;
        }
        coarse.pixels.push_back({srgb_byte(sum[0] / weight), srgb_byte(sum[1] / weight), srgb_byte(sum[2] / weight),
                                 static_cast<std::uint8_t>(std::lround(opacity / 4))});
      }
    levels_.push_back(std::move(coarse));
  }
}

int TextureSampler::level(double texture_area, double picture_area) const {
  const double pixels = texture_area * levels_[0].width * levels_[0].height;
  if (!(pixels > picture_area)) return 0;
  const double level = picture_area > 0 ? 0.5 * std::log2(pixels / picture_area) : static_cast<double>(levels_.size());
  return static_cast<int>(std::min(level + 0.25, static_cast<double>(levels_.size()) - 1));
}

TextureColor TextureSampler::pixel(const Level& level, int column, int row) const {
  const auto& stored = level.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(level.width) +
                                    static_cast<std::size_t>(column)];
  return {{static_cast<double>(linear_from_srgb(stored[0])), static_cast<double>(linear_from_srgb(stored[1])),
           static_cast<double>(linear_from_srgb(stored[2]))},
          stored[3] / 255.0};
}

TextureColor TextureSampler::at(double u, double v, int level_number) const {
  const Level& level = levels_[static_cast<std::size_t>(level_number)];
  if (nearest_ && level_number == 0)
    return pixel(level, wrapped(static_cast<int>(std::floor(u * level.width)), level.width, wrap_u_),
                 wrapped(static_cast<int>(std::floor(v * level.height)), level.height, wrap_v_));
  const double x = u * level.width - 0.5, y = v * level.height - 0.5;
  const double left = std::floor(x), top = std::floor(y);
  const int column = static_cast<int>(left), row = static_cast<int>(top);
  const int columns[2] = {wrapped(column, level.width, wrap_u_), wrapped(column + 1, level.width, wrap_u_)};
  const int rows[2] = {wrapped(row, level.height, wrap_v_), wrapped(row + 1, level.height, wrap_v_)};
  TextureColor result{{}, 0};
  for (int dy = 0; dy < 2; ++dy)
    for (int dx = 0; dx < 2; ++dx) {
      const double weight = (dx ? x - left : 1 - (x - left)) * (dy ? y - top : 1 - (y - top));
      const TextureColor corner = pixel(level, columns[dx], rows[dy]);
      result.color += weight * corner.color;
      result.opacity += weight * corner.opacity;
    }
  return result;
}

}  // namespace sinew
