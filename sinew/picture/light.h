// How a picture's points are lit: a key light of some width, and an ambient light that cavities and
// contacts shut out. Every other point casts one ray for each, in a pattern that repeats every eight
// points; smoothing over neighbours on the same surface then gives each the 32 of its neighbourhood.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/picture/ray_scene.h"
#include "sinew/linalg/small.h"

namespace sinew {

// The share of each light that reaches a point, 0 to 1.
struct LightShare {
  double key = 1, ambient = 1;
};

enum class PointKind : unsigned char { nothing, ground, object };

// What one camera ray sees. Positions are relative to the scene's centre, metres.
struct SeenPoint {
  PointKind kind = PointKind::nothing;
  Vec3 position;
  Vec3 normal, face_normal;  // unit, towards the eye's side
  Vec3 color;                // linear RGB, of objects
};

// The points of a whole picture, in single precision: its passes are bound by memory.
class LightBuffer {
 public:
  struct Point {
    float position[3], normal[3], color[3];
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

// Averages the light over neighbours of the same kind, direction and plane.
void smooth_light(LightBuffer& buffer, double size);

// The colour of a point seen along the unit vector `direction`, linear RGB. `behind` is the backdrop
// there, which the ground takes on.
Vec3 shade(const LightBuffer& buffer, std::size_t index, const Vec3& direction, const Vec3& behind);

// The colour behind everything, linear RGB; `height` runs from 0 at the picture's upper edge to 1
// at its lower.
Vec3 backdrop(double height);

// Linear RGB to sRGB, both 0 to 1; values outside are clamped.
Vec3 srgb_encoded(const Vec3& linear);

}  // namespace sinew
