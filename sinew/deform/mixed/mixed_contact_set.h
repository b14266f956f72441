// The contacts of a body at rest: pairs of a surface point and a collider, found as they appear, with their forces.
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/contact_set.h"
#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/mixed_contacts.h"

namespace sinew {

class MixedContactSet {
 public:
  MixedContactSet(const MixedBody& body, const SurfacePoints& surface, const Colliders& colliders);

  // Adds the pairs that are deeper than `depth` (metres) and not in the set, in the order of colliders, then points.
  // Pairs whose point the free vertices hardly move are never added. Returns how many were.
  int add_deeper_than(double depth, std::span<const Vec3> positions);

  // Tangent planes anew, at `positions`. Returns the greatest change of a pushing contact's unit normal.
  double find_planes(std::span<const Vec3> positions);

  // Distance that is most off, metres: how deep any contact is, how far off a pushing one.
  double worst_gap() const;

  std::size_t size() const { return contacts_.size(); }
  double gap(std::size_t contact) const { return gap_[contact]; }  // metres, where the planes were found

  // The free vertices that the points hang on, ascending.
  std::vector<int> vertices() const;

  // to[c] += normal_c . (displacement of its point); three numbers per free vertex, one per contact.
  void add_displacements(std::span<const double> displacement, std::span<double> to) const;
  // to += the forces `force` (newtons along the normals) on the free vertices.
  void add_forces(std::span<const double> forces, std::span<double> to) const { contacts_.add_forces(forces, to); }

  // For a diagonal of A, one number per free vertex: a guess of how far each contact gives way, metres per newton.
  std::vector<double> compliance_guess(std::span<const double> diagonal) const;

  // What `positions` and forces amount to, apart from the counts of rounds and products. `left_over`: forces left on
  // the free vertices without contacts.
  void report(std::span<const double> forces, std::span<const Vec3> positions, std::span<const double> left_over,
              MixedContacts& contacts);

  std::vector<double> force;  // per contact, newtons; zero where one is new

 private:
  // By free vertices; empty where these hardly move the point.
  ScratchVector<PointEntry> entries(std::size_t point) const;
  bool reachable(std::size_t point) const { return !entries(point).empty(); }
  Vec3 place(std::size_t point, std::span<const Vec3> positions) const;

  const MixedBody& body_;
  const SurfacePoints& surface_;
  const Colliders& colliders_;
  ContactSet contacts_;
  std::vector<char> known_;  // per collider and point
  std::vector<double> gap_;
};

}  // namespace sinew
