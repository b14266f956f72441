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

void limit_displacements(const FleshBody& body, std::span<Vec3> per_vertex) {
  const std::vector<double>& limit = body.description.limit;
  if (limit.empty()) return;
  for (std::size_t v = 0; v < per_vertex.size(); ++v) {
    const double squared = squared_norm(per_vertex[v]);
    if (squared == 0) continue;
    per_vertex[v] = limit[v] > 0 ? per_vertex[v] / std::sqrt(1 + squared / (limit[v] * limit[v])) : Vec3{};
  }
}

void surface_displacement(const FleshBody& body, const VertexFrames& frames, std::span<const Vec3> local_displacement,
                          std::span<Vec3> surface) {
  const auto& points = body.description.embedding.points;
  std::vector<Vec3> world(local_displacement.size());
  parallel_for(world.size(), 1024, [&](std::size_t v) { world[v] = frames.rotation[v] * local_displacement[v]; });
  parallel_for(points.size(), 1024, [&](std::size_t s) {
    Vec3 sum;
    if (points[s].tetrahedron >= 0) {
      const Tetrahedron& corner = body.description.mesh.tetrahedra[static_cast<std::size_t>(points[s].tetrahedron)];
      for (std::size_t k = 0; k < 4; ++k) {
        sum += points[s].weights[k] * world[static_cast<std::size_t>(corner[k])];
      }
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
