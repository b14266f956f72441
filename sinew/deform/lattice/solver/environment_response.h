// Response of flesh in a lattice to position constraints and colliders. Their forces act over a step as two impulses on
// the velocities, one before it and one after it; positions, accelerations and forces stay those of the step itself
// (docs/constraints.md).
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/function_ref.h"
#include "sinew/contact/contact_forces.h"
#include "sinew/contact/held_points.h"
#include "sinew/deform/flesh/skin_creases.h"
#include "sinew/deform/lattice/lattice_environment.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/deform/lattice/solver/unknown_mass.h"

namespace sinew {

class EnvironmentResponse {
 public:
  // `body` must outlive this.
  explicit EnvironmentResponse(const LatticeBody& body);

  // Sets the loads of the steps that follow. Throws what check_environment() throws.
  void set(const Environment& environment);

  // Must be called after functions were switched on or off.
  void functions_changed() { functions_changed_ = true; }

  // Begins a step with the active functions and the pose of the rig at the step's end; `before`: bones at its
  // beginning.
  void begin_step(const ActiveFunctions& active, const LatticePose& pose, std::span<const Affine> bones,
                  std::span<const Affine> before);

  // For HeldBy::multipliers: sets the targets of held points in this step from their positions before it (Baumgarte
  // stabilisation).
  void stabilize(const LatticeState& before);
  void remember(std::span<const Vec3> position, std::vector<HeldMemory>& memory) const {
    held_.remember(position, offset_, memory);
  }

  bool acts() const { return !held_.empty() || touches(); }
  bool touches() const { return environment_.touches() || (creases_ && !creases_->meetings().empty()); }
  Vec3 gravity_change() const { return change_of_gravity(body_, environment_); }
  const HeldPoints& held() const { return held_; }

  // Distances of held points from their targets at `position`, at the end of the step.
  void constraint_errors(std::span<const Vec3> position, std::vector<ConstraintError>& constraint_errors) const {
    held_.constraint_errors(position, offset_, constraint_errors);
  }

  // Effects of the last step on falling balls.
  std::span<const BallPush> ball_pushes() const { return contact_.ball_pushes(); }

  // Computes the smallest change of the unknowns that moves held points from `position` to their targets.
  void meet_targets(std::span<const Vec3> position, std::span<double> change);

  // Finds the forces that keep the surface out of colliders, and returns the number of points in contact.
  // `approximate_inverse`: symmetric approximation to the inverse of the step's system, which guides the search.
  // `respond` must update `position` (per function, end of step) by the exact response to the given additional forces.
  // `tolerance`: that of ContactSearch.
  int meet_obstacles(const LatticeMoment& moment, const LinearOperator& approximate_inverse,
                     FunctionRef<void(std::span<const double>)> respond, double tolerance,
                     std::span<const Vec3> position);

  // Forces on the unknowns found so far in this step, newtons: those of contacts and of position constraints.
  std::span<const double> force() const { return force_; }
  void add_force(std::span<const double> force);
  void forget_forces() { std::fill(force_.begin(), force_.end(), 0.0); }  // for a search from the start

  // Computes the change of velocity at a step's beginning that has the effect of `force` over the step; per unknown,
  // m/s.
  void impulse_of(std::span<const double> force, std::span<double> velocity) const;

  // Adds the impulse of all forces to the velocities at the step's beginning (per function).
  void push_before_step(const ActiveFunctions& active, std::span<Vec3> velocity) const;

  // Adds the impulse after the step, after which held points move as their targets do and no contact point moves into
  // its collider.
  void settle_after_step(const ActiveFunctions& active, std::span<Vec3> velocity);

 private:
  LinearOperator mass() const;
  LinearOperator inverse_mass() const;

  const LatticeBody& body_;
  Environment environment_;
  HeldPoints held_;
  ContactForces contact_;
  std::optional<SkinCreases> creases_;  // none: skin passes through itself
  UnknownMass mass_;
  bool functions_changed_ = true;  // since held_ and mass_ were computed
  std::vector<Vec3> offset_;       // per surface vertex (predict_surface_offsets)
  std::vector<double> force_;
};

}  // namespace sinew
