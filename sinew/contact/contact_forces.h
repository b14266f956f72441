// Contact without friction as part of a step's solution: forces that keep the surface of a body out of planes, spheres
// and capsules that move, and above the ground.
//
//   gap_c >= 0,   f_c >= 0,   gap_c f_c = 0
//
// at the end of the step, f_c along the obstacle's normal. Over a step a force acts as two impulses on the velocities,
// one before it and one after it: the first goes through the system of the step, so that elasticity takes part, the
// second leaves no velocity into the obstacle (inelastic). Positions, accelerations and forces stay those of the step
// itself (docs/flesh.md, Ground; docs/constraints.md).
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/contact/contact_set.h"
#include "sinew/contact/held_points.h"
#include "sinew/contact/obstacles.h"
#include "sinew/contact/unknowns.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// What a search asks of the body whose step it is part of.
class ContactedBody {
 public:
  virtual ~ContactedBody() = default;

  // Where the surface is shown as the step ends under the forces so far: metres, world, per point.
  virtual void places(std::span<Vec3> place) = 0;

  // Where a point was as the step began, with what the rig adds as it is now; empty where that is not known.
  virtual std::optional<Vec3> place_before(std::size_t point) = 0;
  // Its goal as the step ends and as it began, metres, world.
  struct Goals {
    Vec3 now, before;
  };
  virtual Goals goals(std::size_t point) = 0;
  // How far colliders push it away from its goal at most, metres: where the rig has it deeper inside one, the collider
  // yields.
  virtual double push_reach(std::size_t point) const { return (void)point, std::numeric_limits<double>::infinity(); }

  // A search begins that deals with these contacts.
  virtual void begin_search(const ContactSet& contacts) { contacts_ = &contacts; }
  // How far each contact's point gives way along its normal under forces on them all, metres per newton on the
  // right-hand side of the step's system: symmetric, and as near as it costs little. It guides the search.
  virtual void give_way(std::span<const double> force, std::span<double> along_normals) = 0;
  // The matrix of give_way(), row-major, where it is at hand: else empty.
  virtual ScratchVector<double> ways() { return {}; }
  // 1 / sqrt of its diagonal or a guess of that: one for each contact.
  virtual ScratchVector<double> scale() { return contacts_->scale_by_weights(); }

  // The step's own answer to forces beside those it has: three numbers per unknown, newtons. It corrects the search.
  virtual void respond(std::span<const double> more) = 0;

 protected:
  const ContactSet* contacts_ = nullptr;
};

struct ContactSearch {
  Obstacles obstacles;
  const Unknowns& unknowns;
  const HeldPoints& held;   // what is held besides
  double step = 0;          // seconds
  double tolerance = 1e-4;  // how far points may end from where they should, relative to the deepest without contact
};

class ContactForces {
 public:
  // `surface`: a row per point of the surface over the body's points, must outlive this. `lengths`: contact_lengths().
  ContactForces(const SparseRows& surface, const ContactLengths& lengths) : surface_(surface), lengths_(lengths) {}

  // Finds the forces that end the step with no surface point inside an obstacle. Returns how many points are pushed.
  // Points that start the step inside are let out over a few hundredths of a second.
  int hold(const ContactSearch& search, ContactedBody& body);

  // The forces of the last hold(), three numbers per unknown: newtons on the right-hand side of the step's system.
  std::span<const double> force() const { return total_; }
  bool pushes() const { return pushed_ > 0; }

  // The second impulse, on the velocities (per point of the body) at the end of the step: the least kinetic energy over
  // impulses that leave the sum of both a push. `inverse_mass` is that within the held points' subspace, which the
  // velocities are in; `impulse_per_force`: by which a force on the step's right-hand side is an impulse, seconds.
  void settle(const LinearOperator& inverse_mass, double impulse_per_force, const Unknowns& unknowns,
              std::span<Vec3> velocity) const;

 private:
  bool add_violated(const ContactSearch& search, ContactedBody& body, double depth);
  void keep_deepest(ScratchVector<Contact>& contacts) const;
  bool reachable(const ContactSearch& search, std::size_t point, ScratchVector<PointEntry>& entries) const;
  Contact contact_of(const ContactSearch& search, ContactedBody& body, std::size_t point, std::size_t obstacle,
                     ScratchVector<PointEntry> entries) const;
  bool beside_held(std::span<const PointEntry> entries) const;
  bool any_beside_held() const;
  void find_yielding(double beside_held_yielding);
  double largest_force_beside_held() const;
  void find_forces(ContactedBody& body, double tolerance);
  double distance_from_floor(std::size_t contact) const;
  double largest_violation() const;
  bool squeezed() const;

  const SparseRows& surface_;
  ContactLengths lengths_;
  std::vector<Vec3> place_;  // per point of the surface
  std::vector<char> known_;  // per obstacle and point
  ContactSet contacts_;
  std::vector<double> force_;      // per contact
  std::vector<double> total_;      // per unknown
  double softness_ = 1;            // by which give_way() is too stiff
  std::vector<double> yielding_;   // per contact, metres per newton by which it gives way itself: at held points
  double yielding_to_held_ = 0;    // those metres per newton, as a share of the mean compliance of all contacts
  std::vector<char> beside_held_;  // per unknown, whether a held point's row has it
  int pushed_ = 0;
};

}  // namespace sinew
