// Places in a picture: a plane that faces the viewer, onto which space is projected.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct PicturePlane {
  Vec3 origin;                   // any point of the plane
  Vec3 normal{0, 0, 1};          // unit length, towards the viewer
  std::optional<Vec3> eye = {};  // empty: projected in parallel, along the normal

  // Height over the plane, towards the viewer.
  double height(const Vec3& place) const { return dot(place - origin, normal); }
  Vec3 flattened(const Vec3& vector) const { return vector - normal * dot(vector, normal); }
  // Where the plane is seen to have a place. What is behind the eye, or close to it, counts as close to it.
  Vec3 seen(const Vec3& place) const;

  // The angle about the normal, radians, by which a piece that begins at `from` and goes by `piece` has to be turned
  // about its beginning so that it is seen in a direction, a unit vector of the plane; its height stays. Zero for a
  // piece along the normal, which has no direction in the plane.
  double turn_to(const Vec3& direction, const Vec3& from, const Vec3& piece) const;
};

// A line through points, by its length.
class Polyline {
 public:
  explicit Polyline(std::vector<Vec3> points);

  double length() const { return until_.back(); }
  // Length until a point.
  double until(std::size_t point) const { return until_[point]; }
  Vec3 at(double length) const;

 private:
  std::vector<Vec3> points_;
  std::vector<double> until_;
};

}  // namespace sinew
