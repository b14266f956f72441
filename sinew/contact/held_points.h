// Points and patches of the surface that are held where a hand or a belt has them: linear constraints on the unknowns
// of a body (Capell 2004, section 4.8), met in position and velocity at the end of each step: to rounding where the
// body can, else in the least-squares sense (docs/constraints.md).
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

// A point that is grabbed or dragged, or one of a belt's ring, or one of a patch of skin that a hand holds.
struct HeldPoint {
  SurfaceSpot spot;
  Vec3 target;      // metres, world: where it is as the step ends
  Vec3 velocity;    // m/s, world: of the target there
  SharedText name;  // for messages: of the grab, or of the belt
  // Points of one belt or patch have one number and follow each other; -1: a point by itself. A belt counts as much as
  // a point by itself where they cannot all be met.
  int belt = -1;
  double share = 1;  // of the belt's skin, the point's own; of a patch's in all 1
  // Of a patch the mean by shares is held as a point by itself is, and where its points are around that mean as a
  // belt's are: as nearly as the body can follow.
  bool patch = false;
};

// How far a belt, a patch's mean, or a point by itself, is from where it should be after a step.
struct HeldMisfit {
  SharedText name;
  bool belt = false;
  double mean = 0, largest = 0;  // metres; the mean over the belt's skin
};

// `missed`: of each point, from where it is to its target. Replaces what `misfits` has, in its memory.
void find_misfits(std::span<const HeldPoint> points, std::span<const Vec3> missed, std::vector<HeldMisfit>& misfits);

// A point that multipliers held in the last step.
struct HeldMemory {
  std::array<int, 3> vertex{-1, -1, -1};  // of its spot
  Vec3 away;                              // from its target as the step ended, metres, world
  Vec3 rate;                              // at which that was to change, m/s
};

// Weights of the body's points at spots of the surface: a row per held point. `surface`: a row per surface vertex.
SparseRows values_at_spots(const SparseRows& surface, std::span<const HeldPoint> held);

// The shown surface is offset_s + sum_i p_i phi_i(x_s): the `offset` is what the rig's own surface differs from the
// body's by, per surface vertex, metres, world. Positions p and velocities are per point of the body, world.
class HeldPoints {
 public:
  // `surface`: a row per surface vertex over the body's points; must outlive this.
  explicit HeldPoints(const SparseRows& surface) : surface_(surface) {}

  // Holds these points from now on, over these unknowns. `inertia`: kilograms per unknown, asked for where the rows are
  // not those of the last call.
  void hold(std::span<const HeldPoint> points, const Unknowns& unknowns,
            const std::function<std::vector<double>()>& inertia, bool unknowns_changed);

  bool empty() const { return points_.empty(); }
  const LinearConstraints& linear() const { return *linear_; }  // over the unknowns; there is none where empty()
  // Changes the unknowns, three numbers each, least so that the points move by `missing`; LinearConstraints::meet().
  void meet(std::span<const Vec3> missing, std::span<double> change) const;

  // From where the points are to their targets.
  ScratchVector<Vec3> missing(std::span<const Vec3> position, std::span<const Vec3> offset) const;
  // The same of velocities.
  ScratchVector<Vec3> missing_velocity(std::span<const Vec3> velocity) const;

  // Moves the targets of the coming step to where points that are off theirs come back as the oscillation says:
  // `position` and `velocity` are those at its beginning, `held` what memory() gave after the last one, `step` in
  // seconds. What was not held then is taken as it is.
  void stabilize(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const HeldMemory> held,
                 std::span<const Vec3> offset, double step, const Baumgarte& oscillation);
  // How the points are after it, for the next; replaces what `memory` has.
  void remember(std::span<const Vec3> position, std::span<const Vec3> offset, std::vector<HeldMemory>& memory) const;

  // Independent rows over the unknowns, which leave free what the points leave free.
  const SparseRows& rows() const { return rows_; }

  // v -= Q Q^T v, in place, three numbers per unknown; nothing where nothing is held.
  void project(std::span<double> v) const;

  // How far each belt, and each point by itself, is from its target.
  void misfits(std::span<const Vec3> position, std::span<const Vec3> offset, std::vector<HeldMisfit>& misfits) const;

  // Inverse mass within the constraints: impulses on the unknowns to the velocities that they leave.
  const LinearOperator& inverse_mass(const LinearOperator& whole);

  // The change of the unknowns' velocities, three numbers each, by the impulse at the points that makes them move as
  // their targets do: that of least kinetic energy. `mass` takes velocities to momenta, `inverse_mass` back.
  void meet_velocities(const LinearOperator& mass, const LinearOperator& inverse_mass, std::span<const Vec3> velocity,
                       std::span<double> change);

 private:
  const SparseRows& surface_;
  std::vector<HeldPoint> points_;
  SparseRows values_;  // over all points of the body
  SparseRows asked_;   // what is asked of the points, a row per constraint of linear_
  SparseRows rows_;
  std::vector<Vec3> away_, rate_;  // of points from their own targets, as the step that was stabilised asks for
  std::optional<LinearConstraints> linear_;
  std::optional<LinearOperator> inverse_mass_;
};

}  // namespace sinew
