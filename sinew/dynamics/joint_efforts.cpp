#include "sinew/dynamics/joint_efforts.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// A force at a place and a couple: what moves a link.
struct Wrench {
  Vec3 force, couple;  // newtons, newton metres
};

// A point of the skin near the ground.
struct Sole {
  std::size_t link = 0;
  Vec3 place;
  double hold = 0;  // 0 in the air to 1 on the ground
};

// Places of all links at one time.
struct LinksAtTime {
  PlacedJoints placed;
  std::vector<Vec3> centre;  // of mass
};

LinksAtTime links_at(const ArticulatedBody& body, const TreePose& pose) {
  LinksAtTime links;
  place_joints(body.tree, pose, links.placed);
  for (std::size_t k = 0; k < body.size(); ++k)
    links.centre.push_back(links.placed(static_cast<int>(k), body.tree.mass_centre[k]));
  return links;
}

// Angular momentum of a link about its centre between two times, with the rotation midway.
Vec3 spin_momentum(const Mat3& inertia, const Quat& before, const Quat& after, double step) {
  const Vec3 turn = rotation_logarithm(normalized(conjugate(before) * after));
  const Quat midway = before * rotation_exponential(turn / 2);
  return rotate(midway, inertia * (turn / step));
}

// Forces and couples by which links move as they do: f = m (c'' - g), n = L'.
std::vector<Wrench> wrenches(const ArticulatedBody& body, const LinksAtTime& before, const LinksAtTime& now,
                             const LinksAtTime& after, const EffortOptions& options) {
  std::vector<Wrench> result;
  const double h = options.step;
  for (std::size_t k = 0; k < body.size(); ++k) {
    const Vec3 acceleration = (after.centre[k] - 2 * now.centre[k] + before.centre[k]) / (h * h);
    const Quat &a = before.placed.rotation[k], &b = now.placed.rotation[k], &c = after.placed.rotation[k];
    const Vec3 change = spin_momentum(body.inertia[k], b, c, h) - spin_momentum(body.inertia[k], a, b, h);
    result.push_back({body.tree.mass[k] * (acceleration - options.gravity), change / h});
  }
  return result;
}

std::vector<Sole> soles(const ArticulatedBody& body, const LinksAtTime& links, const EffortOptions& options) {
  constexpr double least = 1e-3;  // hold of points that count
  std::vector<Sole> result;
  for (std::size_t k = 0; k < body.size(); ++k) {
    for (const Vec3& point : body.skin_points[k]) {
      const Vec3 place = links.placed(static_cast<int>(k), point);
      const double hold = std::exp(-std::max(place.y - options.ground, 0.0) / options.near_ground);
      if (hold > least) result.push_back({k, place, hold});
    }
  }
  return result;
}

// Shares s_k = hold_k (1 / sum + b (p_k - middle)) of the ground's force, with the p_k on the ground: the least sum of
// s_k^2 / hold_k whose sum is 1 and whose middle is the centre of pressure.
void find_shares(std::span<const Sole> soles, std::span<const double> hold, const Vec3& pressure,
                 std::span<double> share) {
  double sum = 0;
  Vec3 middle;
  for (std::size_t k = 0; k < soles.size(); ++k) {
    sum += hold[k];
    middle += hold[k] * level(soles[k].place);
  }
  middle = middle / sum;
  double xx = 0, xz = 0, zz = 0;
  for (std::size_t k = 0; k < soles.size(); ++k) {
    const Vec3 away = level(soles[k].place) - middle;
    xx += hold[k] * away.x * away.x;
    xz += hold[k] * away.x * away.z;
    zz += hold[k] * away.z * away.z;
  }
  // Points in one line, or a single one, balance along it only.
  const double least = 1e-6 * (xx + zz) + 1e-12 * sum;
  const double determinant = (xx + least) * (zz + least) - xz * xz;
  const Vec3 way = level(pressure) - middle;
  const Vec3 slope = Vec3{(zz + least) * way.x - xz * way.z, 0, (xx + least) * way.z - xz * way.x} / determinant;
  for (std::size_t k = 0; k < soles.size(); ++k)
    share[k] = hold[k] * (1 / sum + dot(slope, level(soles[k].place) - middle));
}

// Shares of which none pulls: points that would are left out, until none would.
std::vector<double> pushing_shares(std::span<const Sole> soles, const Vec3& pressure) {
  std::vector<double> hold, share(soles.size());
  for (const Sole& sole : soles) hold.push_back(sole.hold);
  for (std::size_t left = soles.size(); left > 0;) {
    find_shares(soles, hold, pressure, share);
    const std::size_t before = left;
    for (std::size_t k = 0; k < soles.size(); ++k)
      if (hold[k] > 0 && share[k] < 0) {
        hold[k] = 0;
        --left;
      }
    if (left == before) return share;
  }
  return std::vector<double>(soles.size());
}

