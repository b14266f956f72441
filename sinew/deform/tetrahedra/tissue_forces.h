// Nonlinear elastic and viscous forces of a body in one pose (deform/flesh/goal_elasticity.h), in local frames.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/goal_elasticity.h"
#include "sinew/deform/flesh/quasi_newton_step.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

// The shape in which no force acts.
enum class NaturalShape {
  goal,  // the rig's goal, in every pose
  rest,  // the bind pose
};

class TissueForces {
 public:
  virtual ~TissueForces() = default;

  // Sets the frames of a pose; `frames` must live until the next call.
  virtual void set_pose(const VertexFrames& frames) = 0;
  // Stiffens the flesh (RigState::stiffening) from the next set_pose() on, and its viscosity with it.
  virtual void stiffen(std::span<const PointStiffening> stiffening) = 0;

  // Activates the body's muscles (RigState::activation).
  virtual void activate(std::span<const double> activation) = 0;
  // Whether any muscle is active.
  virtual bool active() const = 0;

  // Muscles pull by the velocity of their fibres, from these displacements, 3 numbers per free vertex, in these frames,
  // until end_step().
  virtual void begin_step(const VertexFrames& before, std::span<const double> u) = 0;
  virtual void end_step() = 0;

  // Multiplies the elastic energy and forces by `stiffness` and the viscous forces by `damping`, initially 1.
  virtual void set_tissue(double stiffness, double damping) = 0;

  // Computes dU/du + D du/dt, minus the force, 3 numbers per free vertex, local, newtons. `u`: displacements;
  // `velocity`: their rates, metres per second. Returns the elastic energy, joules, without that of the bone springs.
  virtual double find(std::span<const double> u, std::span<const double> velocity, std::span<double> gradient) = 0;

  // Computes, per entry of `points`, the derivative of along . gradient, with the gradient that find() computes of `u`
  // at rest, by the logarithm of the factor by which that vertex is stiffened, joules. `along`: 3 numbers per free
  // vertex, local, metres.
  virtual void find_work_by_stiffening(std::span<const double> u, std::span<const double> along,
                                       std::span<const int> points, std::span<double> work) = 0;

  // Fraction of the samples whose goal is bounded in this pose.
  virtual double bounded() const = 0;
};

// `body` must outlive the result.
std::unique_ptr<TissueForces> tissue_forces(const FleshBody& body, NaturalShape shape, const TissueLaw& law,
                                            TissuePrecision precision = TissuePrecision::doubles);

}  // namespace sinew
