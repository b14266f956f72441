#include "sinew/deform/tetrahedra/tissue_forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/muscle_forces.h"

namespace sinew {
namespace {

constexpr std::size_t tissue_patch_grain = 32, tissue_vertex_grain = 256;

template <class Real>
Row<Real> row(const Vec3& v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z), 0};
}

template <class Real>
class TissueForcesIn final : public TissueForces {
 public:
  TissueForcesIn(const FleshBody& body, NaturalShape shape, const TissueLaw& law);

  void set_pose(const VertexFrames& frames) override;
  void stiffen(std::span<const PointStiffening> stiffening) override;
  void activate(std::span<const double> activation) override { muscles_.activate(activation); }
  bool active() const override { return muscles_.active(); }
  void begin_step(const VertexFrames& before, std::span<const double> u) override { muscles_.begin_step(before, u); }
  void end_step() override { muscles_.end_step(); }
  void set_tissue(double stiffness, double damping) override { stiffness_ = stiffness, damping_ = damping; }
  double find(std::span<const double> u, std::span<const double> velocity, std::span<double> gradient) override;
  void find_work_by_stiffening(std::span<const double> u, std::span<const double> along, std::span<const int> points,
                               std::span<double> work) override;
  double bounded() const override { return bounded_; }

 private:
  bool keeps_goal(std::size_t patch) const { return shape_ == NaturalShape::goal || rig_shaped_[patch] != 0; }
  // Calls visit(first, last, from_goal) for the runs of patches in [begin, end) that have one kind of natural shape.
  template <class Visit>
  void for_each_run(std::size_t begin, std::size_t end, const Visit& visit) const {
    for (std::size_t first = begin, last = begin; first < end; first = last) {
      while (last < end && keeps_goal(last) == keeps_goal(first)) ++last;
      visit(first, last, keeps_goal(first));
    }
  }
  void stiffen_natural_shapes();
  // The factor by which a tetrahedron of a patch is stiffened.
  double factor_of(const Patch<Real>& patch, std::size_t lane) const;
  void set_rows(std::span<const double> u, std::span<const double> velocity, double damping);
  // The work of each lane of a patch alone: of its forces along `direction`, which has a world vector per vertex of the
  // body.
  std::array<double, patch_lanes> work_of_lanes(std::size_t patch, std::span<const Vec3> direction);
  void add_springs_and_damping(std::span<const double> u, std::span<const double> velocity, std::span<double> gradient);

  const FleshBody& body_;
  NaturalShape shape_;
  TissueLaw law_;
  const VertexFrames* frames_ = nullptr;
  Vec3 origin_;  // world, metres: positions are relative to it, so that floats resolve them anywhere
  PatchElasticity<Real> elasticity_;
  PatchRows rows_;
  std::vector<char> rig_shaped_;             // per patch: whether it keeps the rig's shape
  std::vector<NaturalPatch<Real>> natural_;  // per patch
  // Per vertex, world: displacement, position, and rate times the stiffness damping.
  std::vector<Row<Real>> displacement_, position_, rate_;
  std::vector<double> stiffening_;  // per vertex: logarithm of the factor; empty: none
  std::vector<Row<Real>> force_;    // per vertex of each patch
  std::vector<double> damped_;      // 3 numbers per free vertex: painted damping
  MuscleForces<Real> muscles_;
  double bounded_ = 0;
  double stiffness_ = 1, damping_ = 1;
};

template <class Real>
TissueForcesIn<Real>::TissueForcesIn(const FleshBody& body, NaturalShape shape, const TissueLaw& law)
    : body_(body),
      shape_(shape),
      law_(law),
      elasticity_(patch_elasticity<Real>(body.description.mesh, body.description.element, body.samples)),
      rows_(patch_rows(elasticity_.vertex, body.free_index, body.free_vertex.size())),
      rig_shaped_(rig_shaped_patches(elasticity_, body.description.keeps_rig_shape)),
      natural_(elasticity_.patches.size()),
      displacement_(body.mass.size()),
      rate_(body.uniform_damping() && body.description.stiffness_damping > 0 ? body.mass.size() : 0),
      force_(elasticity_.vertex.size()),
      muscles_(body) {
  if (shape == NaturalShape::rest) position_.resize(body.mass.size());
}

