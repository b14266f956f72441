#include "sinew/deform/mixed/mixed_contact_set.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/contact/obstacles.h"

namespace sinew {
namespace {

constexpr std::size_t point_grain = 2048;

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

MixedContactSet::MixedContactSet(const MixedBody& body, const SurfacePoints& surface, const Colliders& colliders,
                                 std::span<const SlidingPoint> sliding)
    : body_(body), surface_(surface), colliders_(colliders), known_(surface.size() * colliders.size(), 0) {
  check_surface(body, surface);
  check_colliders(colliders);
  for (const SlidingPoint& slide : sliding) {
    if (slide.point < 0 || index(slide.point) >= surface.size())
      throw usage_error("surface point " + std::to_string(slide.point) + " is to slide, but there are " +
                        std::to_string(surface.size()) + "; give one of them.");
    if (!reachable(index(slide.point))) continue;
    sliding_.push_back(slide);
    contacts_.add({index(slide.point), colliders.size(), slide.normal, slide.place, 0, 0, entries(index(slide.point))});
    gap_.push_back(0);
    force.push_back(0);
  }
}

Gap MixedContactSet::gap_at(std::size_t contact, const Vec3& at) const {
  if (contact >= sliding_.size()) return gap_to(colliders_, contacts_[contact].obstacle, at);
  const SlidingPoint& slide = sliding_[contact];
  return {dot(slide.normal, at - slide.place), slide.normal};
}

ScratchVector<PointEntry> MixedContactSet::entries(std::size_t point) const {
  ScratchVector<PointEntry> entries;
  double free_weight = 0;
  for (std::size_t c = 0; c < 4; ++c) {
    const int free = body_.free.number[index(surface_.vertex[point][c])];
    if (free < 0) continue;
    entries.push_back({index(free), surface_.weight[point][c]});
    free_weight += surface_.weight[point][c];
  }
  if (free_weight < least_free_weight) entries.clear();
  return entries;
}

Vec3 MixedContactSet::place(std::size_t point, std::span<const Vec3> positions) const {
  Vec3 at;
  for (std::size_t c = 0; c < 4; ++c) at += positions[index(surface_.vertex[point][c])] * surface_.weight[point][c];
  return at;
}

int MixedContactSet::add_deeper_than(double depth, std::span<const Vec3> positions) {
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
    const Vec3 at = place(k % points, positions);
    const Gap gap = gap_to(colliders_, k / points, at);
    contacts_.add({k % points, k / points, gap.normal, at - gap.distance * gap.normal, 0, 0, entries(k % points)});
    gap_.push_back(gap.distance);
    force.push_back(0);
    ++added;
  }
  return added;
}

double MixedContactSet::find_planes(std::span<const Vec3> positions) {
  double most = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Vec3 at = place(contacts_[c].point, positions);
    const Gap gap = gap_at(c, at);
    if (force[c] > 0) most = std::max(most, norm(gap.normal - contacts_[c].normal));
    contacts_.set_plane(c, gap, at);
    gap_[c] = gap.distance;
  }
  return most;
}

std::vector<int> MixedContactSet::vertices() const {
  std::vector<int> all;
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    for (const PointEntry& entry : contacts_[c].entries) all.push_back(static_cast<int>(entry.unknown));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

double MixedContactSet::worst_gap() const {
  double most = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    most = std::max(most, force[c] > 0 || c < sliding_.size() ? std::abs(gap_[c]) : -gap_[c]);
  return most;
}

void MixedContactSet::add_displacements(std::span<const double> displacement, std::span<double> to) const {
  std::vector<double> along(to.size());
  contacts_.along_normals(displacement, along);
  for (std::size_t c = 0; c < to.size(); ++c) to[c] += along[c];
}

std::vector<double> MixedContactSet::compliance_guess(std::span<const double> diagonal) const {
  std::vector<double> guess(contacts_.size(), 0.0);
  for (std::size_t c = 0; c < guess.size(); ++c) {
    double root = 0;
    for (const PointEntry& entry : contacts_[c].entries) root += entry.weight / std::sqrt(diagonal[entry.unknown]);
    guess[c] = root * root;
  }
  return guess;
}

void MixedContactSet::report(std::span<const double> forces, std::span<const Vec3> positions,
                             std::span<const double> left_over, MixedContacts& contacts) {
  find_planes(positions);
  contacts.pushing.clear();
  contacts.deepest = contacts.slack = contacts.residual = 0;
  contacts.unreachable = 0;
  std::vector<std::size_t> order;
  for (std::size_t c = sliding_.size(); c < contacts_.size(); ++c)
    if (forces[c] > 0) order.push_back(c);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(contacts_[a].obstacle, contacts_[a].point) < std::pair(contacts_[b].obstacle, contacts_[b].point);
  });
  for (const std::size_t c : order) {
    contacts.pushing.push_back({static_cast<int>(contacts_[c].point), static_cast<int>(contacts_[c].obstacle),
                                contacts_[c].normal, forces[c]});
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
