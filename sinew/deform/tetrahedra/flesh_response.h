// How flesh in tetrahedra answers what acts from outside: loads, held points, obstacles. What holds and what keeps out
// are forces on the right-hand side of a step's system, which stays as it was factorised: a Schur complement for held
// points, a bounded search for contacts, both over the few vertices that they touch. Over a step these forces act as
// two impulses on the velocities, one before it and one after it; positions, accelerations and forces stay those of the
// step itself (contact/contact_forces.h; docs/flesh.md, Hands and obstacles).
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/contact_forces.h"
#include "sinew/contact/held_points.h"
#include "sinew/contact/surface_points.h"
#include "sinew/deform/environment.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"
#include "sinew/linalg/dense_cholesky.h"
#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

// A step in the making.
struct FleshMoment {
  const VertexFrames& frames;     // at its end
  const VertexFrames& before;     // at its beginning
  const FleshState& state;        // there
  std::span<const Affine> bones;  // at its end
};

class FleshResponse {
 public:
  // `body` must outlive this.
  explicit FleshResponse(const FleshBody& body);

  // What acts in the steps that follow. Throws what check_environment() throws.
  void set(const Environment& environment);

  // Whether points are held, or there are obstacles.
  bool acts() const { return !held_.empty() || environment_.touches(); }

  // Whether anything but inertia may carry flesh far.
  bool leads() const { return acts() || environment_.gravity; }

  // local += factor R^T F of the loads, and of what gravity differs by, 3 numbers per free vertex.
  void add_loads(const VertexFrames& frames, double factor, std::span<double> local) const;

  // Finds the forces that end the step with held points at their targets and no surface point inside an obstacle. On
  // entry `displacement` (local, 3 numbers per free vertex) is the step's end without them, on return with them.
  // Returns how many points are pushed.
  //
  // `solve` is the inverse of the step's system, local; where it is not the body's factor, that one guides the search
  // and `solve` corrects it. `tolerance`: how far points may end from where they should, relative to the farthest
  // without the forces.
  int meet(const FleshMoment& moment, const LinearOperator& solve, double tolerance, std::span<double> displacement);

  // What the forces of the last meet() add to the right-hand side of the step's system, local, newtons.
  std::span<const double> right_hand_side() const { return right_hand_side_; }

  // The impulse of those forces, on the velocities at the step's beginning.
  void push_before_step(const VertexFrames& frames, FleshState& state) const;
  // The one after the step, on the velocities at its end.
  void settle_after_step(const FleshMoment& moment, FleshState& state);

  // How far held points were from their targets as the last step ended.
  std::span<const HeldMisfit> misfits() const { return misfits_; }

 private:
  class InContact;

  Unknowns unknowns() const { return {body_.free_index, body_.free_vertex}; }
  double impulse_per_force() const { return 1 / (body_.method.mass_factor() * body_.method.step); }
  void prepare_contacts();
  void find_offsets(const FleshMoment& moment);
  void take_positions(const FleshMoment& moment, std::span<const double> displacement);
  void factor_held(const VertexFrames& frames);
  // Moves `displacement` by the answer to `world` forces, 3 numbers per free vertex.
  void respond(const FleshMoment& moment, const LinearOperator& solve, std::span<const double> world,
               std::span<double> displacement);
  void hold_points(const FleshMoment& moment, const LinearOperator& solve, std::span<double> displacement);

  const FleshBody& body_;
  Environment environment_;
  SparseRows surface_;        // a row per point of the surface over the body's vertices
  SurfacePoints points_;      // found when first asked for
  std::vector<Vec3> loaded_;  // per vertex, newtons, world, with what gravity differs by; empty: none
  HeldPoints held_;
  ContactForces contact_;
  std::vector<Vec3> offset_;    // per point of the surface: what the rig's own surface differs from the body's by
  std::vector<Vec3> position_;  // per vertex, as the step ends, world
  // Of held points: their independent rows over the vertices that they touch, and S = Q^T A^-1 Q.
  std::vector<int> held_vertices_;  // free, ascending
  DenseCholesky schur_;
  std::vector<double> right_hand_side_, local_, change_;
  std::vector<HeldMisfit> misfits_;
};

}  // namespace sinew
