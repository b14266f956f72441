// Solids as signed distances: negative inside, in metres, built from ellipsoids and round cones by
// smooth unions, cuts and wrappings applied in order. Distances are approximate away from the
// surface (ellipsoids), which the root finding in project() does not mind.
#pragma once

#include <vector>

#include "sinew/linalg/small.h"

namespace sinew::samples {

struct Box {
  Vec3 low, high;
};

struct Primitive {
  enum class Kind { round_cone, ellipsoid, plate, half_space };
  Kind kind = Kind::ellipsoid;
  Vec3 a, b;  // ends of a round cone; a is the centre of an ellipsoid or plate, a point of the plane
  double radius_a = 0, radius_b = 0;
  Vec3 radii;       // of an ellipsoid or plate, along its own axes
  Mat3 axes;        // columns: an ellipsoid's or plate's own axes in the world
  double dish = 0;  // 1/m: the third coordinate is bent by dish * (first coordinate)^2
  Vec3 normal;      // of a half space, out of the solid
};

// A cone with spheres for ends (a capsule where both radii are equal).
Primitive round_cone(const Vec3& a, double radius_a, const Vec3& b, double radius_b);
Primitive sphere(const Vec3& centre, double radius);
Primitive ellipsoid(const Vec3& centre, const Vec3& radii, const Quat& orientation = {});
// An elliptic disc with a round rim; radii.z is half its thickness.
Primitive plate(const Vec3& centre, const Vec3& radii, const Quat& orientation, double dish);
// What lies below the plane.
Primitive half_space(const Vec3& point, const Vec3& normal);

double signed_distance(const Primitive& primitive, const Vec3& p);
Primitive mirrored(const Primitive& primitive);

class Solid {
 public:
  // `blend` is the width, in metres, of the fillet between the two shapes.
  Solid& unite(const Primitive& primitive, double blend);
  Solid& subtract(const Primitive& primitive, double blend);
  Solid& intersect(const Primitive& primitive, double blend);
  // The same for the primitive and its mirror image in x.
  Solid& unite_pair(const Primitive& primitive, double blend);
  Solid& subtract_pair(const Primitive& primitive, double blend);
  // A belt: what is made so far, thickened by `thickness` within `half_width` of a plane.
  Solid& wrap(const Vec3& point, const Vec3& normal, double half_width, double thickness, double blend);

  double operator()(const Vec3& p) const;
  // Central differences over a tenth of a millimetre.
  Vec3 gradient(const Vec3& p) const;
  Vec3 normal(const Vec3& p) const { return normalized(gradient(p)); }
  // The point of the surface that Newton's method reaches from p, moving by no more than `reach`.
  Vec3 project(const Vec3& p, double reach = 1e9) const;
  // First crossing outward along a ray that starts inside.
  Vec3 exit_point(const Vec3& inside, const Vec3& direction) const;
  // Covers the solid.
  Box bounds() const;

 private:
  enum class Operation { unite, subtract, intersect, wrap };
  struct Step {
    Operation operation;
    Primitive primitive;
    double blend;
    Vec3 centre;  // ball around the primitive, for leaving out what is too far to matter
    double reach;
    double half_width = 0, thickness = 0;  // wrap only
  };
  Solid& add(Operation operation, const Primitive& primitive, double blend);
  std::vector<Step> steps_;
};

}  // namespace sinew::samples
