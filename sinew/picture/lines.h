// Lines over pictures: skeletons, axes.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/picture/picture.h"

namespace sinew {

// Where a world point is in a picture of `width` x `height` pixels, from its upper left corner.
struct PicturePoint {
  double x = 0, y = 0;
  bool in_front = true;  // of the eye; else x and y mean nothing
};
PicturePoint projected(const Camera& camera, const Vec3& point, int width, int height);

// A line of `thickness` pixels with round ends and soft edges; what falls outside the picture is cut off, and points
// that are not in front of the eye draw nothing.
void draw_line(Image& image, const PicturePoint& from, const PicturePoint& to, const std::array<std::uint8_t, 3>& color,
               double thickness = 2);

}  // namespace sinew
