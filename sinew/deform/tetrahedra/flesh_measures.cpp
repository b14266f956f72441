#include "sinew/deform/tetrahedra/flesh_measures.h"

#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/mesh/volume_measures.h"

namespace sinew {
namespace {

constexpr std::size_t flesh_measures_grain = 1024;

double elastic_energy(const FleshBody& body, std::span<const double> u) {
  std::vector<double> stiff(u.size());
  multiply(body.stiffness, u, stiff);
  return 0.5 * ordered_sum(u.size(), flesh_measures_grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t k = begin; k < end; ++k) sum += u[k] * stiff[k];
           return sum;
         });
}

double kinetic_energy(const FleshBody& body, std::span<const double> u, std::span<const double> previous) {
  const double rate = 1 / body.method.step;
  return 0.5 * ordered_sum(u.size(), flesh_measures_grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t k = begin; k < end; ++k) {
             const double velocity = (u[k] - previous[k]) * rate;
             sum += body.mass[static_cast<std::size_t>(body.free_vertex[k / 3])] * velocity * velocity;
           }
           return sum;
         });
}

}  // namespace

BodyMeasures measure_flesh(const FleshBody& body, const FleshState& state, const RigState& rig) {
  const FleshDescription& description = body.description;
  VertexFrames frames;
  predict_frames(description.mesh.positions, description.influences, rig.bones, frames);
  std::vector<Vec3> position(description.mesh.positions.size());
  scatter_displacements(body, state.displacement, position);
  parallel_for(position.size(), flesh_measures_grain,
               [&](std::size_t v) { position[v] = frames.goal[v] + frames.rotation[v] * position[v]; });
  const VolumeMeasures volumes = measure_volumes(description.mesh, position);
  return {
      elastic_energy(body, state.displacement) + kinetic_energy(body, state.displacement, state.previous_displacement),
      volumes.ratio, volumes.min_det};
}

}  // namespace sinew
