// Lighting of a picture's pixels: a key light of some width, and ambient light that cavities and contacts block. Every
// other pixel casts one ray for each, in a pattern that repeats every eight pixels; smoothing over neighbours on the
// same surface then gives each pixel the 32 rays of its neighbourhood.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/picture/ray_scene.h"

namespace sinew {

// Fraction of each light that reaches a point, 0 to 1.
struct LightShare {
  double key = 1, ambient = 1;
};

enum class PointKind : unsigned char { nothing, ground, object };

// The point that the camera sees in one direction. Positions are relative to the scene's centre, metres.
struct SeenPoint {
  PointKind kind = PointKind::nothing;
  Vec3 position;
  Vec3 normal, face_normal;  // unit, on the side of the eye
  Vec3 color, emission;      // linear RGB, of objects
};

// One point per pixel, in single precision since its passes are limited by memory bandwidth.
class LightBuffer {
 public:
  struct Point {
    float position[3], normal[3];
    PointKind kind;
  };
  struct Light {
    float key, ambient;
    float weight;  // of the samples summed in key and ambient; zero without samples
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

// True if the point at (x, y) casts light rays of its own: the black squares of a chessboard.
inline bool casts_light_rays(int x, int y) { return ((x ^ y) & 1) == 0; }

// Casts light rays from single points.
class Occlusion {
 public:
  // `size`: diagonal of the scene's bounding box, metres.
  Occlusion(const RayScene& rays, double size) : rays_(rays), size_(size) {}
  LightShare sample(const SeenPoint& point, int x, int y) const;

 private:
  const RayScene& rays_;
  double size_;
};

// The part of the ground where objects may block light: an axis-aligned rectangle in x and z.
struct GroundShade {
  double left = 0, right = -1, back = 0, front = -1;
  bool holds(const Vec3& point) const {
    return point.x >= left && point.x <= right && point.z >= back && point.z <= front;
  }
};

// The shaded ground for objects in the box from `low` to `high`.
GroundShade ground_shade(const Vec3& low, const Vec3& high, double ground, double size);

// Averages the light over neighbours of the same kind, direction and plane.
void smooth_light(LightBuffer& buffer, double size);

// Light on a point that is seen in pixel (x, y): that of the pixel, or of its neighbours if the pixel's own light
// belongs to another surface; full light where there is none.
LightShare light_at(const LightBuffer& buffer, int x, int y, const SeenPoint& point, double size);

// Colour of a point seen along the unit vector `direction`, linear RGB. `behind` is the backdrop there, which is the
// colour of unshaded ground.
Vec3 shade(const SeenPoint& point, const LightShare& light, const Vec3& direction, const Vec3& behind);

// Colour of the backdrop, linear RGB. `height` runs from 0 at the picture's upper edge to 1 at its lower.
Vec3 backdrop(double height);

}  // namespace sinew
