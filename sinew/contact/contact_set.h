// Contacts: pairs of a surface point and an obstacle, with the obstacle's tangent plane near the point's last position.
//
// The half space beyond a tangent plane does not meet convex obstacles: a point in it stays outside wherever it slides.
// Meshes and other skin bend either way; their planes hold near the point. Planes are taken anew in every round of the
// search. Contact forces act along the plane's normal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/contact/colliders.h"
#include "sinew/linalg/small.h"

namespace sinew {

// One term of a surface point as a sum over unknowns of three numbers each. The rest of the sum belongs to the
// skeleton.
struct PointEntry {
  std::size_t unknown = 0;
  double weight = 0;
};

// A surface point that an obstacle may push.
struct Contact {
  std::size_t point = 0, obstacle = 0;
  Vec3 normal, place;      // the tangent plane: its normal away from the obstacle and a point on it, metres, world
  double floor = 0;        // required gap, metres; negative while the point is being moved out slowly
  double floor_speed = 0;  // velocity of the obstacle along the normal, m/s
  ScratchVector<PointEntry> entries;
};

// The contacts of a step.
class ContactSet {
 public:
  void clear() { contacts_.clear(); }
  void add(Contact contact) { contacts_.push_back(std::move(contact)); }
  void drop_last() { contacts_.pop_back(); }

  std::size_t size() const { return contacts_.size(); }
  const Contact& operator[](std::size_t contact) const { return contacts_[contact]; }
  const Contact& back() const { return contacts_.back(); }

  // Updates the tangent plane, given the obstacle's gap to the contact's point at `place`.
  void set_plane(std::size_t contact, const Gap& gap, const Vec3& place);

  // Distance of `place` beyond the contact's plane and floor, metres.
  static double distance_from_floor(const Contact& contact, const Vec3& place) {
    return dot(contact.normal, place - contact.place) - contact.floor;
  }

  // Adds the contact forces (newtons along the normals, one per contact) to `to`, three numbers per unknown.
  void add_forces(std::span<const double> force, std::span<double> to) const;
  // Sets to[c] = normal_c . (displacement of the point for the displacements `unknowns`).
  void along_normals(std::span<const double> unknowns, std::span<double> to) const;

  // 1 / sqrt(sum w^2) per contact: a preconditioner for the case that all unknowns are equally compliant.
  ScratchVector<double> scale_by_weights() const;

 private:
  std::vector<Contact> contacts_;
};

}  // namespace sinew
