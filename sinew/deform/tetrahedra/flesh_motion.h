// Flesh in tetrahedra over time. What its two references have in common is here; what elasticity is about in each is a
// FleshReference.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"

namespace sinew {

// The systems of a body at a pose. Vectors hold 3 numbers per free vertex, local (docs/flesh.md).
class FleshReference {
 public:
  virtual ~FleshReference() = default;

  // Takes over the frames of a pose; they must live until the next call.
  virtual void set_pose(const VertexFrames& frames) = 0;

  // Displacements of static equilibrium under what the body's gravity asks.
  virtual StepStatistics find_rest(std::span<double> displacement) = 0;

  // Displacements at the end of a step from `b`, what inertia, the last forces and outside ones put on its right-hand
  // side. On return `b` has the damping of history too, where the system asks for it.
  virtual StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> displacement) = 0;

  // The inverse of that step's system. Returns the iterations that it took.
  virtual int solve(std::span<const double> b, std::span<double> x) = 0;
  // Of what acts from outside: how exactly solve() lets it be met, relative.
  virtual double tolerance() const = 0;

  // S u of the step's solution, from all of its right-hand side; empty where the method does not keep it.
  virtual std::span<const double> stiff(std::span<const double> b, std::span<const double> displacement) {
    return (void)b, (void)displacement, std::span<const double>{};
  }
};

std::unique_ptr<BodyMotion> flesh_motion(std::shared_ptr<const FleshBody> body,
                                         std::unique_ptr<FleshReference> reference);

}  // namespace sinew
