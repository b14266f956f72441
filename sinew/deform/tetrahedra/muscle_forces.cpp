#include "sinew/deform/tetrahedra/muscle_forces.h"

#include <algorithm>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t muscle_group_grain = 32, muscle_vertex_grain = 256;

}  // namespace

std::size_t active_muscles(const MuscleFibres& muscles, std::span<const double> activation) {
  if (!activation.empty() && activation.size() != muscles.muscles.size())
    throw usage_error("the flesh has " + std::to_string(muscles.muscles.size()) + " muscles, but " +
                      std::to_string(activation.size()) + " activations were given; give one per muscle, or none.");
  return static_cast<std::size_t>(
      std::count_if(activation.begin(), activation.end(), [](double value) { return value != 0; }));
}

template <class Real>
MuscleForces<Real>::MuscleForces(const FleshBody& body)
    : body_(body),
      elasticity_(
          fibre_elasticity<Real>(body.description.mesh, body.description.inside_fraction, body.description.muscles)),
      pose_(elasticity_.groups.size()),
      tension_(patch_lanes * elasticity_.groups.size()) {}

template <class Real>
void MuscleForces<Real>::set_pose(const VertexFrames& frames, bool from_goal, double most_stretch) {
  frames_ = &frames;
  parallel_for(pose_.size(), muscle_group_grain, [&](std::size_t g) {
    set_fibre_goal<Real>(elasticity_.groups[g], frames.goal, from_goal, most_stretch, pose_[g]);
  });
}

template <class Real>
void MuscleForces<Real>::activate(std::span<const double> activation) {
  active_ = active_muscles(body_.description.muscles, activation) > 0;
  for (std::size_t g = 0; g < pose_.size(); ++g) set_activation<Real>(elasticity_.groups[g], activation, pose_[g]);
}

template <class Real>
void MuscleForces<Real>::begin_step(const VertexFrames& frames, std::span<const double> u) {
  if (!active_) return;
  over_step_ = 1 / body_.method.step;
  start_.resize(frames.goal.size());
  parallel_for(start_.size(), muscle_vertex_grain, [&](std::size_t v) {
    start_[v] = frames.goal[v];
    if (const int f = body_.free_index[v]; f >= 0) {
      const double* of = &u[3 * static_cast<std::size_t>(f)];
      start_[v] += frames.rotation[v] * Vec3{of[0], of[1], of[2]};
    }
  });
  parallel_for(pose_.size(), muscle_group_grain,
               [&](std::size_t g) { set_fibre_start<Real>(elasticity_.groups[g], start_, pose_[g]); });
}

template <class Real>
double MuscleForces<Real>::add(std::span<const Row<Real>> displacement, double passive, std::span<double> gradient) {
  const double energy = ordered_sum(pose_.size(), muscle_group_grain, [&](std::size_t begin, std::size_t end) {
    return fibre_tensions<Real>({elasticity_.groups, pose_, displacement, passive, over_step_}, begin, end, tension_);
  });
  const std::vector<int>& reached = elasticity_.entries.vertex;
  parallel_for(reached.size(), muscle_vertex_grain, [&](std::size_t k) {
    const auto v = static_cast<std::size_t>(reached[k]);
    if (body_.free_index[v] < 0) return;
    const Vec3 local = transpose_times(frames_->rotation[v], elasticity_.gradient(k, tension_));
    double* to = gradient.data() + 3 * body_.free_index[v];
    for (std::size_t axis = 0; axis < 3; ++axis) to[axis] += local[axis];
  });
  return energy;
}

template class MuscleForces<double>;
template class MuscleForces<float>;

}  // namespace sinew
