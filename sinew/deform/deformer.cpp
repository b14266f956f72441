#include "sinew/deform/deformer.h"

#include "sinew/base/error.h"
#include "sinew/deform/snapshot_numbers.h"

namespace sinew {

void Deformer::surface(const RigState& rig, double before, std::span<Vec3> surface) {
  goal_.resize(surface.size());
  goal(rig, goal_);
  displacements(rig, before, surface);
  for (std::size_t v = 0; v < surface.size(); ++v) surface[v] += goal_[v];
}

double least_energy(double mass, double height) {
  constexpr double standard_gravity = 9.81, lifted = 1e-4;  // the latter of the height
  return mass * standard_gravity * lifted * height;
}

void check_curves(std::span<const ControlRange> curves, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size() && !curves.empty(); ++k) {
    const ControlRange& range = curves[k % curves.size()];
    if (!(values[k] >= range.low && values[k] <= range.high)) throw forged_state("'" + range.name + "'");
  }
}

void between_steps(std::span<const Vec3> earlier, std::span<const Vec3> now, double before, std::span<Vec3> between) {
  for (std::size_t v = 0; v < now.size(); ++v) between[v] = now[v];
  if (!(before > 1e-9)) return;
  for (std::size_t v = 0; v < now.size(); ++v) between[v] += (earlier[v] - now[v]) * before;
}

}  // namespace sinew
