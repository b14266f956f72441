#include "sinew/contact/outside_forces.h"

#include <cmath>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"

namespace sinew {

void add_weight(std::span<const double> mass, const Vec3& acceleration, std::span<Vec3> forces) {
  if (mass.size() != forces.size())
    throw usage_error("there are " + std::to_string(mass.size()) + " masses for " + std::to_string(forces.size()) +
                      " vertices; give one each.");
  for (std::size_t v = 0; v < mass.size(); ++v) forces[v] += acceleration * mass[v];
}

ScratchVector<double> load_shares(std::span<const Vec3> rest, const Load& load) {
  if (rest.empty()) throw usage_error("a point force needs a surface point of the body; embed the surface in it.");
  if (!is_finite(load.point) || !is_finite(load.force) || !(load.radius >= 0) || !std::isfinite(load.radius))
    throw usage_error(
        "the place, force or radius of a point force is not a number; give finite ones, the radius not negative.");
  ScratchVector<double> share(rest.size(), 0.0);
  double sum = 0, least = squared_norm(rest[0] - load.point);
  std::size_t nearest = 0;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    const double squared = squared_norm(rest[k] - load.point);
    if (squared < least) least = squared, nearest = k;
    if (squared >= load.radius * load.radius) continue;
    const double inside = 1 - squared / (load.radius * load.radius);
    share[k] = inside * inside;
    sum += share[k];
  }
  if (!(sum > 0)) share[nearest] = sum = 1;
  for (double& s : share) s /= sum;
  return share;
}

void add_load(const SurfacePoints& points, std::span<const Vec3> rest, const Load& load, std::span<Vec3> forces) {
  const ScratchVector<double> share = load_shares(positions_of(points, rest), load);
  for (std::size_t k = 0; k < share.size(); ++k) {
    if (share[k] == 0) continue;
    for (std::size_t c = 0; c < 4; ++c)
      forces[static_cast<std::size_t>(points.vertex[k][c])] += load.force * (share[k] * points.weight[k][c]);
  }
}

}  // namespace sinew
