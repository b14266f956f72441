// How flesh in a lattice answers what acts from outside: held points and obstacles. Their forces act over a step as two
// impulses on the velocities, one before it and one after it; positions, accelerations and forces stay those of the
// step itself (docs/constraints.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/base/function_ref.h"
#include "sinew/contact/contact_forces.h"
#include "sinew/contact/held_points.h"
#include "sinew/deform/lattice/lattice_environment.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/deform/lattice/solver/unknown_mass.h"

namespace sinew {

class EnvironmentResponse {
 public:
  // `body` must outlive this.
  explicit EnvironmentResponse(const LatticeBody& body);

  // What acts in the steps that follow. Throws what check_environment() throws.
  void set(const Environment& environment);

  // Functions were switched on or off since the last step.
  void functions_changed() { functions_changed_ = true; }

  // Gets ready for a step: over the present functions, with the rig as it is at the step's end.
  void begin_step(const ActiveFunctions& active, const LatticePose& pose, std::span<const Affine> bones);

  // Where held points are held by multipliers: their targets in the step that has begun, from where they were before
  // it.
  void stabilize(const LatticeState& before);
  void remember(std::span<const Vec3> position, std::vector<HeldMemory>& memory) const {
    held_.remember(position, offset_, memory);
  }

  bool acts() const { return !held_.empty() || environment_.touches(); }
  bool touches() const { return environment_.touches(); }
  Vec3 gravity_change() const { return change_of_gravity(body_, environment_); }
  const HeldPoints& held() const { return held_; }

  // How far held points are from their targets at `position`, as the step that was begun ends.
  void misfits(std::span<const Vec3> position, std::vector<HeldMisfit>& misfits) const {
    held_.misfits(position, offset_, misfits);
  }

  // The change of the unknowns that takes held points from `position` to their targets by the least way.
  void meet_targets(std::span<const Vec3> position, std::span<double> change);

  // Finds the forces that keep the surface out of obstacles. Returns how many points are pushed.
  // `approximate_inverse`: of the step's system, symmetric; it guides the search. `respond` changes `position` (per
  // function, as the step ends) by the step's own answer to forces beside those it has.
  int meet_obstacles(const LatticeMoment& moment, const LinearOperator& approximate_inverse,
                     FunctionRef<void(std::span<const double>)> respond, std::span<const Vec3> position);

  // The forces that the step knows of so far, on the unknowns, newtons: those of obstacles, and what hands add to them.
  std::span<const double> force() const { return force_; }
  void add_force(std::span<const double> force);

  // The change of the velocities at a step's beginning that does in it what `force` would; per unknown, m/s.
  void impulse_of(std::span<const double> force, std::span<double> velocity) const;

  // The impulse of all forces, on the velocities at the step's beginning (per function).
  void push_before_step(const ActiveFunctions& active, std::span<Vec3> velocity) const;

  // The one that makes held points move as their targets do and leaves no velocity into obstacles, after the step.
  void settle_after_step(const ActiveFunctions& active, std::span<Vec3> velocity);

 private:
  LinearOperator mass() const;
  LinearOperator inverse_mass() const;

  const LatticeBody& body_;
  Environment environment_;
  HeldPoints held_;
  ContactForces contact_;
  UnknownMass mass_;
  bool functions_changed_ = true;  // since held_ and mass_ were made
  std::vector<Vec3> offset_;       // of the surface (predict_surface_offsets)
  std::vector<double> force_;
};

}  // namespace sinew
