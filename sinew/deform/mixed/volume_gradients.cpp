#include "sinew/deform/mixed/volume_gradients.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t volume_gradients_row_grain = 1024;
constexpr std::size_t volume_gradients_vertex_grain = 256;

double squared_length(std::span<const double> a) {
  const double squared = dot(a, a);
  if (!std::isfinite(squared))
    throw simulation_error(
        "the forces on the body have left the range of numbers; check the pose, the forces and the stiffness.");
  return squared;
}

}  // namespace

double VolumeGradients::apply_to_direction(const VolumeRows& rows, const SparseMatrix& poisson) {
  parallel_chunks(rows.rows(), volume_gradients_row_grain, [&](std::size_t begin, std::size_t end) {
    volume_change(rows, direction_, begin, end, tension_);
    for (std::size_t r = begin; r < end; ++r) tension_[r] *= rows.weight[r];
  });
  multiply(poisson, {direction_.data(), image_.size()}, image_, 3);
  return ordered_sum(image_.size() / 3, volume_gradients_vertex_grain, [&](std::size_t begin, std::size_t end) {
    add_volume_forces(rows, tension_, begin, end, image_);
    double sum[3] = {};
    for (std::size_t v = begin; v < end; ++v)
      for (std::size_t c = 0; c < 3; ++c) sum[c] += direction_[3 * v + c] * image_[3 * v + c];
    return sum[0] + sum[1] + sum[2];
  });
}

KrylovResult VolumeGradients::solve(const VolumeRows& rows, const SparseMatrix& poisson, const ScalarCholesky& factor,
                                    std::span<const double> b, std::span<const double> guess, std::span<double> x,
                                    double tolerance, int max_iterations) {
  const std::size_t n = b.size(), vertices = n / 3;
  std::fill(x.begin(), x.end(), 0.0);
  residual_.assign(b.begin(), b.end());
  const double start = squared_length(b);
  if (start == 0) return {0, 0, true};
  preconditioned_.resize(n);
  image_.resize(n);
  direction_.assign(n + 1, 0.0);  // one more: what volume_change() reads
  tension_.resize(rows.rows());

  // x += length direction, residual -= length image; returns |residual|^2.
  const auto step = [&](double length) {
    return ordered_sum(vertices, volume_gradients_vertex_grain, [&](std::size_t begin, std::size_t end) {
      double sum[3] = {};
      for (std::size_t v = begin; v < end; ++v)
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t i = 3 * v + c;
          x[i] += length * direction_[i];
          residual_[i] -= length * image_[i];
          sum[c] += residual_[i] * residual_[i];
        }
      return sum[0] + sum[1] + sum[2];
    });
  };

  KrylovResult result;
  double left = start, previous = 0;
  if (!guess.empty()) {
    ++result.iterations;
    std::fill(preconditioned_.begin(), preconditioned_.end(), 0.0);
    parallel_chunks(vertices, volume_gradients_vertex_grain, [&](std::size_t begin, std::size_t end) {
      add_volume_forces(rows, guess, begin, end, preconditioned_);
    });
    factor.solve(preconditioned_, {direction_.data(), n}, 3);
    const double curvature = apply_to_direction(rows, poisson);
    if (curvature > 0) left = step(dot({direction_.data(), n}, b) / curvature);
  }
  for (bool first = true;; first = false, ++result.iterations) {
    if (!std::isfinite(left)) squared_length(residual_);
    result.relative_residual = std::sqrt(left / start);
    result.converged = result.relative_residual <= tolerance;
    if (result.converged || result.iterations >= max_iterations) return result;

    factor.solve(residual_, preconditioned_, 3);
    const double energy = dot(residual_, preconditioned_);
    if (!(energy > 0)) throw simulation_error("the Poisson part of the body's matrix is not positive definite");
    const double ratio = first ? 0 : energy / previous;
    previous = energy;
    parallel_chunks(n, 3 * volume_gradients_vertex_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        direction_[i] = first ? preconditioned_[i] : preconditioned_[i] + ratio * direction_[i];
    });
    const double curvature = apply_to_direction(rows, poisson);
    if (!(curvature > 0)) throw simulation_error("the body's matrix is not positive definite");
    left = step(energy / curvature);
  }
}

}  // namespace sinew
