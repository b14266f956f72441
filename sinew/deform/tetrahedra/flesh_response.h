// Response of flesh in tetrahedra to loads, position constraints and colliders. Constraint and
// contact forces are added to the right-hand side of a step's system, which is not refactored: a Schur complement for
// held points, a bounded search for contacts, both over the few vertices involved. Over a step these forces act as two
// impulses on the velocities, one before it and one after it; positions, accelerations and forces stay those of the
// step itself (contact/contact_forces.h; docs/flesh.md, Hands and obstacles).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/contact/contact_forces.h"
#include "sinew/contact/held_points.h"
#include "sinew/contact/surface_points.h"
#include "sinew/deform/environment.h"
#include "sinew/deform/flesh/skin_creases.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/factor_levels.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"
#include "sinew/deform/tetrahedra/held_compliance.h"
#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

// The step that is being computed.
struct FleshMoment {
  const VertexFrames& frames;            // at the end of the step
  const VertexFrames& before;            // at the beginning of the step
  const FleshState& state;               // at the beginning of the step
  std::span<const Affine> bones;         // at the end of the step
  std::span<const Affine> bones_before;  // at the beginning of the step
};

class FleshResponse {
 public:
  // `body` must outlive this.
  explicit FleshResponse(const FleshBody& body);

  // Sets the loads of the steps that follow. `factor`: that of their system. Throws what check_environment() throws.
  void set(const Environment& environment, const StepFactor& factor);

  // Comes first in a step: places the rig's surface, and finds where skin may touch other skin.
  void begin_step(const FleshMoment& moment);

  // True if points are held, there are colliders, or skin may touch other skin.
  bool acts() const { return !held_.empty() || touches(); }
  bool touches() const { return environment_.touches() || (creases_ && !creases_->meetings().empty()); }
  bool rubs() const { return environment_.friction > 0 && touches(); }

  // True if anything but inertia may displace flesh far.
  bool leads() const { return acts() || environment_.gravity; }

  // Adds factor R^T F to `local` for loads and the change of gravity, 3 numbers per free vertex.
  void add_loads(const VertexFrames& frames, double factor, std::span<double> local) const;

  // Finds the forces with which the step ends with held points at their targets and no surface point inside a collider.
  // `displacement` (local, 3 numbers per free vertex) is the step's end without them on entry, and with them on return.
  // Returns the number of points in contact.
  //
  // `solve`: inverse of the step's system, local. If it is not the factor of set(), that guides the search and `solve`
  // corrects it. `tolerance`: accuracy of targets and contacts, relative to their largest error without the
  // forces.
  int meet(const FleshMoment& moment, const LinearOperator& solve, double tolerance, std::span<double> displacement);

  // Parts of meet() for iterations, which meet held points first and keep them where they are (FleshConstraints). The
  // `solve` of meet_obstacles() must keep them there.
  void begin_iterations(const FleshMoment& moment, const LinearOperator& solve, std::span<double> displacement);
  void take_off_held(const FleshMoment& moment, const LinearOperator& solve, std::span<double> residual);
  std::span<const double> held_forces() const { return held_force_; }
  void apply_held(const FleshMoment& moment, const LinearOperator& solve, std::span<const double> from,
                  std::span<double> to);
  int meet_obstacles(const FleshMoment& moment, const LinearOperator& solve, double tolerance,
                     std::span<double> displacement);
  void end_iterations(const FleshMoment& moment, const LinearOperator& solve, std::span<const double> balance,
                      std::span<double> displacement);

  // Contribution of the forces of the last meet() to the right-hand side of the step's system, local, newtons.
  std::span<const double> right_hand_side() const { return right_hand_side_; }

  // Adds the impulse of those forces to the velocities at the step's beginning.
  void push_before_step(const VertexFrames& frames, FleshState& state) const;
  // Adds the impulse after the step to the velocities at its end.
  void settle_after_step(const FleshMoment& moment, FleshState& state);
  // Lets friction act as it did in the last step, in half before this one: flesh that rests on a slope would creep by
  // half a step's acceleration otherwise. settle_after_step() takes that back before it finds this step's friction.
  void rub_before_step(FleshState& state);

  // Distances of held points from their targets at the end of the last step.
  std::span<const ConstraintError> constraint_errors() const { return constraint_errors_; }
  // Effects of the last step on falling balls.
  std::span<const BallPush> ball_pushes() const { return contact_.ball_pushes(); }

 private:
  class InContact;

  Unknowns unknowns() const { return {body_.free_index, body_.free_vertex}; }
  double impulse_per_force() const { return 1 / (body_.method.mass_factor() * body_.method.step); }
  void prepare_contacts();
  Obstacles obstacles() const;
  void find_offsets(const FleshMoment& moment);
  void take_positions(const FleshMoment& moment, std::span<const double> displacement);
  // Adds the response to `world` forces, 3 numbers per free vertex, to `displacement`.
  void respond(const FleshMoment& moment, const LinearOperator& solve, std::span<const double> world,
               std::span<double> displacement);
  int push_out(const FleshMoment& moment, const LinearOperator& solve, double tolerance, bool holds,
               std::span<double> displacement);
  void hold_points(const FleshMoment& moment, const LinearOperator& solve, std::span<double> displacement);
  void find_held_forces(std::span<double> along, std::span<double> world) const;
  void find_holding_force(const FleshMoment& moment, std::span<const double> displacement, std::span<double> world);

  const FleshBody& body_;
  StepFactor factor_;
  Environment environment_;
  SparseRows surface_;        // a row per point of the surface over the body's vertices
  SurfacePoints points_;      // computed on first use
  std::vector<Vec3> loaded_;  // per vertex, newtons, world: loads and change of gravity; empty: none
  HeldPoints held_;
  ContactForces contact_;
  std::optional<SkinCreases> creases_;  // none: skin passes through itself
  std::vector<Vec3> offset_;    // per surface point: difference between the rig's surface and the body's, metres
  std::vector<Vec3> position_;  // per vertex, as the step ends, world
  HeldCompliance held_compliance_;
  std::vector<double> right_hand_side_, local_, change_;
  std::vector<double> held_force_;  // local; empty: nothing is held
  std::vector<ConstraintError> constraint_errors_;
};

}  // namespace sinew
