// The fields of a skin's parts in a pose, and their union as one vertex sees it.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "sinew/rig/implicit/implicit_skin.h"

namespace sinew {

// Axis-aligned, metres.
struct FieldBox {
  Vec3 least, most;
  bool holds(const Vec3& x) const {
    return x.x >= least.x && x.y >= least.y && x.z >= least.z && x.x <= most.x && x.y <= most.y && x.z <= most.z;
  }
  FieldBox grown(double by) const { return {least - by * Vec3{1, 1, 1}, most + by * Vec3{1, 1, 1}}; }
  FieldBox around(const FieldBox& other) const { return {min(least, other.least), max(most, other.most)}; }
  bool meets(const FieldBox& other) const {
    return least.x <= other.most.x && least.y <= other.most.y && least.z <= other.most.z && most.x >= other.least.x &&
           most.y >= other.least.y && most.z >= other.least.z;
  }
};

// Falls smoothly from 1 at `from` to 0 at `to`, which is larger.
inline double falling_step(double t, double from, double to) {
  const double s = std::clamp((to - t) / (to - from), 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

// Rises smoothly from 0 at 0; from `width` on it is `t` itself.
inline double softened(double t, double width) { return t > 0 ? t * (1 - falling_step(t, 0, width)) : 0; }

// Places on the way from a vertex to its spine at which fields are compared.
inline constexpr int ray_samples = 8;

// The distance from a place to the nearest of these points on a part's skin, less what the part's field says, metres.
double beyond_skin(std::span<const Vec3> skin, const Vec3& x, double field);

class PosedFields {
 public:
  // `skin` must outlive this object. Parts whose bone's map cannot be inverted have no field in this pose.
  PosedFields(const ImplicitSkin& skin, std::span<const Affine> bones);

  // One part's field at a place in the world: metres, world. False: it does not reach there.
  bool part(int part, const Vec3& x, FieldValue& result) const;
  // A part's field without its gradient: metres.
  bool distance(int part, const Vec3& x, double& result) const;
  // Whether a part's field at a place is that of its own skin nearby, from 1 to 0. `size`: radius of the part whose
  // skin asks, metres.
  double has_skin(int part, const Vec3& x, double field, double size) const;
  // Fields of a vertex's own parts at a place, which decide about their union.
  struct Own {
    std::array<int, max_influences> part{};
    std::array<double, max_influences> value{};  // metres
    std::size_t count = 0;                       // 0: none reaches there
    double least = 0;                            // metres
  };
  Own own_fields(std::size_t vertex, const Vec3& x) const;
  // The least value that the union may have: it bulges by no more than a quarter of its width. Metres.
  double lower_bound(const Own& own) const;
  // The union of a vertex's own parts, with a bulge where they meet at about a right angle. Its gradient changes
  // smoothly from that of one part to that of another, so that it vanishes in a crease. False: none reaches there.
  bool own(std::size_t vertex, const Vec3& x, FieldValue& result) const;
  bool own(const Own& fields, const Vec3& x, FieldValue& result) const;

  // Excess of the depth in another part over that in a vertex's own, each from that of the vertex at rest; positive in
  // the other's realm. Metres; about the vertex's radius where one of the fields does not reach.
  double excess(std::size_t vertex, int other, const Vec3& x) const;
  // The excess, but no more than the depth in the other part from that of the vertex at rest: positive only inside of
  // it.
  double intrusion(std::size_t vertex, int other, const Vec3& x) const;
  // Field of another part at a vertex at rest, where it is inside of it; else 0. Metres, in the size of this pose.
  double overlap(std::size_t vertex, int other) const;
  // Mean distance of a part's skin from its bone in this pose, metres.
  double radius(int part) const { return scale(part) * skin_.parts[static_cast<std::size_t>(part)].radius; }

  // A part's inside is within this box: world, metres.
  const FieldBox& inside(int part) const { return placed_[static_cast<std::size_t>(part)].inside; }
  bool has(int part) const { return placed_[static_cast<std::size_t>(part)].there; }
  // Size of a part in this pose over that at rest.
  double scale(int part) const { return placed_[static_cast<std::size_t>(part)].scale; }

 private:
  struct Placed {
    bool there = false;
    double scale = 1;
    Affine to_rest;  // world to rest space
    FieldBox inside;
  };
  const ImplicitSkin& skin_;
  std::vector<Placed> placed_;
};

}  // namespace sinew
