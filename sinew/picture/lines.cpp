#include "sinew/picture/lines.h"

#include <algorithm>
#include <cmath>

namespace sinew {

PicturePoint projected(const Camera& camera, const Vec3& point, int width, int height) {
  const Vec3 back = normalized(camera.eye - camera.target);
  const Vec3 right = normalized(cross({0, 1, 0}, back)), up = cross(back, right);
  const Vec3 from_eye = point - camera.eye;
  const double depth = -dot(from_eye, back);
  if (!(depth > 0)) return {0, 0, false};
  const double pixels = height / (2 * std::tan(camera.vertical_field_of_view / 2) * depth);
  return {width / 2.0 + pixels * dot(from_eye, right), height / 2.0 - pixels * dot(from_eye, up), true};
}

void draw_line(Image& image, const PicturePoint& from, const PicturePoint& to, const std::array<std::uint8_t, 3>& color,
               double thickness) {
  if (!from.in_front || !to.in_front) return;
  const double reach = thickness / 2 + 1;
  const auto first = [&](double a, double b) {
    return std::max(0, static_cast<int>(std::floor(std::min(a, b) - reach)));
  };
  const auto last = [&](double a, double b, int size) {
    return std::min(size - 1, static_cast<int>(std::ceil(std::min(std::max(a, b) + reach, 1e6))));
  };
  if (std::min(from.x, to.x) - reach > image.width || std::min(from.y, to.y) - reach > image.height) return;
  const double dx = to.x - from.x, dy = to.y - from.y, squared = dx * dx + dy * dy;
  for (int y = first(from.y, to.y); y <= last(from.y, to.y, image.height); ++y)
    for (int x = first(from.x, to.x); x <= last(from.x, to.x, image.width); ++x) {
      const double px = x + 0.5 - from.x, py = y + 0.5 - from.y;
      const double t = squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0, 1.0) : 0;
      const double cover = std::clamp(thickness / 2 + 0.5 - std::hypot(px - t * dx, py - t * dy), 0.0, 1.0);
      std::uint8_t* pixel = image.pixel(x, y);
      for (std::size_t c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(std::lround(pixel[c] * (1 - cover) + color[c] * cover));
    }
}

}  // namespace sinew
