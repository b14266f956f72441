// Points and patches of the surface that are held at given positions, by hands or by ring constraints: linear
// constraints on the unknowns of a body (Capell 2004, section 4.8), met in position and velocity at the end of each
// step; exactly to rounding if the body permits, otherwise in the least-squares sense (docs/constraints.md).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/shared_text.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/contact/surface_patch.h"
#include "sinew/contact/unknowns.h"
#include "sinew/elastic/lagrange_constraints.h"
#include "sinew/elastic/linear_constraints.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// A held point: single (a grab or drag), or one of a ring constraint (belt) or of a patch of skin.
struct HeldPoint {
  SurfacePoint point;
  Vec3 target;      // position at the end of the step, metres, world
  Vec3 velocity;    // velocity of the target at that time, m/s, world
  SharedText name;  // name of the grab or belt, for messages
  // Number of the belt or patch, whose points are consecutive; -1: a single point. Where constraints conflict, a whole
  // belt has the weight of one single point.
  int group = -1;
  double share = 1;  // the point's share of the skin of its belt or patch; those of a patch sum to 1
  // True for a patch: its mean, weighted by `share`, is held like a single point; the positions of its points relative
  // to the mean are held like a belt's, as nearly as the body can follow.
  bool patch = false;
};

// Constraint error of a belt, of a patch's mean, or of a single point after a step.
struct ConstraintError {
  SharedText name;
  bool is_ring = false;          // true for a belt, false for a point and for a patch's mean
  double mean = 0, largest = 0;  // metres; the mean is over the belt's skin
};

// Computes the errors of all belts, patches and single points. `missed`: per point, the vector from its position to its
// target. Overwrites `constraint_errors`, reusing its memory.
void find_constraint_errors(std::span<const HeldPoint> points, std::span<const Vec3> missed,
                            std::vector<ConstraintError>& constraint_errors);

// State of a point that multipliers held in the last step.
struct HeldMemory {
  std::array<int, 3> vertex{-1, -1, -1};  // vertices of its surface point
  Vec3 away;                              // offset from its target at the end of the step, metres, world
  Vec3 rate;                              // rate at which that was to change, m/s
};

// Weights of the body's points at the held surface points: a row per held point. `surface`: a row per surface vertex.
SparseRows values_at_points(const SparseRows& surface, std::span<const HeldPoint> held);

// Constraints of held points. The output surface is offset_s + sum_i p_i phi_i(x_s), where `offset` is the difference
// between the rig's surface and the body's, per surface vertex, metres, world. Positions p and velocities are per point
// of the body, world.
class HeldPoints {
 public:
  // `surface`: a row per surface vertex over the body's points; must outlive this.
  explicit HeldPoints(const SparseRows& surface) : surface_(surface) {}

  // Sets the held points for the following steps, over the given unknowns. `inertia` returns kilograms per unknown; it
  // is called only if the rows differ from those of the last call.
  void hold(std::span<const HeldPoint> points, const Unknowns& unknowns,
            const std::function<std::vector<double>()>& inertia, bool unknowns_changed);

  bool empty() const { return points_.empty(); }
  const LinearConstraints& linear() const { return *linear_; }  // over the unknowns; must not be called if empty()
  // Applies the least change of the unknowns (three numbers each) that moves the points by `missing`:
  // LinearConstraints::meet().
  void meet(std::span<const Vec3> missing, std::span<double> change) const;

  // Per point, the vector from its position to its target.
  ScratchVector<Vec3> missing(std::span<const Vec3> position, std::span<const Vec3> offset) const;
  // Per point, the velocity of its target relative to its own.
  ScratchVector<Vec3> missing_velocity(std::span<const Vec3> velocity) const;

  // Replaces the targets of the coming step so that points off their targets return by the damped `oscillation`.
  // `position` and `velocity` are those at the beginning of the step, `held` comes from remember() after the last one,
  // `step` is in seconds. Points that were not held in the last step start from their current state.
  void stabilize(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const HeldMemory> held,
                 std::span<const Vec3> offset, double step, const Baumgarte& oscillation);
  // Stores the points' state after the step for the next one; overwrites `memory`.
  void remember(std::span<const Vec3> position, std::span<const Vec3> offset, std::vector<HeldMemory>& memory) const;

  // Independent rows over the unknowns that leave the same motions free as the held points.
  const SparseRows& rows() const { return rows_; }

  // Projection v -= Q Q^T v, in place, three numbers per unknown; no effect if nothing is held.
  void project(std::span<double> v) const;

  // Constraint errors of all belts, patches and single points.
  void constraint_errors(std::span<const Vec3> position, std::span<const Vec3> offset,
                         std::vector<ConstraintError>& constraint_errors) const;

  // Inverse mass within the constraints: maps impulses on the unknowns to the velocities that the constraints permit.
  const LinearOperator& inverse_mass(const LinearOperator& whole);

  // The change of the unknowns' velocities, three numbers each, by the impulse at the points that gives them the
  // velocities of their targets with the least kinetic energy. `mass` maps velocities to momenta, `inverse_mass` back.
  void meet_velocities(const LinearOperator& mass, const LinearOperator& inverse_mass, std::span<const Vec3> velocity,
                       std::span<double> change);

 private:
  const SparseRows& surface_;
  std::vector<HeldPoint> points_;
  SparseRows values_;  // over all points of the body
  SparseRows asked_;   // requested values, a row per constraint of linear_
  SparseRows rows_;
  // Offsets of the points from their own targets and their rates, as stabilize() requires them.
  std::vector<Vec3> away_, rate_;
  std::optional<LinearConstraints> linear_;
  std::optional<LinearOperator> inverse_mass_;
};

}  // namespace sinew
