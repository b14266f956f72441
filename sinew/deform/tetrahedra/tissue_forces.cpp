#include "sinew/deform/tetrahedra/tissue_forces.h"

#include <numeric>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t tissue_patch_grain = 32, tissue_vertex_grain = 256;

Row<double> row(const Vec3& v) { return {v.x, v.y, v.z, 0}; }

}  // namespace

TissueForces::TissueForces(const FleshBody& body, NaturalShape shape, const TissueLaw& law)
    : body_(body),
      shape_(shape),
      law_(law),
      elasticity_(patch_elasticity<double>(body.description.mesh, body.description.element, body.samples)),
      rows_(patch_rows(elasticity_.vertex, body.free_index, body.free_vertex.size())),
      rig_shaped_(rig_shaped_patches(elasticity_, body.description.keeps_rig_shape)),
      natural_(elasticity_.patches.size()),
      displacement_(body.mass.size()),
      rate_(body.uniform_damping() && body.description.stiffness_damping > 0 ? body.mass.size() : 0),
      force_(elasticity_.vertex.size()) {
  if (shape == NaturalShape::rest) position_.resize(body.mass.size());
}

void TissueForces::set_pose(const VertexFrames& frames) {
  frames_ = &frames;
  const std::span<Row<double>> goal = displacement_;  // work space
  parallel_for(goal.size(), tissue_vertex_grain, [&](std::size_t v) { goal[v] = row(frames.goal[v]); });
  const std::size_t patches = natural_.size();
  const double bounded = ordered_sum(patches, tissue_patch_grain, [&](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t p = begin; p < end; ++p) {
      if (keeps_goal(p))
        count += set_natural_shape<double>(elasticity_.patches, goal, law_.most_stretch, p, p + 1, natural_);
      else
        set_natural_rest(elasticity_.patches[p], mean_orientation(elasticity_.vertices_of(p), frames), natural_[p]);
    }
    return static_cast<double>(count);
  });
  bounded_ = bounded / std::max<double>(1, static_cast<double>(body_.samples.size()));
}

double TissueForces::find(std::span<const double> u, std::span<const double> velocity, std::span<double> gradient) {
  const double damping = rate_.empty() ? 0 : body_.description.stiffness_damping;
  parallel_for(displacement_.size(), tissue_vertex_grain, [&](std::size_t v) {
    const int f = body_.free_index[v];
    if (f < 0) {
      displacement_[v] = {};
    } else {
      const std::size_t k = 3 * static_cast<std::size_t>(f);
      const Mat3& rotation = frames_->rotation[v];
      displacement_[v] = row(rotation * Vec3{u[k], u[k + 1], u[k + 2]});
      if (damping > 0) rate_[v] = row(damping * (rotation * Vec3{velocity[k], velocity[k + 1], velocity[k + 2]}));
    }
    if (!position_.empty()) {
      const Vec3& g = frames_->goal[v];
      const Row<double>& d = displacement_[v];
      position_[v] = {g.x + d.x, g.y + d.y, g.z + d.z, 0};
    }
  });
  const double energy = ordered_sum(natural_.size(), tissue_patch_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t run = begin, next = begin; run < end; run = next) {
      const bool from_goal = keeps_goal(run);
      while (next < end && keeps_goal(next) == from_goal) ++next;
      const std::span<const Row<double>> field = from_goal ? displacement_ : position_;
      sum += goal_forces<double>({elasticity_.patches, natural_, field, rate_, from_goal}, law_, run, next, force_);
    }
    return sum;
  });
  parallel_for(body_.free_vertex.size(), tissue_vertex_grain, [&](std::size_t f) {
    const Row<double> sum = rows_.sum(f, force_);
    const Vec3 local =
        transpose_times(frames_->rotation[static_cast<std::size_t>(body_.free_vertex[f])], Vec3{sum.x, sum.y, sum.z});
    for (std::size_t k = 0; k < 3; ++k) gradient[3 * f + k] = local[k];
  });
  add_springs_and_damping(u, velocity, gradient);
  return energy;
}

void TissueForces::add_springs_and_damping(std::span<const double> u, std::span<const double> velocity,
                                           std::span<double> gradient) {
  const bool uniform = body_.uniform_damping();
  if (!uniform) {
    damped_.resize(u.size());
    multiply(body_.damping, velocity, damped_);
  }
  const double by_stiffness = uniform ? body_.description.stiffness_damping : 0;
  const double by_mass = uniform ? body_.description.mass_damping : 0;
  parallel_for(body_.free_vertex.size(), tissue_vertex_grain, [&](std::size_t f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    const double spring = body_.bone_spring[v], mass = body_.mass[v];
    for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) {
      gradient[k] += spring * (u[k] + by_stiffness * velocity[k]) + by_mass * mass * velocity[k];
      if (!uniform) gradient[k] += damped_[k];
    }
  });
}

}  // namespace sinew
