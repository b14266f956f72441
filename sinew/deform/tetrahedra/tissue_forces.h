// Nonlinear elastic and viscous forces of a body in one pose (deform/flesh/goal_elasticity.h), in local frames.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/flesh/goal_elasticity.h"
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
  // `body` must outlive this.
  TissueForces(const FleshBody& body, NaturalShape shape, const TissueLaw& law);

  // Sets the frames of a pose; `frames` must live until the next call.
  void set_pose(const VertexFrames& frames);

  // Computes dU/du + D du/dt, minus the force, 3 numbers per free vertex, local, newtons. `u`: displacements;
  // `velocity`: their rates, metres per second. Returns the elastic energy, joules, without that of the bone springs.
  double find(std::span<const double> u, std::span<const double> velocity, std::span<double> gradient);

  // Fraction of the samples whose goal is bounded in this pose.
  double bounded() const { return bounded_; }

 private:
  bool keeps_goal(std::size_t patch) const { return shape_ == NaturalShape::goal || rig_shaped_[patch] != 0; }
  void add_springs_and_damping(std::span<const double> u, std::span<const double> velocity, std::span<double> gradient);

  const FleshBody& body_;
  NaturalShape shape_;
  TissueLaw law_;
  const VertexFrames* frames_ = nullptr;
  PatchElasticity<double> elasticity_;
  PatchRows rows_;
  std::vector<char> rig_shaped_;               // per patch: whether it keeps the rig's shape
  std::vector<NaturalPatch<double>> natural_;  // per patch
  // Per vertex, world: displacement, position, and rate times the stiffness damping.
  std::vector<Row<double>> displacement_, position_, rate_;
  std::vector<Row<double>> force_;  // per vertex of each patch
  std::vector<double> damped_;      // 3 numbers per free vertex: painted damping
  double bounded_ = 0;
};

}  // namespace sinew