template <class Real>
void TissueForcesIn<Real>::set_pose(const VertexFrames& frames) {
  frames_ = &frames;
  origin_ = frames.goal.empty() ? Vec3{} : frames.goal.front();
  const std::span<Row<Real>> goal = displacement_;  // work space
  parallel_for(goal.size(), tissue_vertex_grain, [&](std::size_t v) { goal[v] = row<Real>(frames.goal[v] - origin_); });
  const std::size_t patches = natural_.size();
  const double bounded = ordered_sum(patches, tissue_patch_grain, [&](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for_each_run(begin, end, [&](std::size_t first, std::size_t last, bool from_goal) {
      if (from_goal)
        count += set_natural_shape<Real>(elasticity_.patches, goal, law_.most_stretch, first, last, natural_);
      for (std::size_t p = first; p < last && !from_goal; ++p)
        set_natural_rest(elasticity_.patches[p], mean_orientation(elasticity_.vertices_of(p), frames), natural_[p]);
    });
    return static_cast<double>(count);
  });
  if (!muscles_.empty()) muscles_.set_pose(frames, shape_ == NaturalShape::goal, law_.most_stretch);
  bounded_ = bounded / std::max<double>(1, static_cast<double>(body_.samples.size()));
  if (!stiffening_.empty()) stiffen_natural_shapes();
}

template <class Real>
void TissueForcesIn<Real>::stiffen(std::span<const PointStiffening> stiffening) {
  stiffening_.assign(stiffening.empty() ? 0 : body_.mass.size(), 0.0);
  for (const PointStiffening& each : stiffening) stiffening_[static_cast<std::size_t>(each.point)] = each.logarithm;
}

// The mean strain of a patch is stiffened by the mean of its tetrahedra's factors.
template <class Real>
void TissueForcesIn<Real>::stiffen_natural_shapes() {
  parallel_for(natural_.size(), tissue_patch_grain, [&](std::size_t p) {
    const Patch<Real>& patch = elasticity_.patches[p];
    const auto scale = [&](std::size_t lane, double factor) {
      natural_[p].shear[lane] *= static_cast<Real>(factor);
      natural_[p].lambda[lane] *= static_cast<Real>(factor);
    };
    double mean = 0, shares = 0;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(patch.count); ++lane) {
      const double factor = factor_of(patch, lane);
      scale(lane, factor);
      mean += static_cast<double>(patch.share[lane]) * factor;
      shares += static_cast<double>(patch.share[lane]);
    }
    if (shares > 0) scale(mean_lane, mean / shares);
  });
}

template <class Real>
double TissueForcesIn<Real>::factor_of(const Patch<Real>& patch, std::size_t lane) const {
  if (stiffening_.empty()) return 1;
  double sum = 0;
  for (const auto& corner : patch.corner) sum += stiffening_[static_cast<std::size_t>(corner[lane]) / 4];
  return std::exp(sum / 4);
}

template <class Real>
void TissueForcesIn<Real>::set_rows(std::span<const double> u, std::span<const double> velocity, double damping) {
  parallel_for(displacement_.size(), tissue_vertex_grain, [&](std::size_t v) {
    const int f = body_.free_index[v];
    Vec3 world;
    if (f >= 0) {
      const std::size_t k = 3 * static_cast<std::size_t>(f);
      const Mat3& rotation = frames_->rotation[v];
      world = rotation * Vec3{u[k], u[k + 1], u[k + 2]};
      if (damping > 0) rate_[v] = row<Real>(damping * (rotation * Vec3{velocity[k], velocity[k + 1], velocity[k + 2]}));
    }
    displacement_[v] = row<Real>(world);
    if (!position_.empty()) position_[v] = row<Real>(frames_->goal[v] - origin_ + world);
  });
}

template <class Real>
double TissueForcesIn<Real>::find(std::span<const double> u, std::span<const double> velocity,
                                  std::span<double> gradient) {
  // The patches' sums are multiplied by the stiffness, also those of the viscous stress.
  set_rows(u, velocity, rate_.empty() ? 0 : body_.description.stiffness_damping * (damping_ / stiffness_));
  const double energy = ordered_sum(natural_.size(), tissue_patch_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for_each_run(begin, end, [&](std::size_t first, std::size_t last, bool from_goal) {
      const std::span<const Row<Real>> field = from_goal ? displacement_ : position_;
      sum += goal_forces<Real>({elasticity_.patches, natural_, field, rate_, from_goal}, law_, first, last, force_);
    });
    return sum;
  });
  parallel_for(body_.free_vertex.size(), tissue_vertex_grain, [&](std::size_t f) {
    const Row<Real> sum = rows_.sum(f, force_);
    const Vec3 local = transpose_times(frames_->rotation[static_cast<std::size_t>(body_.free_vertex[f])],
                                       Vec3{double{sum.x}, double{sum.y}, double{sum.z}});
    for (std::size_t k = 0; k < 3; ++k) gradient[3 * f + k] = stiffness_ * local[k];
  });
  const double of_muscles = muscles_.empty() ? 0 : muscles_.add(displacement_, stiffness_, gradient);
  add_springs_and_damping(u, velocity, gradient);
  return stiffness_ * energy + of_muscles;
}

