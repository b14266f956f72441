// Simulation of flesh in tetrahedra: the part common to both references. FleshReference is the part that differs.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/flesh/quasi_newton_step.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/factor_levels.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"

namespace sinew {

// Constraints of a step in tetrahedra. meet() meets all of them at once, where one solve is the step. In iterations
// held points are met at the beginning and stay where they are, and meet() is for obstacles alone.
class FleshConstraints : public StepConstraints {
 public:
  virtual bool touches() const = 0;  // true if there are obstacles

  // Begins iterations: moves held points to their targets, by the least change as `inverse` measures it. `inverse`: the
  // body's factor.
  virtual void begin_iterations(const LinearOperator& inverse, std::span<double> displacement) = 0;
  // Finds the forces with which held points stay, and adds them to the residual.
  virtual void take_off_held(const LinearOperator& inverse, std::span<double> residual) = 0;
  // The forces found, which later residuals are to have, 3 numbers per free vertex; empty: none.
  virtual std::span<const double> held_forces() const = 0;
  // Applies `inverse` where held points stay where they are.
  virtual void apply_held(const LinearOperator& inverse, std::span<const double> from, std::span<double> to) = 0;
  // Ends iterations: completes the forces of held points from `balance`, the residual of the last iteration.
  virtual void end_iterations(const LinearOperator& inverse, std::span<const double> balance,
                              std::span<double> displacement) = 0;
};

// A search for static equilibrium.
struct RestSearch {
  bool from_here = false;  // it begins at the displacements that are passed, not at none, where it iterates
  double tolerance = 0;    // of TissueStep, relative to the whole displacement; 0: as exact as forces are
};

// The systems of a body at a pose. Vectors hold 3 numbers per free vertex, in local frames (docs/flesh.md).
class FleshReference {
 public:
  virtual ~FleshReference() = default;

  // Sets the frames of a pose, which must live until the next call.
  virtual void set_pose(const VertexFrames& frames) = 0;
  // Stiffens the flesh (RigState::stiffening) from the next set_pose() on. Throws usage_error if the elasticity does
  // not allow it.
  virtual void stiffen(std::span<const PointStiffening> stiffening);
  // Activates muscles (RigState::activation) until the next call. Throws usage_error if muscles are active that the
  // elasticity does not have.
  virtual void activate(std::span<const double> activation);
  // Computes, per entry of `points`, the derivative of along . forces_at_rest(displacement) by the logarithm of that
  // vertex' stiffening, joules. Throws as stiffen() does.
  virtual void find_work_by_stiffening(std::span<const double> displacement, std::span<const double> along,
                                       std::span<const int> points, std::span<double> work);

  // Multiplies stiffness and damping (Environment), initially 1. `factor`: of the level of both (factor_level()).
  // Throws usage_error if the elasticity does not allow it.
  virtual void set_tissue(double stiffness, double damping, const StepFactor& factor);

  // Sets the frames of the pose in which the next step begins, which must live until its end.
  virtual void begin_step(const VertexFrames& before) { (void)before; }

  // Computes displacements of static equilibrium under the body's gravity and `forces`, 3 numbers per free vertex,
  // local, newtons; empty: none. Throws simulation_error if a part that must be held is not.
  virtual StepStatistics find_rest(std::span<const double> forces, std::span<double> displacement,
                                   const RestSearch& search = {}) = 0;
  // Computes the forces under which `displacement` is in static equilibrium: the inverse of find_rest().
  virtual void forces_at_rest(std::span<const double> displacement, std::span<double> forces) = 0;

  // Computes displacements at the end of a step from `b`, the terms of inertia, previous forces and external forces on
  // the right-hand side. Adds the damping of history to `b` if the system has it. `constraints`: to be met; null: none.
  virtual StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> displacement,
                                    FleshConstraints* constraints) = 0;

  // Returns the residual that the last step left, newtons; empty: none, or it is not known.
  virtual std::span<const double> residual() const { return {}; }

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
