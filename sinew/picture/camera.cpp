#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/picture/picture.h"

namespace sinew {

// In camera axes (x right, y up, z back) a point is in the picture where |x - ex| <= tx (ez - z) and
// |y - ey| <= ty (ez - z). Each of the four planes moves with the eye alone, so the farthest point
// along each plane's normal decides, and the closest eye follows in closed form.
Camera fit_camera(const std::vector<const PictureScene*>& scenes, double aspect, const ViewDirection& direction,
                  double margin) {
  Camera camera;
  const double cos_elevation = std::cos(direction.elevation);
  const Vec3 back{std::sin(direction.azimuth) * cos_elevation, std::sin(direction.elevation),
                  std::cos(direction.azimuth) * cos_elevation};
  const Vec3 right = normalized(cross({0, 1, 0}, back)), up = cross(back, right);
  const double tan_y = std::tan(camera.vertical_field_of_view / 2) * (1 - 2 * margin);
  const double tan_x = tan_y * aspect;

  constexpr double least = std::numeric_limits<double>::lowest();
  double right_most = least, left_most = least, top_most = least, bottom_most = least, nearest = least;
  for (const PictureScene* scene : scenes)
    for (const PictureMesh& mesh : scene->meshes)
      for (const Vec3& p : mesh.surface.positions) {
        if (!is_finite(p)) continue;
        const double x = dot(p, right), y = dot(p, up), z = dot(p, back);
        right_most = std::max(right_most, x + tan_x * z);
        left_most = std::max(left_most, -x + tan_x * z);
        top_most = std::max(top_most, y + tan_y * z);
        bottom_most = std::max(bottom_most, -y + tan_y * z);
        nearest = std::max(nearest, z);
      }
  if (nearest == least) return camera;

  const double eye_x = (right_most - left_most) / 2, eye_y = (top_most - bottom_most) / 2;
  const double eye_z = std::max((right_most + left_most) / (2 * tan_x), (top_most + bottom_most) / (2 * tan_y));
  // Where all points coincide any distance will do.
  const double distance = std::max(eye_z - nearest, 1e-3);
  camera.eye = right * eye_x + up * eye_y + back * (nearest + distance);
  camera.target = camera.eye - back * distance;
  return camera;
}

}  // namespace sinew
