#include "sinew/shape/pulled_skin.h"

#include <algorithm>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"

namespace sinew {
namespace {

constexpr std::size_t pulled_skin_grain = 256;

// S + sum_s k_s phi(x_s) phi(x_s)^T: a skin vertex couples the vertices of one tetrahedron, as stiffness does.
BlockMatrix with_springs(const FleshBody& body, const SparseRows& skin, std::span<const double> stiffness) {
  BlockMatrix matrix = body.stiffness;
  for (std::size_t s = 0; s < skin.rows(); ++s) {
    if (!(stiffness[s] > 0)) continue;
    for (auto i = index(skin.start[s]); i < index(skin.start[s + 1]); ++i)
      for (auto j = index(skin.start[s]); j < index(skin.start[s + 1]); ++j) {
        const int row = body.free_index[index(skin.column[i])], column = body.free_index[index(skin.column[j])];
        if (row < 0 || column < 0) continue;
        Mat3& block = matrix.block[index(find_block(matrix, row, column))];
        for (std::size_t k = 0; k < 3; ++k) block(k, k) += stiffness[s] * skin.value[i] * skin.value[j];
      }
  }
  return matrix;
}

QuasiNewton in_doubles(const TissueLaw& law) {
  QuasiNewton how;
  how.law = law;
  how.precision = TissuePrecision::doubles;
  return how;
}

}  // namespace

PulledSkin::PulledSkin(std::shared_ptr<const FleshBody> body, const TissueLaw& law, const SimulationSurface& surface)
    : body_(std::move(body)),
      reference_(quasi_newton_reference(body_, in_doubles(law))),
      surface_(surface),
      rows_(surface_rows(body_->description)),
      columns_(transpose(rows_)),
      rest_factor_(*body_),
      factor_(body_->factor.of_same_pattern()),
      skin_(rows_.rows()),
      target_(rows_.rows()),
      force_(rows_.rows()),
      kept_(rows_.rows()),
      per_point_(body_->mass.size()),
      share_(rows_.rows()) {
  rest_factor_.get();  // says which motion is free
}

void PulledSkin::set_tissue(std::span<const PointStiffening> stiffening, std::span<const PointForce> load) {
  reference_->stiffen(stiffening);
  if (load.empty())
    load_.clear();
  else
    scatter_forces(*body_, load, load_);
}

void PulledSkin::set_springs(std::span<const double> stiffness) {
  stiffness_.assign(stiffness.begin(), stiffness.end());
  std::fill(kept_.begin(), kept_.end(), Vec3{});
  factor_.factor(with_springs(*body_, rows_, stiffness_));
}

void PulledSkin::set_pose(std::span<const Affine> bones) {
  const FleshDescription& d = body_->description;
  predict_frames(d.mesh.positions, d.influences, bones, frames_);
  predict_frames(surface_.rest.positions, surface_.influences, bones, skin_frames_);
  reference_->set_pose(frames_);
}

void PulledSkin::pull(std::span<const double> u, const Targets& targets) {
  scatter_displacements(*body_, u, per_point_);
  surface_displacement(*body_, frames_, per_point_, skin_);
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
  return minimize(none, rest_factor_.get(), tolerance, most_iterations, displacements, progress);
}

StepStatistics PulledSkin::minimize(const Targets& targets, const BlockCholesky& factor, double tolerance,
                                    int most_iterations, std::span<Vec3> displacements, const Progress& progress) {
  const std::size_t numbers = 3 * body_->free_vertex.size();
  std::vector<double> u(numbers), elastic(numbers);
  for (std::size_t f = 0; f < body_->free_vertex.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) u[3 * f + k] = displacements[index(body_->free_vertex[f])][k];
  QuasiNewtonStep search(numbers, rest_history);
  int evaluations = 0;
  const StepStatistics statistics =
      search.minimize({.find_residual =
                           [&](std::span<const double> at, std::span<double> residual) {
                             report_or_stop(progress, "finding forces",
                                            std::min(1.0, static_cast<double>(++evaluations) / most_iterations));
                             reference_->forces_at_rest(at, elastic);
                             pull(at, targets);
                             parallel_for(body_->free_vertex.size(), pulled_skin_grain, [&](std::size_t f) {
                               const Vec3 pulled = row_times(columns_, index(body_->free_vertex[f]), force_);
                               for (std::size_t k = 0; k < 3; ++k) residual[3 * f + k] = pulled[k] - elastic[3 * f + k];
                             });
                             for (std::size_t k = 0; k < load_.size(); ++k) residual[k] += load_[k];
                           },
                       .inverse = [&](std::span<const double> from, std::span<double> to) { factor.solve(from, to); },
                       .scale = [](std::span<const double>, double first) { return first; },
                       .tolerance = tolerance,
                       .most_iterations = most_iterations},
                      u);
  require_finite(u);
  pull(u, targets);
  scatter_displacements(*body_, u, displacements);
  return statistics;
}

}  // namespace sinew
