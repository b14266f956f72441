// Forces of the muscles of a body in one pose (deform/flesh/fibre_elasticity.h). A body without muscles costs nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/flesh/fibre_elasticity.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

// Number of muscles whose activation is not 0. Throws usage_error unless there is one value per muscle of the body, or
// none at all.
std::size_t active_muscles(const MuscleFibres& muscles, std::span<const double> activation);

template <class Real>
class MuscleForces {
 public:
  // `body` must outlive this.
  explicit MuscleForces(const FleshBody& body);

  bool empty() const { return elasticity_.groups.empty(); }

  // Sets the pose. `from_goal`: passive force begins at the goal's stretch; false: at that of the rest shape.
  void set_pose(const VertexFrames& frames, bool from_goal, double most_stretch);
  // RigState::activation.
  void activate(std::span<const double> activation);
  bool active() const { return active_; }

  // The step that follows begins with these displacements, 3 numbers per free vertex, in these frames; fibres pull by
  // their velocity until end_step(). Nothing without activation.
  void begin_step(const VertexFrames& frames, std::span<const double> u);
  void end_step() { over_step_ = 0; }

  // Adds dU/du to `gradient`, 3 numbers per free vertex, local, newtons. `displacement`: per vertex of the body, world,
  // metres; `passive`: multiple of the passive force. Returns the energy, joules.
  double add(std::span<const Row<Real>> displacement, double passive, std::span<double> gradient);

 private:
  const FleshBody& body_;
  FibreElasticity<Real> elasticity_;
  std::vector<FibrePose<Real>> pose_;  // per group
  std::vector<Row<Real>> tension_;     // per lane of each group
  const VertexFrames* frames_ = nullptr;
  std::vector<Vec3> start_;  // per vertex: where the step begins, world, metres
  bool active_ = false;
  double over_step_ = 0;  // 1/s; 0: fibres count as still
};

}  // namespace sinew
