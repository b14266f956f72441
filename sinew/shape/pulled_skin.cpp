#include "sinew/shape/pulled_skin.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"

namespace sinew {
namespace {

constexpr std::size_t pulled_skin_grain = 256;

// S + sum_s k_s phi(x_s) phi(x_s)^T. A skin vertex couples the points of one tetrahedron or cell, as stiffness does.
// Two points that stiffness does not couple, such as those of a cell without flesh at the skin, are counted as if the
// vertex hung on each of them by itself, which keeps the matrix definite.
BlockMatrix with_springs(const StaticFlesh& flesh, std::span<const int> free_index, std::span<const double> stiffness) {
  const SparseRows& skin = flesh.skin();
  BlockMatrix matrix = flesh.stiffness();
  const auto add = [&](int row, int column, double value) {
    const int block = find_block(matrix, row, column);
    if (block < 0) return false;
    for (std::size_t k = 0; k < 3; ++k) matrix.block[index(block)](k, k) += value;
    return true;
  };
  for (std::size_t s = 0; s < skin.rows(); ++s) {
    if (!(stiffness[s] > 0)) continue;
    for (auto i = index(skin.start[s]); i < index(skin.start[s + 1]); ++i)
      for (auto j = index(skin.start[s]); j < index(skin.start[s + 1]); ++j) {
        const int row = free_index[index(skin.column[i])], column = free_index[index(skin.column[j])];
        if (row < 0 || column < 0) continue;
        const double value = stiffness[s] * skin.value[i] * skin.value[j];
        if (!add(row, column, value)) add(row, row, std::abs(value));
      }
  }
  return matrix;
}

}  // namespace

PulledSkin::PulledSkin(StaticFlesh& flesh, const SimulationSurface& surface)
    : flesh_(flesh),
      surface_(surface),
      columns_(transpose(flesh.skin())),
      free_index_(flesh.points(), -1),
      factor_(flesh.factor().of_same_pattern()),
      skin_(flesh.skin().rows()),
      target_(flesh.skin().rows()),
      force_(flesh.skin().rows()),
      kept_(flesh.skin().rows()),
      per_point_(flesh.points()),
      share_(flesh.skin().rows()) {
  for (std::size_t f = 0; f < flesh.free_points().size(); ++f)
    free_index_[index(flesh.free_points()[f])] = static_cast<int>(f);
}

void PulledSkin::set_springs(std::span<const double> stiffness) {
  stiffness_.assign(stiffness.begin(), stiffness.end());
  std::fill(kept_.begin(), kept_.end(), Vec3{});
  factor_.factor(with_springs(flesh_, free_index_, stiffness_));
}

void PulledSkin::set_pose(std::span<const Affine> bones) {
  predict_frames(skin_of(surface_), bones, skin_frames_);
  flesh_.set_pose(bones);
}

void PulledSkin::scatter(std::span<const double> u, std::span<Vec3> per_point) const {
  std::fill(per_point.begin(), per_point.end(), Vec3{});
  const std::span<const int> free = flesh_.free_points();
  for (std::size_t f = 0; f < free.size(); ++f) per_point[index(free[f])] = {u[3 * f], u[3 * f + 1], u[3 * f + 2]};
}

void PulledSkin::pull(std::span<const double> u, const Targets& targets) {
  scatter(u, per_point_);
  flesh_.displace_skin(per_point_, skin_);
  for (std::size_t s = 0; s < skin_.size(); ++s) skin_[s] += skin_frames_.goal[s];
  targets(skin_, target_, share_);
  for (std::size_t s = 0; s < skin_.size(); ++s)
    force_[s] =
        kept_[s] + (share_[s] * stiffness_[s]) * transpose_times(skin_frames_.rotation[s], target_[s] - skin_[s]);
}

StepStatistics PulledSkin::find(const Targets& targets, double tolerance, int most_iterations,
                                std::span<Vec3> displacements, const Progress& progress) {
  return minimize(targets, factor_, tolerance, most_iterations, displacements, progress);
}

StepStatistics PulledSkin::find_alone(double tolerance, int most_iterations, std::span<Vec3> displacements,
                                      const Progress& progress) {
  const auto none = [](std::span<const Vec3>, std::span<Vec3>, std::span<double> share) {
    std::fill(share.begin(), share.end(), 0.0);
  };
  return minimize(none, flesh_.factor(), tolerance, most_iterations, displacements, progress);
}

StepStatistics PulledSkin::minimize(const Targets& targets, const BlockCholesky& factor, double tolerance,
                                    int most_iterations, std::span<Vec3> displacements, const Progress& progress) {
  const std::span<const int> free = flesh_.free_points();
  const std::size_t numbers = 3 * free.size();
  std::vector<double> u(numbers);
  for (std::size_t f = 0; f < free.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) u[3 * f + k] = displacements[index(free[f])][k];
  QuasiNewtonStep search(numbers, rest_history);
  int evaluations = 0;
  const StepStatistics statistics =
      search.minimize({.find_residual =
                           [&](std::span<const double> at, std::span<double> residual) {
                             report_or_stop(progress, "finding forces",
                                            std::min(1.0, static_cast<double>(++evaluations) / most_iterations));
                             flesh_.find_forces(at, residual);
                             pull(at, targets);
                             parallel_for(free.size(), pulled_skin_grain, [&](std::size_t f) {
                               const Vec3 pulled = row_times(columns_, index(free[f]), force_);
                               for (std::size_t k = 0; k < 3; ++k) residual[3 * f + k] += pulled[k];
                             });
                           },
                       .inverse = [&](std::span<const double> from, std::span<double> to) { factor.solve(from, to); },
                       .scale = [](std::span<const double>, double first) { return first; },
                       .tolerance = std::max(tolerance, flesh_.least_tolerance()),
                       .most_iterations = most_iterations},
                      u);
  require_finite(u);
  pull(u, targets);
  scatter(u, displacements);
  return statistics;
}

}  // namespace sinew
