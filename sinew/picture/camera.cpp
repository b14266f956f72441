#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/picture/picture.h"

namespace sinew {

// In camera axes (x right, y up, z back) a point is in the picture if |x - ex| <= tx (ez - z) and |y - ey| <= ty (ez -
// z). Each of the four planes moves with the eye, so that the farthest point along each plane's normal decides, and the
// closest eye has a closed form.
CameraFit::CameraFit(double aspect, const ViewDirection& direction, double margin) {
  const double cos_elevation = std::cos(direction.elevation);
  back_ = {std::sin(direction.azimuth) * cos_elevation, std::sin(direction.elevation),
           std::cos(direction.azimuth) * cos_elevation};
  right_ = normalized(cross({0, 1, 0}, back_));
  up_ = cross(back_, right_);
  tan_y_ = std::tan(Camera{}.vertical_field_of_view / 2) * (1 - 2 * margin);
  tan_x_ = tan_y_ * aspect;
  right_most_ = left_most_ = top_most_ = bottom_most_ = nearest_ = std::numeric_limits<double>::lowest();
}

void CameraFit::include(const Vec3& point) {
  if (!is_finite(point)) return;
  const double x = dot(point, right_), y = dot(point, up_), z = dot(point, back_);
  right_most_ = std::max(right_most_, x + tan_x_ * z);
  left_most_ = std::max(left_most_, -x + tan_x_ * z);
  top_most_ = std::max(top_most_, y + tan_y_ * z);
  bottom_most_ = std::max(bottom_most_, -y + tan_y_ * z);
  nearest_ = std::max(nearest_, z);
}

void CameraFit::include(const CameraFit& other, const Vec3& offset) {
  const double x = dot(offset, right_), y = dot(offset, up_), z = dot(offset, back_);
  right_most_ = std::max(right_most_, other.right_most_ + x + tan_x_ * z);
  left_most_ = std::max(left_most_, other.left_most_ - x + tan_x_ * z);
  top_most_ = std::max(top_most_, other.top_most_ + y + tan_y_ * z);
  bottom_most_ = std::max(bottom_most_, other.bottom_most_ - y + tan_y_ * z);
  nearest_ = std::max(nearest_, other.nearest_ + z);
}

double CameraFit::distance_for_width() const { return (right_most_ + left_most_) / (2 * tan_x_) - nearest_; }
double CameraFit::distance_for_height() const { return (top_most_ + bottom_most_) / (2 * tan_y_) - nearest_; }

double CameraFit::excess_width() const {
  const double width = distance_for_width(), height = distance_for_height();
  return width > 0 && height > 0 ? width / height : 1;
}

Camera CameraFit::camera() const {
  Camera camera;
  if (nearest_ == std::numeric_limits<double>::lowest()) return camera;
  // If all points coincide, any distance is valid.
  const double distance = std::max({distance_for_width(), distance_for_height(), 1e-3});
  camera.eye = right_ * ((right_most_ - left_most_) / 2) + up_ * ((top_most_ - bottom_most_) / 2) +
               back_ * (nearest_ + distance);
  camera.target = camera.eye - back_ * distance;
  return camera;
}

Camera fit_camera(const std::vector<const PictureScene*>& scenes, double aspect, const ViewDirection& direction,
                  double margin) {
  CameraFit fit(aspect, direction, margin);
  for (const PictureScene* scene : scenes)
    for (const PictureMesh& mesh : scene->meshes)
      for (const Vec3& point : mesh.surface.positions) fit.include(point);
  return fit.camera();
}

}  // namespace sinew
