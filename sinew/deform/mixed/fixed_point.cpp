#include "sinew/deform/mixed/fixed_point.h"

#include <array>
#include <cmath>

#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

// Differences that are nearly combinations of later ones count for nothing: relative to their own square.
constexpr double least_pivot = 1e-8;

}  // namespace

void FixedPointAcceleration::restart() {
  last_image_.clear();
  images_.clear();
  changes_.clear();
}

void FixedPointAcceleration::propose(std::span<const double> point, std::span<const double> image,
                                     std::span<double> next) {
  const std::size_t n = point.size();
  std::vector<double> change(n);
  for (std::size_t i = 0; i < n; ++i) change[i] = image[i] - point[i];
  if (!last_image_.empty()) {
    if (images_.size() == most_steps) {
      images_.erase(images_.begin());
      changes_.erase(changes_.begin());
    }
    std::vector<double>& between_images = images_.emplace_back(n);
    std::vector<double>& between_changes = changes_.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) {
      between_images[i] = image[i] - last_image_[i];
      between_changes[i] = change[i] - last_change_[i];
    }
  }
  last_image_.assign(image.begin(), image.end());

  // Least squares |change - sum_j share_j changes_j| by Cholesky's method on the normal equations, the latest
  // difference first.
  const std::size_t m = changes_.size();
  std::array<std::array<double, most_steps>, most_steps> factor{};
  std::array<double, most_steps> share{};
  const auto latest = [m](std::size_t j) { return m - 1 - j; };
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = dot(changes_[latest(i)], changes_[latest(j)]);
      const double whole = sum;
      for (std::size_t k = 0; k < j; ++k) sum -= factor[i][k] * factor[j][k];
      if (i == j)
        factor[i][i] = sum > least_pivot * whole ? std::sqrt(sum) : 0;
      else
        factor[i][j] = factor[j][j] > 0 ? sum / factor[j][j] : 0;
    }
    double sum = dot(changes_[latest(i)], change);
    for (std::size_t k = 0; k < i; ++k) sum -= factor[i][k] * share[k];
    share[i] = factor[i][i] > 0 ? sum / factor[i][i] : 0;
  }
  for (std::size_t i = m; i-- > 0;) {
    double sum = share[i];
    for (std::size_t k = i + 1; k < m; ++k) sum -= factor[k][i] * share[k];
    share[i] = factor[i][i] > 0 ? sum / factor[i][i] : 0;
  }
  last_change_ = std::move(change);
  for (std::size_t i = 0; i < n; ++i) {
    double value = image[i];
    for (std::size_t j = 0; j < m; ++j) value -= share[j] * images_[latest(j)][i];
    next[i] = value;
  }
}

}  // namespace sinew
