// Lines drawn over pictures: skeletons, axes.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/picture/picture.h"

namespace sinew {

// Position of a world point in a picture of `width` x `height` pixels, from its upper left corner.
struct PicturePoint {
  double x = 0, y = 0;
  bool in_front = true;  // in front of the eye; otherwise x and y are undefined
};
PicturePoint projected(const Camera& camera, const Vec3& point, int width, int height);

// Draws a line of `thickness` pixels with round ends and smooth edges, clipped to the picture. Nothing is drawn if an
// end is not in front of the eye.
void draw_line(Image& image, const PicturePoint& from, const PicturePoint& to, const std::array<std::uint8_t, 3>& color,
               double thickness = 2);

}  // namespace sinew
