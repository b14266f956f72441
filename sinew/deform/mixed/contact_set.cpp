#include "sinew/deform/mixed/contact_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t point_grain = 2048;

// A point with less of its weight on free vertices belongs to the rig.
constexpr double least_free_weight = 0.05;

void check_surface(const MixedBody& body, const SurfacePoints& surface) {
  if (surface.vertex.size() != surface.weight.size())
    throw usage_error("there are " + std::to_string(surface.weight.size()) + " weights for " +
                      std::to_string(surface.vertex.size()) + " surface points; give one each.");
  for (std::size_t k = 0; k < surface.size(); ++k)
    for (std::size_t c = 0; c < 4; ++c)
      if (surface.vertex[k][c] < 0 || index(surface.vertex[k][c]) >= body.rest.size() ||
          !std::isfinite(surface.weight[k][c]))
        throw usage_error("surface point " + std::to_string(k) +
                          " hangs on a vertex or weight that is none; embed the surface in this body.");
}

}  // namespace

ContactSet::ContactSet(const MixedBody& body, const SurfacePoints& surface, const Colliders& colliders)
    : body_(body), surface_(surface), colliders_(colliders), known_(surface.size() * colliders.size(), 0) {
  check_surface(body, surface);
  check_colliders(colliders);
}

bool ContactSet::reachable(std::size_t point) const {
  double free_weight = 0;
  for (std::size_t c = 0; c < 4; ++c)
    if (body_.free.number[index(surface_.vertex[point][c])] >= 0) free_weight += surface_.weight[point][c];
  return free_weight >= least_free_weight;
}

Vec3 ContactSet::place(std::size_t point, std::span<const Vec3> positions) const {
  Vec3 at;
  for (std::size_t c = 0; c < 4; ++c) at += positions[index(surface_.vertex[point][c])] * surface_.weight[point][c];
  return at;
}

int ContactSet::add_deeper_than(double depth, std::span<const Vec3> positions) {
  const std::size_t points = surface_.size();
  std::vector<char> enters(known_.size(), 0);
  parallel_for(points, point_grain, [&](std::size_t k) {
    const Vec3 at = place(k, positions);
    for (std::size_t collider = 0; collider < colliders_.size(); ++collider)
      enters[collider * points + k] = gap_to(colliders_, collider, at).distance < -depth && reachable(k);
  });
  int added = 0;
  for (std::size_t k = 0; k < enters.size(); ++k) {
    if (!enters[k] || known_[k]) continue;
    known_[k] = 1;
    pairs_.push_back({k / points, k % points});
    const Gap gap = gap_to(colliders_, k / points, place(k % points, positions));
    normal_.push_back(gap.normal);
    gap_.push_back(gap.distance);
    force.push_back(0);
    ++added;
  }
  return added;
}

double ContactSet::find_planes(std::span<const Vec3> positions) {
  double most = 0;
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const Gap gap = gap_to(colliders_, pairs_[c].collider, place(pairs_[c].point, positions));
    if (force[c] > 0) most = std::max(most, norm(gap.normal - normal_[c]));
    normal_[c] = gap.normal;
    gap_[c] = gap.distance;
  }
  return most;
}

std::vector<int> ContactSet::vertices() const {
  std::vector<int> all;
  for (const Pair& pair : pairs_)
    for (const int v : surface_.vertex[pair.point])
      if (const int free = body_.free.number[index(v)]; free >= 0) all.push_back(free);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

double ContactSet::worst_gap() const {
  double most = 0;
  for (std::size_t c = 0; c < pairs_.size(); ++c) most = std::max(most, force[c] > 0 ? std::abs(gap_[c]) : -gap_[c]);
  return most;
}

void ContactSet::add_displacements(std::span<const double> displacement, std::span<double> to) const {
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const std::size_t point = pairs_[c].point;
    const Vec3& n = normal_[c];
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int free = body_.free.number[index(surface_.vertex[point][k])];
      if (free < 0) continue;
      const double* u = &displacement[3 * index(free)];
      sum += surface_.weight[point][k] * (n.x * u[0] + n.y * u[1] + n.z * u[2]);
    }
    to[c] += sum;
  }
}

void ContactSet::add_forces(std::span<const double> forces, std::span<double> to) const {
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    if (forces[c] == 0) continue;
    const std::size_t point = pairs_[c].point;
    for (std::size_t k = 0; k < 4; ++k) {
      const int free = body_.free.number[index(surface_.vertex[point][k])];
      if (free < 0) continue;
      const Vec3 push = normal_[c] * (forces[c] * surface_.weight[point][k]);
      double* u = &to[3 * index(free)];
      u[0] += push.x;
      u[1] += push.y;
      u[2] += push.z;
    }
  }
}

std::vector<double> ContactSet::compliance_guess(std::span<const double> diagonal) const {
  std::vector<double> guess(pairs_.size(), 0.0);
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const std::size_t point = pairs_[c].point;
    double root = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int free = body_.free.number[index(surface_.vertex[point][k])];
      if (free >= 0) root += surface_.weight[point][k] / std::sqrt(diagonal[index(free)]);
    }
    guess[c] = root * root;
  }
  return guess;
}

void ContactSet::report(std::span<const double> forces, std::span<const Vec3> positions,
                        std::span<const double> left_over, MixedContacts& contacts) {
  find_planes(positions);
  contacts.pushing.clear();
  contacts.deepest = contacts.slack = contacts.residual = 0;
  contacts.unreachable = 0;
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < pairs_.size(); ++c)
    if (forces[c] > 0) order.push_back(c);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pairs_[a] < pairs_[b]; });
  for (const std::size_t c : order) {
    contacts.pushing.push_back({static_cast<int>(pairs_[c].point), static_cast<int>(pairs_[c].collider), normal_[c],
                                forces[c]});
    contacts.slack = std::max(contacts.slack, gap_[c]);
  }
  for (std::size_t k = 0; k < surface_.size(); ++k) {
    const Vec3 at = place(k, positions);
    const bool can_move = reachable(k);
    for (std::size_t collider = 0; collider < colliders_.size(); ++collider) {
      const double depth = -gap_to(colliders_, collider, at).distance;
      if (can_move)
        contacts.deepest = std::max(contacts.deepest, depth);
      else
        contacts.unreachable += depth > 0;
    }
  }
  std::vector<double> pushes(left_over.size(), 0.0);
  add_forces(forces, pushes);
  double whole = 0, left = 0;
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    whole += pushes[i] * pushes[i];
    left += (left_over[i] + pushes[i]) * (left_over[i] + pushes[i]);
  }
  if (whole > 0) contacts.residual = std::sqrt(left / whole);
}

}  // namespace sinew
