#include "sinew/contact/outside_forces.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {

void add_weight(std::span<const double> mass, const Vec3& acceleration, std::span<Vec3> forces) {
  if (mass.size() != forces.size())
    throw usage_error("there are " + std::to_string(mass.size()) + " masses for " + std::to_string(forces.size()) +
                      " vertices; give one each.");
  for (std::size_t v = 0; v < mass.size(); ++v) forces[v] += acceleration * mass[v];
}

ScratchVector<double> poke_shares(std::span<const Vec3> rest, const Poke& poke) {
  if (rest.empty()) throw usage_error("a poke needs a surface point of the body; embed the surface in it.");
  if (!is_finite(poke.point) || !is_finite(poke.force) || !(poke.radius >= 0) || !std::isfinite(poke.radius))
    throw usage_error(
        "the place, force or radius of a poke is not a number; give finite ones, the radius not negative.");
  ScratchVector<double> share(rest.size(), 0.0);
  double sum = 0, least = squared_norm(rest[0] - poke.point);
  std::size_t nearest = 0;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    const double squared = squared_norm(rest[k] - poke.point);
    if (squared < least) least = squared, nearest = k;
    if (squared >= poke.radius * poke.radius) continue;
    const double inside = 1 - squared / (poke.radius * poke.radius);
    share[k] = inside * inside;
    sum += share[k];
  }
  if (!(sum > 0)) share[nearest] = sum = 1;
  for (double& s : share) s /= sum;
  return share;
}

void add_poke(const SurfacePoints& points, std::span<const Vec3> rest, const Poke& poke, std::span<Vec3> forces) {
  const ScratchVector<double> share = poke_shares(positions_of(points, rest), poke);
  for (std::size_t k = 0; k < share.size(); ++k) {
    if (share[k] == 0) continue;
    for (std::size_t c = 0; c < 4; ++c)
      forces[static_cast<std::size_t>(points.vertex[k][c])] += poke.force * (share[k] * points.weight[k][c]);
  }
}

}  // namespace sinew
