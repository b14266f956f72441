#include "sinew/dynamics/articulated_body.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {

void check_articulated_body(const ArticulatedBody& body) {
  check_tree(body.tree);
  const std::size_t n = body.size();
  if (n == 0) throw usage_error("A body of links needs at least one link.");
  if (body.tree.mass.size() != n || body.name.size() != n || body.joint.size() != n || body.inertia.size() != n ||
      body.capsule.size() != n || body.skin_points.size() != n)
    throw usage_error("A body of " + std::to_string(n) +
                      " links needs a mass, a name, an inertia, a capsule and a list "
                      "of skin points for each.");
  for (std::size_t k = 1; k < n; ++k) {
    int above = static_cast<int>(k) - 1;
    while (above >= 0 && above != body.tree.parent[k]) above = body.tree.parent[index(above)];
    if (above < 0)
      throw usage_error("Link '" + body.name[k] +
                        "' does not follow its parent or a link below that; links are numbered depth first.");
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Mat3& inertia = body.inertia[k];
    const bool finite = std::all_of(inertia.m, inertia.m + 9, [](double value) { return std::isfinite(value); });
    if (!(body.tree.mass[k] > 0 && std::isfinite(body.tree.mass[k])) || !finite || !(determinant(inertia) > 0) ||
        !is_finite(body.tree.offset[k]) || !is_finite(body.tree.mass_centre[k]))
      throw usage_error("Link '" + body.name[k] +
                        "' needs a positive mass, a positive definite inertia and finite places.");
  }
}

double total_mass(const ArticulatedBody& body) {
  return std::accumulate(body.tree.mass.begin(), body.tree.mass.end(), 0.0);
}

std::vector<double> carried_mass(const ArticulatedBody& body) {
  std::vector<double> mass = body.tree.mass;
  for (std::size_t k = body.size(); k-- > 1;) mass[index(body.tree.parent[k])] += mass[k];
  return mass;
}

LinkVelocities link_velocities(const ArticulatedBody& body, const BodyState& state, const PlacedJoints& placed) {
  LinkVelocities velocities;
  velocities.linear.resize(body.size());
  velocities.angular.resize(body.size());
  for (std::size_t k = 0; k < body.size(); ++k) {
    velocities.angular[k] = rotate(placed.rotation[k], state.spin[k]);
    velocities.linear[k] = state.root_velocity;
    if (k == 0) continue;
    const std::size_t parent = index(body.tree.parent[k]);
    velocities.linear[k] =
        velocities.linear[parent] + cross(velocities.angular[parent], placed.place[k] - placed.place[parent]);
    velocities.angular[k] += velocities.angular[parent];
  }
  return velocities;
}

Vec3 centre_velocity(const ArticulatedBody& body, const PlacedJoints& placed, const LinkVelocities& velocities) {
  Vec3 sum;
  for (std::size_t k = 0; k < body.size(); ++k)
    sum += body.tree.mass[k] *
           (velocities.linear[k] + cross(velocities.angular[k], rotate(placed.rotation[k], body.tree.mass_centre[k])));
  return sum / total_mass(body);
}

double lowest_point(const ArticulatedBody& body, const PlacedJoints& placed) {
  double lowest = HUGE_VAL;
  for (std::size_t k = 0; k < body.size(); ++k)
    for (const Vec3& point : body.skin_points[k]) lowest = std::min(lowest, placed(static_cast<int>(k), point).y);
  return lowest;
}

}  // namespace sinew
