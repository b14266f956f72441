// Pairs of a surface point and an obstacle, each with the obstacle's tangent plane where the point was last seen.
//
// Obstacles are convex, so that the half space beyond a tangent plane is clear of them: a point that keeps to it keeps
// out, whichever way it slides. What pushes a point is a force along the plane's normal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/contact/colliders.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A point of the surface as a sum over unknowns, three numbers each; what it hangs on besides is the skeleton's.
struct PointEntry {
  std::size_t unknown = 0;
  double weight = 0;
};

struct Contact {
  std::size_t point = 0, obstacle = 0;
  Vec3 normal, place;      // the tangent plane: away from the obstacle, and a point of it; metres, world
  double floor = 0;        // metres: the gap that is asked for; negative where the point is let out slowly
  double floor_speed = 0;  // m/s, of the obstacle along the normal
  ScratchVector<PointEntry> entries;
};

class ContactSet {
 public:
  void clear() { contacts_.clear(); }
  void add(Contact contact) { contacts_.push_back(std::move(contact)); }
  void drop_last() { contacts_.pop_back(); }

  std::size_t size() const { return contacts_.size(); }
  const Contact& operator[](std::size_t contact) const { return contacts_[contact]; }
  const Contact& back() const { return contacts_.back(); }

  // The tangent plane anew: where the obstacle has this gap for the contact's point at `place`.
  void set_plane(std::size_t contact, const Gap& gap, const Vec3& place);

  // How far `place` is beyond the contact's plane and floor, metres.
  static double distance_from_floor(const Contact& contact, const Vec3& place) {
    return dot(contact.normal, place - contact.place) - contact.floor;
  }

  // to += the forces (newtons along the normals, one per contact), three numbers per unknown.
  void add_forces(std::span<const double> force, std::span<double> to) const;
  // to[c] = normal_c . (what the point moves by where unknowns move by `unknowns`)
  void along_normals(std::span<const double> unknowns, std::span<double> to) const;

  // 1 / sqrt(sum w^2) per contact: to precondition by, where unknowns that contacts share give way alike.
  ScratchVector<double> scale_by_weights() const;

 private:
  std::vector<Contact> contacts_;
};

}  // namespace sinew
