// The contacts of a body in equilibrium: pairs of a surface point and a collider, added as they are found, with their
// forces.
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/contact_set.h"
#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/mixed_contacts.h"

namespace sinew {

class MixedContactSet {
 public:
  // Sliding points that the free vertices move are the first contacts, whose forces may pull as well.
  MixedContactSet(const MixedBody& body, const SurfacePoints& surface, const Colliders& colliders,
                  std::span<const SlidingPoint> sliding = {});

  // Adds the pairs that are deeper than `depth` (metres) and not in the set, in the order of colliders, then points.
  // Pairs whose point the free vertices hardly move are never added. Returns the number of pairs added.
  int add_deeper_than(double depth, std::span<const Vec3> positions);

  // Recomputes the tangent planes at `positions`. Returns the largest change of the unit normal of a contact with a
  // force.
  double find_planes(std::span<const Vec3> positions);

  // Largest error of distance, metres: the deepest penetration of any contact, or the largest gap of one with a force
  // or of a sliding point.
  double worst_gap() const;

  std::size_t size() const { return contacts_.size(); }
  std::size_t sliding() const { return sliding_.size(); }  // number of the first contacts that are sliding points
  double gap(std::size_t contact) const { return gap_[contact]; }  // metres, at the positions of find_planes()

  // Returns the free vertices that the points depend on, ascending.
  std::vector<int> vertices() const;

  // Adds normal_c . (displacement of its point) to to[c]; three numbers per free vertex, one per contact.
  void add_displacements(std::span<const double> displacement, std::span<double> to) const;
  // Adds the forces `forces` (newtons along the normals) to those on the free vertices.
  void add_forces(std::span<const double> forces, std::span<double> to) const { contacts_.add_forces(forces, to); }

  // Estimates the compliance of each contact, metres per newton, from the diagonal of A, one number per free vertex.
  std::vector<double> compliance_guess(std::span<const double> diagonal) const;

  // Reports the contacts at `positions` under `forces`, except for the counts of rounds and products. `left_over`:
  // residual forces on the free vertices without contacts.
  void report(std::span<const double> forces, std::span<const Vec3> positions, std::span<const double> left_over,
              MixedContacts& contacts);

  std::vector<double> force;  // per contact, newtons; zero for new ones

 private:
  // Weights of a point over free vertices; empty if these hardly move it.
  ScratchVector<PointEntry> entries(std::size_t point) const;
  Gap gap_at(std::size_t contact, const Vec3& at) const;
  bool reachable(std::size_t point) const { return !entries(point).empty(); }
  Vec3 place(std::size_t point, std::span<const Vec3> positions) const;

  const MixedBody& body_;
  const SurfacePoints& surface_;
  const Colliders& colliders_;
  std::vector<SlidingPoint> sliding_;
  ContactSet contacts_;
  std::vector<char> known_;  // per collider and point: true if the pair is in the set
  std::vector<double> gap_;
};

}  // namespace sinew
