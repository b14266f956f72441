#include "sinew/bake/flesh_measures.h"

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

double elastic_energy(const FleshBody& body, std::span<const Vec3> displacement) {
  std::vector<double> u(3 * body.free_vertex.size()), stiff(u.size());
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
    const Vec3& d = displacement[static_cast<std::size_t>(body.free_vertex[f])];
    for (std::size_t k = 0; k < 3; ++k) u[3 * f + k] = d[k];
  }
  multiply(body.stiffness, u, stiff);
  double sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) sum += u[k] * stiff[k];
  return 0.5 * sum;
}

}  // namespace

FleshMeasures measure_flesh(const FleshBody& body, const VertexFrames& frames, std::span<const Vec3> displacement,
                            std::span<const Vec3> previous) {
  FleshMeasures measures;
  measures.energy = elastic_energy(body, displacement);
  for (std::size_t v = 0; v < displacement.size(); ++v)
    measures.energy += 0.5 * body.mass[v] * squared_norm((displacement[v] - previous[v]) / body.method.step);

  const TetrahedralMesh& mesh = body.description.mesh;
  std::vector<Vec3> position(mesh.positions.size());
  for (std::size_t v = 0; v < position.size(); ++v) position[v] = frames.goal[v] + frames.rotation[v] * displacement[v];
  double rest_volume = 0, posed_volume = 0, smallest = 1e300;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto volume_of = [&](const std::vector<Vec3>& p) {
      return volume(p[static_cast<std::size_t>(t[0])], p[static_cast<std::size_t>(t[1])],
                    p[static_cast<std::size_t>(t[2])], p[static_cast<std::size_t>(t[3])]);
    };
    const double rest = volume_of(mesh.positions), posed = volume_of(position);
    rest_volume += rest;
    posed_volume += posed;
    smallest = std::min(smallest, posed / rest);
  }
  measures.volume_ratio = posed_volume / rest_volume;
  measures.min_det = smallest;
  return measures;
}

}  // namespace sinew
