// Contact as part of a step's solution, with friction after it (friction.h): forces that keep the surface of a body
// outside moving planes, spheres, capsules and boxes, above the ground, and on its own side of other skin.
//
//   gap_c >= 0,   f_c >= 0,   gap_c f_c = 0
//
// at the end of the step, with f_c along the obstacle's normal. A force acts over a step as two impulses on the
// velocities: one before the step, which passes through its system, so that elasticity takes part, and one after it,
// which removes velocity into the obstacle (inelastic). Positions, accelerations and forces remain those of the step
// itself (docs/flesh.md, Ground; docs/constraints.md).
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/contact/balls_in_contact.h"
#include "sinew/contact/contact_set.h"
#include "sinew/contact/held_points.h"
#include "sinew/contact/obstacles.h"
#include "sinew/contact/unknowns.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// The interface of a body to the contact search during a step.
class ContactedBody {
 public:
  virtual ~ContactedBody() = default;

  // Output position of each surface point at the end of the step under the current forces, metres, world.
  virtual void positions(std::span<Vec3> place) = 0;

  // Position of a point at the beginning of the step, with the rig's offset at its end; empty if unknown.
  virtual std::optional<Vec3> position_before(std::size_t point) = 0;
  // Goals of a point at the end and at the beginning of the step, metres, world.
  struct Goals {
    Vec3 now, before;
  };
  virtual Goals goals(std::size_t point) = 0;
  // Largest distance, metres, by which colliders push a point away from its goal. Where the rig places the goal deeper
  // inside a collider, the collider yields.
  virtual double push_reach(std::size_t point) const { return (void)point, std::numeric_limits<double>::infinity(); }

  // Called when a search begins; `contacts` are its contacts.
  virtual void begin_search(const ContactSet& contacts) { contacts_ = &contacts; }
  // Compliance: the displacement of each contact's point along its normal under forces on all of them, in metres per
  // newton on the right-hand side of the step's system. Must be symmetric; may be approximate, since it only guides the
  // search.
  virtual void apply_compliance(std::span<const double> force, std::span<double> along_normals) = 0;
  // The matrix of apply_compliance(), row-major, if it is available; otherwise empty.
  virtual ScratchVector<double> compliance_matrix() { return {}; }
  // 1 / sqrt of the diagonal of that matrix or an estimate, one per contact.
  virtual ScratchVector<double> scale() { return contacts_->scale_by_weights(); }

  // Applies additional forces, three numbers per unknown, newtons, and computes the step's exact response, which
  // corrects the search.
  virtual void respond(std::span<const double> more) = 0;

 protected:
  const ContactSet* contacts_ = nullptr;
};

// Input of a search for contact forces over one step.
struct ContactSearch {
  Obstacles obstacles;
  const Unknowns& unknowns;
  const HeldPoints& held;  // points that are held at the same time
  double step = 0;         // seconds
  // Allowed error of the points' final depth, relative to the deepest penetration without contact.
  double tolerance = 1e-4;
  std::span<const FallingBall> balls{};  // among the colliders
  // Displacement over the step of a free mass of 1 kg by a force of 1 N on the step's right-hand side, metres.
  double response_of_ball = 0;
};

// Finds and keeps the contact forces of a body, step after step.
class ContactForces {
 public:
  // `surface`: a row per surface point over the body's points; must outlive this. `lengths`: see contact_lengths().
  ContactForces(const SparseRows& surface, const ContactLengths& lengths) : surface_(surface), lengths_(lengths) {}

  // Finds the forces with which no surface point is inside an obstacle at the end of the step. Returns the number of
  // points that are pushed. Points that start the step inside are moved out over a few hundredths of a second.
  int hold(const ContactSearch& search, ContactedBody& body);

  // The forces of the last hold(), three numbers per unknown, in newtons on the right-hand side of the step's system.
  std::span<const double> force() const { return total_; }
  bool pushes() const { return pushed_ > 0; }

  // Applies the second impulse to the velocities (per point of the body) at the end of the step: it minimises kinetic
  // energy over impulses for which the sum of both pushes. `inverse_mass` is the inverse mass within the subspace of
  // the held points, which the velocities are in. `impulse_per_force`, seconds, converts a force on the step's
  // right-hand side to an impulse.
  void settle(const LinearOperator& inverse_mass, double impulse_per_force, const Unknowns& unknowns,
              std::span<Vec3> velocity) {
    settle(inverse_mass, impulse_per_force, unknowns, velocity, {});
  }
  // Friction with the obstacles, after the second impulse. `change` receives the change of the velocities by friction,
  // and may be empty.
  struct Rubbing {
    double friction = 0;  // coefficient
    const Obstacles* obstacles = nullptr;
    double step = 0;  // seconds
    std::span<Vec3> change{};
  };
  void settle(const LinearOperator& inverse_mass, double impulse_per_force, const Unknowns& unknowns,
              std::span<Vec3> velocity, const Rubbing& rubbing);

  // Effects of the last hold() and settle() on the balls, in their order.
  std::span<const BallPush> ball_pushes() const { return balls_.pushes(); }

 private:
  bool add_violated(const ContactSearch& search, ContactedBody& body, double depth);
  void add_violated_meetings(const ContactSearch& search, ContactedBody& body, double depth);
  void add_contacts(ScratchVector<Contact>& found);
  void keep_deepest(ScratchVector<Contact>& contacts) const;
  bool reachable(const ContactSearch& search, std::size_t point, ScratchVector<PointEntry>& entries) const;
  Contact contact_of(const ContactSearch& search, ContactedBody& body, std::size_t point, std::size_t obstacle,
                     ScratchVector<PointEntry> entries) const;
  bool beside_held(std::span<const PointEntry> entries) const;
  bool any_beside_held() const;
  void find_compliance(double beside_held_compliance);
  double largest_force_beside_held() const;
  void find_forces(ContactedBody& body, double tolerance);
  double distance_from_floor(std::size_t contact) const;
  double largest_violation() const;
  bool squeezed() const;

  // Where a contact's point is, as seen from its obstacle where the step's obstacles say it stands.
  Vec3 seen(std::size_t contact) const {
    return balls_.seen_from(contacts_[contact].obstacle, place_[contacts_[contact].point]);
  }

  const SparseRows& surface_;
  ContactLengths lengths_;
  std::vector<Vec3> place_;  // per surface point
  std::vector<char> known_;  // per obstacle and point, then per meeting with other skin: whether it is in contacts_
  ContactSet contacts_;
  BallsInContact balls_;
  std::vector<double> force_;       // per contact
  std::vector<double> total_;       // per unknown
  double softness_ = 1;             // factor by which apply_compliance() is too stiff
  std::vector<double> compliance_;  // per contact, additional compliance at held points, metres per newton
  double compliance_at_held_ = 0;   // additional compliance relative to the mean of all contacts
  std::vector<char> beside_held_;   // per unknown, whether it occurs in the row of a held point
  int pushed_ = 0;
};

}  // namespace sinew
