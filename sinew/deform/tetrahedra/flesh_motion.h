// Simulation of flesh in tetrahedra: the part common to both references. FleshReference is the part that differs.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/flesh/quasi_newton_step.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"

namespace sinew {

// The systems of a body at a pose. Vectors hold 3 numbers per free vertex, in local frames (docs/flesh.md).
class FleshReference {
 public:
  virtual ~FleshReference() = default;

  // Sets the frames of a pose, which must live until the next call.
  virtual void set_pose(const VertexFrames& frames) = 0;

  // Computes displacements of static equilibrium under the body's gravity.
  virtual StepStatistics find_rest(std::span<double> displacement) = 0;

  // Computes displacements at the end of a step from `b`, the terms of inertia, previous forces and external forces on
  // the right-hand side. Adds the damping of history to `b` if the system has it. `constraints`: to be met; null: none.
  virtual StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> displacement,
                                    StepConstraints* constraints) = 0;

  // Elastic energy of a state in the pose that was set last, joules.
  virtual double elastic_energy(std::span<const double> displacement) = 0;

  // Returns S u of the step's solution, computed from the complete right-hand side; empty if the method does not keep
  // it.
  virtual std::span<const double> stiff(std::span<const double> b, std::span<const double> displacement) {
    return (void)b, (void)displacement, std::span<const double>{};
  }
};

// 1/2 u^T S u, joules.
double linear_energy(const FleshBody& body, std::span<const double> u);

std::unique_ptr<BodyMotion> flesh_motion(std::shared_ptr<const FleshBody> body,
                                         std::unique_ptr<FleshReference> reference);

}  // namespace sinew
