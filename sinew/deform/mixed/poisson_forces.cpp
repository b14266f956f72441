#include "sinew/deform/mixed/poisson_forces.h"

#include <cstddef>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t poisson_forces_vertex_grain = 256;

}  // namespace

PoissonForces poisson_forces(const MixedBody& body, std::span<const double> modulus) {
  const StrainSamples& samples = body.samples;
  std::vector<int> place(body.rest.size(), -1);  // of held vertices among pins.held
  for (std::size_t k = 0; k < body.pins.held.size(); ++k) place[index(body.pins.held[k])] = static_cast<int>(k);
  PoissonForces forces;
  for (std::size_t row = 0; row < body.free.vertex.size(); ++row) {
    const std::size_t v = index(body.free.vertex[row]);
    for (std::size_t item = index(body.entries.start[v]); item < index(body.entries.start[v + 1]); ++item) {
      const std::size_t s = index(body.entries.sample[item]);
      const Vec3 gradient = samples.gradient[index(body.entries.entry[item])] * (2 * modulus[s] * samples.volume[s]);
      forces.sample.push_back(static_cast<int>(s));
      forces.gradient.push_back(gradient);
      for (std::size_t l = index(samples.start[s]); l < index(samples.start[s + 1]); ++l)
        if (const int held = place[index(samples.vertex[l])]; held >= 0) {
          forces.row.push_back(static_cast<int>(row));
          forces.held.push_back(held);
          forces.coupling.push_back(-dot(gradient, samples.gradient[l]));
        }
    }
    forces.start.push_back(static_cast<int>(forces.sample.size()));
  }
  return forces;
}

void find_forces_at_start(const PoissonForces& forces, const MixedBody& body, const MixedLoad& load,
                          std::vector<double>& residual) {
  residual.resize(3 * body.free.vertex.size());
  const auto add = [&](std::size_t row, const Vec3& force) {
    for (std::size_t c = 0; c < 3; ++c) residual[3 * row + c] += force[c];
  };
  parallel_for(body.free.vertex.size(), poisson_forces_vertex_grain, [&](std::size_t row) {
    Vec3 force = load.forces.empty() ? Vec3{} : load.forces[index(body.free.vertex[row])];
    // (R - F) g with F = 1: held vertices come after.
    for (std::size_t k = index(forces.start[row]); k < index(forces.start[row + 1]); ++k) {
      const Mat3& r = load.rotations[index(forces.sample[k])];
      const Vec3& g = forces.gradient[k];
      force += {(r.m[0] - 1) * g.x + r.m[1] * g.y + r.m[2] * g.z, r.m[3] * g.x + (r.m[4] - 1) * g.y + r.m[5] * g.z,
                r.m[6] * g.x + r.m[7] * g.y + (r.m[8] - 1) * g.z};
    }
    for (std::size_t c = 0; c < 3; ++c) residual[3 * row + c] = force[c];
  });
  for (std::size_t k = 0; k < forces.row.size(); ++k) {
    const std::size_t held = index(forces.held[k]);
    add(index(forces.row[k]), (load.held[held] - body.rest[index(body.pins.held[held])]) * forces.coupling[k]);
  }
  for (std::size_t k = 0; k < body.pins.tied.size(); ++k) {
    const std::size_t v = index(body.pins.tied[k]);
    if (const int row = body.free.number[v]; row >= 0)
      add(index(row), (load.tied[k] - body.rest[v]) * body.pins.spring[k]);
  }
}

}  // namespace sinew
