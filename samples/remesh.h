// Isotropic remeshing with a sizing field, after Botsch and Kobbelt, "A Remeshing Approach to
// Multiresolution Modeling" (SGP 2004): split long edges, collapse short ones, flip to Delaunay,
// relax in the tangent plane, and put every vertex back on the solid. Also cuts the mesh along the
// outlines of painted volumes, so that materials meet in smooth lines of edges.
#pragma once

#include <functional>
#include <vector>

#include "surface.h"

namespace sinew::samples {

// Wanted edge length, in metres: `base`, finer in the neighbourhood of the listed balls.
struct Sizing {
  struct Detail {
    Vec3 centre;
    double radius;  // within which the length is `length`
    double length;
    double falloff;  // width of the transition to the base length
  };
  double base = 0.03;
  std::vector<Detail> details;

  double operator()(const Vec3& p) const;
  Sizing& add(const Vec3& centre, double radius, double length, double falloff);
  Sizing& add_pair(const Vec3& centre, double radius, double length, double falloff);
};

// A volume whose inside is painted with material `region`.
struct Paint {
  std::uint8_t region;
  std::function<double(const Vec3&)> field;  // negative inside, and of size about the distance
};

// Later paints cover earlier ones.
Surface remesh(Surface surface, const Solid& solid, const Sizing& sizing, const std::vector<Paint>& paints);

}  // namespace sinew::samples
