// Toys without a skeleton, for free bodies: a duck for the bath and a star, in metres, as OBJ.
#include <cstdio>

#include "exact_math.h"
#include "samples.h"

namespace sinew::samples {
namespace {

std::string obj_of(const char* name, const Solid& solid, double cell, double edge) {
  Sizing sizing;
  sizing.base = edge;
  const Surface surface = remesh(isosurface(solid, cell), solid, sizing, {});
  const Quality quality = verify(surface, solid);
  std::printf("%s: %zu vertices, %zu triangles, smallest angle %.1f degrees\n", name, quality.vertices,
              quality.triangles, quality.smallest_angle);
  std::string text = std::string("o ") + name + '\n';
  char line[96];
  for (const Vec3& x : surface.position) {
    std::snprintf(line, sizeof line, "v %.6f %.6f %.6f\n", x.x, x.y, x.z);
    text += line;
  }
  for (const Triangle& t : surface.triangle) {
    std::snprintf(line, sizeof line, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
    text += line;
  }
  return text;
}

}  // namespace

std::string make_duck() {
  Solid solid;
  solid.unite(ellipsoid({0, 0.085, -0.01}, {0.085, 0.075, 0.115}), 0);
  solid.unite(round_cone({0, 0.115, -0.09}, 0.04, {0, 0.155, -0.145}, 0.012), 0.03);
  solid.unite(sphere({0, 0.185, 0.065}, 0.06), 0.035);
  solid.unite(ellipsoid({0, 0.172, 0.125}, {0.034, 0.016, 0.032}), 0.02);
  solid.unite_pair(ellipsoid({0.078, 0.095, -0.025}, {0.018, 0.035, 0.062}, turn_z(-8)), 0.012);
  solid.subtract(half_space({0, 0.022, 0}, {0, 1, 0}), 0.02);
  return obj_of("duck", solid, 0.004, 0.0075);
}

std::string make_star() {
  Solid solid;
  solid.unite(sphere({0, 0.15, 0}, 0.05), 0);
  for (int arm = 0; arm < 5; ++arm) {
    const Vec3 out = rotate(turn_z(72.0 * arm), {0, 1, 0});
    solid.unite(round_cone(Vec3{0, 0.15, 0} + out * 0.04, 0.045, Vec3{0, 0.15, 0} + out * 0.135, 0.018), 0.03);
  }
  return obj_of("star", solid, 0.005, 0.009);
}

}  // namespace sinew::samples
