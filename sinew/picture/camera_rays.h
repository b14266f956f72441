// Rays of a pinhole camera through the points of a picture.
#pragma once

#include <cmath>

#include "sinew/picture/picture.h"

namespace sinew {

// Points are counted from the upper left one, (0, 0). The ray through (x, y) is eye + t (corner + x step_x + y step_y),
// where t is the distance along the camera's axis.
struct CameraRays {
  Vec3 eye, corner, step_x, step_y;

  // For a picture of `width` x `height` points. All positions are relative to `centre`.
  CameraRays(const Camera& camera, const Vec3& centre, int width, int height) {
    const Vec3 back = normalized(camera.eye - camera.target);
    const Vec3 helper = std::abs(back.y) < 0.999 ? Vec3{0, 1, 0} : Vec3{0, 0, -1};
    const Vec3 right = normalized(cross(helper, back)), up = cross(back, right);
    const double half_height = std::tan(camera.vertical_field_of_view / 2);
    const double spacing = 2 * half_height / height;
    eye = camera.eye - centre;
    step_x = right * spacing;
    step_y = up * -spacing;
    corner = -back + right * (-0.5 * spacing * (width - 1)) + up * (0.5 * spacing * (height - 1));
  }
  Vec3 towards(double x, double y) const { return corner + step_x * x + step_y * y; }
};

}  // namespace sinew
