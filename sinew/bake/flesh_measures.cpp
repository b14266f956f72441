#include "sinew/bake/flesh_measures.h"

#include <vector>

#include "sinew/bake/volume_measures.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 1024;

double elastic_energy(const FleshBody& body, std::span<const Vec3> displacement) {
  std::vector<double> u(3 * body.free_vertex.size()), stiff(u.size());
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
    const Vec3& d = displacement[static_cast<std::size_t>(body.free_vertex[f])];
    for (std::size_t k = 0; k < 3; ++k) u[3 * f + k] = d[k];
  }
  multiply(body.stiffness, u, stiff);
  return 0.5 * ordered_sum(u.size(), grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t k = begin; k < end; ++k) sum += u[k] * stiff[k];
           return sum;
         });
}

double kinetic_energy(const FleshBody& body, std::span<const Vec3> displacement, std::span<const Vec3> previous) {
  const double rate = 1 / body.method.step;
  return 0.5 * ordered_sum(displacement.size(), grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t v = begin; v < end; ++v)
             sum += body.mass[v] * squared_norm((displacement[v] - previous[v]) * rate);
           return sum;
         });
}

}  // namespace

FleshMeasures measure_flesh(const FleshBody& body, const VertexFrames& frames, std::span<const Vec3> displacement,
                            std::span<const Vec3> previous) {
  std::vector<Vec3> position(displacement.size());
  parallel_for(position.size(), grain,
               [&](std::size_t v) { position[v] = frames.goal[v] + frames.rotation[v] * displacement[v]; });
  const VolumeMeasures volumes = measure_volumes(body.description.mesh, position);
  return {elastic_energy(body, displacement) + kinetic_energy(body, displacement, previous), volumes.ratio, volumes.min_det};
}

}  // namespace sinew
