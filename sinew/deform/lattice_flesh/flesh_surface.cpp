#include "sinew/deform/lattice_flesh/flesh_surface.h"

#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/lattice_flesh/flesh_state.h"

namespace sinew {

void scatter_displacements(const FleshBody& body, std::span<const double> free_displacement, std::span<Vec3> per_vertex) {
  for (std::size_t v = 0; v < per_vertex.size(); ++v) {
    const int f = body.free_index[v];
    if (f < 0) {
      per_vertex[v] = {};
      continue;
    }
    const auto at = 3 * static_cast<std::size_t>(f);
    per_vertex[v] = {free_displacement[at], free_displacement[at + 1], free_displacement[at + 2]};
  }
}

void outside_forces(const FleshBody& body, const VertexFrames& frames, std::span<double> local) {
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
    const Mat3& rotation = frames.rotation[static_cast<std::size_t>(body.free_vertex[f])];
    const Vec3 force = transpose_times(rotation, outside_force(body, f, rotation));
    for (std::size_t k = 0; k < 3; ++k) local[3 * f + k] = force[k];
  }
}

DisplacedPoints displaced_points(const FleshBody& body) {
  const FleshDescription& d = body.description;
  return {d.mesh.positions, d.influences, d.limit, d.embedding.points, d.mesh.tetrahedra};
}

void limit_displacements(const DisplacedPoints& points, std::span<Vec3> displacement) {
  if (points.limit.empty()) return;
  for (std::size_t v = 0; v < displacement.size(); ++v) {
    const double squared = squared_norm(displacement[v]), limit = points.limit[v];
    if (squared == 0) continue;
    displacement[v] = limit > 0 ? displacement[v] / std::sqrt(1 + squared / (limit * limit)) : Vec3{};
  }
}

void surface_displacement(const DisplacedPoints& points, const VertexFrames& frames,
                          std::span<const Vec3> local_displacement, std::span<Vec3> surface) {
  if (points.embedding.empty()) {
    parallel_for(surface.size(), 1024, [&](std::size_t s) { surface[s] = frames.rotation[s] * local_displacement[s]; });
    return;
  }
  std::vector<Vec3> world(local_displacement.size());
  parallel_for(world.size(), 1024, [&](std::size_t v) { world[v] = frames.rotation[v] * local_displacement[v]; });
  parallel_for(points.embedding.size(), 1024, [&](std::size_t s) {
    const EmbeddedPoint& point = points.embedding[s];
    Vec3 sum;
    if (point.tetrahedron >= 0) {
      const Tetrahedron& corner = points.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
      for (std::size_t k = 0; k < 4; ++k) sum += point.weights[k] * world[static_cast<std::size_t>(corner[k])];
    }
    surface[s] = sum;
  });
}

void require_finite(std::span<const double> displacement, double time) {
  for (std::size_t k = 0; k < displacement.size(); ++k)
    if (!std::isfinite(displacement[k]))
      throw simulation_error("the simulation lost free vertex " + std::to_string(k / 3) + " of the body at " + std::to_string(time) +
                             " s; check the clip for jumps there, or use a smaller --step.");
}

}  // namespace sinew
