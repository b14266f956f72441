#include <cstdio>

#include "samples.h"

namespace sinew::samples {
namespace {

// The solid's gradient; on a sharp crease, where it has none, the mean of the triangles around.
std::vector<Vec3> smooth_normals(const Surface& surface, const Solid& solid) {
  std::vector<Vec3> from_triangles(surface.position.size()), result;
  for (const Triangle& t : surface.triangle) {
    const Vec3& a = surface.position[t[0]];
    const Vec3 area = cross(surface.position[t[1]] - a, surface.position[t[2]] - a);
    for (Index v : t) from_triangles[v] += area;
  }
  for (std::size_t v = 0; v < surface.position.size(); ++v) {
    const Vec3 gradient = solid.gradient(surface.position[v]);
    const Vec3 mean = normalized(from_triangles[v]);
    result.push_back(dot(gradient, mean) > 0.4 ? normalized(gradient) : mean);
  }
  return result;
}

}  // namespace

std::string build_surface(const Design& design, Sample& sample) {
  sample.surface = remesh(isosurface(design.solid, design.cell), design.solid, design.sizing, design.paints);
  const Quality quality = verify(sample.surface, design.solid);
  sample.normal = smooth_normals(sample.surface, design.solid);
  sample.weights = skin_weights(sample.surface, design.solid, design.bones, design.shares,
                                sample.skeleton.joints.size(), design.weight_cell);
  char line[200];
  std::snprintf(
      line, sizeof line,
      "%s: %zu vertices, %zu triangles, %zu joints, smallest angle %.1f degrees at (%.2f %.2f %.2f), area %.2f m2",
      sample.name.c_str(), quality.vertices, quality.triangles, sample.skeleton.joints.size(), quality.smallest_angle,
      quality.sharpest.x, quality.sharpest.y, quality.sharpest.z, quality.area);
  return line;
}

}  // namespace sinew::samples
