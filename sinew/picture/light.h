// How a picture's pixels are lit: a key light of some width, and an ambient light that cavities and
// contacts shut out. Every other pixel casts one ray for each, in a pattern that repeats every eight
// pixels; smoothing over neighbours on the same surface then gives each the 32 of its neighbourhood.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/picture/ray_scene.h"

namespace sinew {

// The share of each light that reaches a point, 0 to 1.
struct LightShare {
  double key = 1, ambient = 1;
};

enum class PointKind : unsigned char { nothing, ground, object };

// What the camera sees in one direction. Positions are relative to the scene's centre, metres.
struct SeenPoint {
  PointKind kind = PointKind::nothing;
  Vec3 position;
  Vec3 normal, face_normal;  // unit, towards the eye's side
  Vec3 color, emission;      // linear RGB, of objects
};

// One point of each pixel, in single precision: its passes are bound by memory.
class LightBuffer {
 public:
  struct Point {
    float position[3], normal[3];
    PointKind kind;
  };
  struct Light {
    float key, ambient;
    float weight;  // of the samples summed in key and ambient; zero where there is none
  };

  LightBuffer(int width, int height)
      : width_(width),
        height_(height),
        points_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
        light_(points_.size()) {}
  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  void set(std::size_t index, const SeenPoint& point);
  void set_light(std::size_t index, const LightShare& share);
  const Point& point(std::size_t index) const { return points_[index]; }
  std::vector<Light>& light() { return light_; }
  const std::vector<Light>& light() const { return light_; }

 private:
  int width_, height_;
  std::vector<Point> points_;
  std::vector<Light> light_;
};

// Whether the point at (x, y) casts light rays of its own: the black fields of a chessboard.
inline bool casts_light_rays(int x, int y) { return ((x ^ y) & 1) == 0; }

// Casts the light rays of single points.
class Occlusion {
 public:
  // `size`: diagonal of the scene's bounding box, metres.
  Occlusion(const RayScene& rays, double size) : rays_(rays), size_(size) {}
  LightShare sample(const SeenPoint& point, int x, int y) const;

 private:
  const RayScene& rays_;
  double size_;
};

// The part of the ground that something can keep light from: an axis-aligned rectangle of x and z.
struct GroundShade {
  double left = 0, right = -1, back = 0, front = -1;
  bool holds(const Vec3& point) const {
    return point.x >= left && point.x <= right && point.z >= back && point.z <= front;
  }
};

// Of what is in the box from `low` to `high`.
GroundShade ground_shade(const Vec3& low, const Vec3& high, double ground, double size);

// Averages the light over neighbours of the same kind, direction and plane.
void smooth_light(LightBuffer& buffer, double size);

// Light on a point that is seen in pixel (x, y): that of the pixel, or of the neighbours where the pixel's own light is
// of another surface; full where there is none.
LightShare light_at(const LightBuffer& buffer, int x, int y, const SeenPoint& point, double size);

// The colour of a point seen along the unit vector `direction`, linear RGB. `behind` is the backdrop
// there, which the ground takes on.
Vec3 shade(const SeenPoint& point, const LightShare& light, const Vec3& direction, const Vec3& behind);

// The colour behind everything, linear RGB; `height` runs from 0 at the picture's upper edge to 1
// at its lower.
Vec3 backdrop(double height);

}  // namespace sinew