template <class Real>
std::array<double, patch_lanes> TissueForcesIn<Real>::work_of_lanes(std::size_t patch,
                                                                    std::span<const Vec3> direction) {
  const NaturalPatch<Real> all = natural_[patch];
  const bool from_goal = keeps_goal(patch);
  const std::span<const int> vertices = elasticity_.vertices_of(patch);
  const auto begin = static_cast<std::size_t>(elasticity_.patches[patch].vertex_begin);
  std::array<double, patch_lanes> work{};
  for (std::size_t lane = 0; lane < patch_lanes; ++lane) {
    if (!(all.shear[lane] > 0)) continue;
    for (std::size_t other = 0; other < patch_lanes; ++other) {
      natural_[patch].shear[other] = other == lane ? all.shear[lane] : 0;
      natural_[patch].lambda[other] = other == lane ? all.lambda[lane] : 0;
    }
    goal_forces<Real>({elasticity_.patches, natural_, from_goal ? displacement_ : position_, {}, from_goal}, law_,
                      patch, patch + 1, force_);
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const Row<Real>& force = force_[begin + k];
      work[lane] += dot(direction[static_cast<std::size_t>(vertices[k])],
                        Vec3{double{force.x}, double{force.y}, double{force.z}});
    }
  }
  natural_[patch] = all;
  return work;
}

// Forces are linear in the factors of tetrahedra, which are geometric means of those of their corners.
template <class Real>
void TissueForcesIn<Real>::find_work_by_stiffening(std::span<const double> u, std::span<const double> along,
                                                   std::span<const int> points, std::span<double> work) {
  set_rows(u, {}, 0);
  std::vector<Vec3> direction(body_.mass.size());
  for (std::size_t f = 0; f < body_.free_vertex.size(); ++f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    direction[v] = frames_->rotation[v] * Vec3{along[3 * f], along[3 * f + 1], along[3 * f + 2]};
  }
  std::vector<char> asked(body_.mass.size());
  for (const int v : points) asked[static_cast<std::size_t>(v)] = 1;
  std::vector<std::array<double, patch_lanes>> parts(natural_.size());
  const auto reaches = [&](std::size_t p) {
    const std::span<const int> vertices = elasticity_.vertices_of(p);
    return std::any_of(vertices.begin(), vertices.end(), [&](int v) { return asked[static_cast<std::size_t>(v)]; });
  };
  parallel_for(natural_.size(), tissue_patch_grain, [&](std::size_t p) {
    if (reaches(p)) parts[p] = work_of_lanes(p, direction);
  });
  std::vector<double> by_vertex(body_.mass.size());
  for (std::size_t p = 0; p < natural_.size(); ++p) {
    const Patch<Real>& patch = elasticity_.patches[p];
    const auto count = static_cast<std::size_t>(patch.count);
    double stiffened = 0;  // the factor of the mean strain
    for (std::size_t lane = 0; lane < count; ++lane)
      stiffened += static_cast<double>(patch.share[lane]) * factor_of(patch, lane);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const double share =
          stiffened > 0 ? static_cast<double>(patch.share[lane]) * factor_of(patch, lane) / stiffened : 0;
      const double by_factor = parts[p][lane] + share * parts[p][mean_lane];
      for (const auto& corner : patch.corner)
        by_vertex[static_cast<std::size_t>(corner[lane]) / 4] += stiffness_ * by_factor / 4;
    }
  }
  for (std::size_t k = 0; k < points.size(); ++k) work[k] = by_vertex[static_cast<std::size_t>(points[k])];
}

template <class Real>
void TissueForcesIn<Real>::add_springs_and_damping(std::span<const double> u, std::span<const double> velocity,
                                                   std::span<double> gradient) {
  const bool uniform = body_.uniform_damping();
  if (!uniform) {
    damped_.resize(u.size());
    multiply(body_.damping, velocity, damped_);
  }
  const double by_stiffness = uniform ? damping_ * body_.description.stiffness_damping : 0;
  const double by_mass = uniform ? damping_ * body_.description.mass_damping : 0;
  parallel_for(body_.free_vertex.size(), tissue_vertex_grain, [&](std::size_t f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    const double spring = body_.bone_spring[v], mass = body_.mass[v];
    for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) {
      gradient[k] += spring * (stiffness_ * u[k] + by_stiffness * velocity[k]) + by_mass * mass * velocity[k];
      if (!uniform) gradient[k] += damping_ * damped_[k];
    }
  });
}

}  // namespace

std::unique_ptr<TissueForces> tissue_forces(const FleshBody& body, NaturalShape shape, const TissueLaw& law,
                                            TissuePrecision precision) {
  if (precision == TissuePrecision::floats) return std::make_unique<TissueForcesIn<float>>(body, shape, law);
  return std::make_unique<TissueForcesIn<double>>(body, shape, law);
}

}  // namespace sinew
