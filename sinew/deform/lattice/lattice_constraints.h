// Held points of the surface: linear constraints on the unknowns of a lattice (Capell 2004, section 4.8), met in position
// and velocity at the end of each step: to rounding where the functions can, else in the least-squares sense
// (docs/constraints.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/lattice/active_functions.h"
#include "sinew/deform/lattice/lattice_environment.h"
#include "sinew/deform/lattice/lattice_state.h"
#include "sinew/deform/lattice/unknown_mass.h"
#include "sinew/elastic/lagrange_constraints.h"
#include "sinew/elastic/linear_constraints.h"

namespace sinew {

class LatticeConstraints {
 public:
  // `body` must outlive this.
  explicit LatticeConstraints(const LatticeBody& body) : body_(body) {}

  // Holds these points from now on, over these unknowns. What is held already and over the same unknowns costs nothing.
  void hold(std::span<const HeldPoint> points, const ActiveFunctions& active, bool functions_changed);

  bool empty() const { return points_.empty(); }
  const LinearConstraints& linear() const { return *linear_; }  // over the unknowns; there is none where empty()

  // From where the points are to their targets; `position` per function, `offset` per surface vertex, metres, world.
  std::vector<Vec3> missing(std::span<const Vec3> position, std::span<const Vec3> offset) const;
  // The same of velocities.
  std::vector<Vec3> missing_velocity(std::span<const Vec3> velocity) const;

  // Moves the targets of the coming step to where points that are off theirs come back as the oscillation says: `state` is
  // the last step's, `step` in seconds. What was not held then is taken as it is in `state`, with the surface's `offset`
  // of the coming step.
  void stabilize(const LatticeState& state, std::span<const Vec3> offset, double step, const Baumgarte& oscillation);
  // How the points are after it, for the next.
  std::vector<HeldMemory> memory(std::span<const Vec3> position, std::span<const Vec3> offset) const;

  // Independent rows over the unknowns, which leave free what the points leave free.
  const SparseRows& rows() const { return rows_; }

  // v -= Q Q^T v, in place; nothing where nothing is held.
  void project(std::span<double> v) const;

  // How far each belt, and each point by itself, is from its target where functions are at `position`.
  std::vector<HeldMisfit> misfits(std::span<const Vec3> position, std::span<const Vec3> offset) const;

  // Inverse mass within the constraints: impulses to the velocities that they leave.
  const LinearOperator& inverse_mass(const UnknownMass& mass);

  // Changes `velocity` (per function) by the impulse at the points that makes them move as their targets do: the change
  // of least kinetic energy.
  void meet_velocities(const UnknownMass& mass, const ActiveFunctions& active, std::span<Vec3> velocity);

 private:
  const LatticeBody& body_;
  std::vector<HeldPoint> points_;
  SparseRows values_;  // over all functions
  SparseRows rows_;
  std::vector<Vec3> away_, rate_;  // of points from their own targets, as the step that was stabilised asks for
  std::optional<LinearConstraints> linear_;
  std::optional<LinearOperator> inverse_mass_;
};

}  // namespace sinew