// The ground gives as much of a force that the whole body needs.
Vec3 given_by_ground(const Vec3& needed, const EffortOptions& options) {
  if (!(needed.y > 0)) return {};
  const Vec3 sideways = shortened(level(needed), options.friction * needed.y);
  return {sideways.x, needed.y, sideways.z};
}

// Takes the forces of the ground, and their moments about the origin, from those that links need. Returns the size of
// the force that is missing.
double take_ground_forces(const ArticulatedBody& body, const LinksAtTime& links, const EffortOptions& options,
                          std::span<const Wrench> needed, std::vector<Vec3>& moment, std::vector<Vec3>& force) {
  Wrench whole;
  for (std::size_t k = 0; k < body.size(); ++k) {
    whole.force += needed[k].force;
    whole.couple += needed[k].couple + cross(links.centre[k], needed[k].force);
  }
  const std::vector<Sole> on_ground = soles(body, links, options);
  double hold = 0;
  for (const Sole& sole : on_ground) hold = std::max(hold, sole.hold);
  const Vec3 given = hold * given_by_ground(whole.force, options);
  if (!(given.y > 0)) return norm(whole.force);
  const double y = options.ground;
  const Vec3 pressure{(whole.couple.z + y * whole.force.x) / whole.force.y, y,
                      (y * whole.force.z - whole.couple.x) / whole.force.y};
  const std::vector<double> share = pushing_shares(on_ground, pressure);
  for (std::size_t s = 0; s < on_ground.size(); ++s) {
    const Vec3 pushes = given * share[s];
    force[on_ground[s].link] -= pushes;
    moment[on_ground[s].link] -= cross(on_ground[s].place, pushes);
  }
  return norm(whole.force - given);
}

std::vector<Vec3> efforts_at(const ArticulatedBody& body, const LinksAtTime& before, const LinksAtTime& now,
                             const LinksAtTime& after, const EffortOptions& options, double& missing) {
  const std::vector<Wrench> needed = wrenches(body, before, now, after, options);
  std::vector<Vec3> moment(body.size()), force(body.size());  // about the origin; of each link, then of all beyond it
  for (std::size_t k = 0; k < body.size(); ++k) {
    force[k] = needed[k].force;
    moment[k] = needed[k].couple + cross(now.centre[k], needed[k].force);
  }
  missing = take_ground_forces(body, now, options, needed, moment, force);
  std::vector<Vec3> torque(body.size());
  for (std::size_t k = body.size(); k-- > 0;) {
    torque[k] = moment[k] - cross(now.placed.place[k], force[k]);
    if (k == 0) break;
    const std::size_t parent = index(body.tree.parent[k]);
    force[parent] += force[k];
    moment[parent] += moment[k];
  }
  return torque;
}

}  // namespace

MotionEfforts joint_efforts(const ArticulatedBody& body, std::span<const TreePose> poses,
                            const EffortOptions& options) {
  check_articulated_body(body);
  std::vector<LinksAtTime> links;
  for (const TreePose& pose : poses) links.push_back(links_at(body, pose));
  const std::size_t count = poses.size();
  MotionEfforts efforts{std::vector<std::vector<Vec3>>(count), std::vector<double>(count)};
  for (std::size_t f = 0; f < count; ++f) {
    const bool stands = count < 3;
    const std::size_t at = stands ? f : std::clamp<std::size_t>(f, 1, count - 2), one = stands ? 0 : 1;
    efforts.torque[f] = efforts_at(body, links[at - one], links[at], links[at + one], options, efforts.missing[f]);
  }
  return efforts;
}

void smooth_efforts(double seconds, double step, std::vector<std::vector<Vec3>>& efforts) {
  const int reach = static_cast<int>(std::ceil(3 * seconds / step)), count = static_cast<int>(efforts.size());
  std::vector<double> weight;
  for (int k = 0; k <= reach; ++k) weight.push_back(std::exp(-0.5 * std::pow(k * step / seconds, 2)));
  const std::vector<std::vector<Vec3>> given = efforts;
  for (int f = 0; f < count; ++f) {
    std::vector<Vec3>& smooth = efforts[index(f)];
    std::fill(smooth.begin(), smooth.end(), Vec3{});
    double sum = 0;
    for (int other = std::max(f - reach, 0); other <= std::min(f + reach, count - 1); ++other) {
      const double w = weight[index(std::abs(other - f))];
      for (std::size_t k = 0; k < smooth.size(); ++k) smooth[k] += w * given[index(other)][k];
      sum += w;
    }
    for (Vec3& value : smooth) value = value / sum;
  }
}

}  // namespace sinew
