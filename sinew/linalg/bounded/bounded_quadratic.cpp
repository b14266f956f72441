#include "sinew/linalg/bounded/bounded_quadratic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/scratch.h"

namespace sinew {
namespace {

using std::size_t;

double plain_dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void check_sizes(std::span<const double> scale, std::span<const double> x, std::span<const double> gradient) {
  if (scale.size() != x.size() || gradient.size() != x.size())
    throw usage_error("a bounded quadratic of " + std::to_string(x.size()) +
                      " unknowns needs as many scales and gradients.");
}

// Works in the scaled unknowns z = x / scale, which have the same bounds.
class Minimization {
 public:
  Minimization(const LinearOperator& matrix, std::span<const double> scale, std::span<double> x,
               std::span<double> gradient, std::size_t unbounded)
      : unbounded_(unbounded),
        matrix_(matrix),
        scale_(scale),
        x_(x),
        gradient_(gradient),
        free_(x.size()),
        chopped_(x.size()),
        direction_(x.size()),
        image_(x.size()),
        scaled_(x.size()),
        trial_(x.size()),
        cut_image_(x.size()) {}

  BoundedQuadraticResult run(const BoundedQuadraticOptions& options) {
    BoundedQuadraticResult result;
    bool restart = true;
    while (true) {
      result.violation = split_gradient();
      if (!std::isfinite(result.violation))
        throw simulation_error(
            "the minimum of a quadratic over bounds met a number that is not finite; use a smaller --step.");
      result.converged = result.violation <= options.tolerance;
      if (result.converged || result.products >= options.max_products) return result;
      if (plain_dot(chopped_, chopped_) > plain_dot(free_, free_)) {  // away from the bounds
        direction_ = chopped_;
        const double curvature = product_with_direction();
        ++result.products;
        if (!(curvature > 0)) return result;
        step(plain_dot(direction_, chopped_) / curvature);
        restart = true;
        continue;
      }
      if (restart)
        direction_ = free_;
      else
        conjugate();
      restart = false;
      curvature_ = product_with_direction();
      ++result.products;
      if (!(curvature_ > 0)) return result;
      const double length = plain_dot(direction_, free_) / curvature_, feasible = feasible_length();
      if (length <= feasible) {
        step(length);
        continue;
      }
      step_into_bounds(length, feasible);
      ++result.products;
      restart = true;
    }
  }

 private:
  // Gradient on the free unknowns, and its negative part on those at their bound. Returns the violation, unscaled.
  double split_gradient() {
    double violation = 0;
    for (size_t i = 0; i < x_.size(); ++i) {
      const double y = gradient_[i];
      const bool free = i < unbounded_ || x_[i] > 0;
      free_[i] = free ? scale_[i] * y : 0;
      chopped_[i] = free ? 0 : scale_[i] * std::min(y, 0.0);
      const double here = free ? std::abs(y) : -std::min(y, 0.0);
      if (!std::isfinite(here)) return here;
      violation = std::max(violation, here);
    }
    return violation;
  }

  // image = W direction; returns direction^T W direction.
  double product_with_direction() {
    for (size_t i = 0; i < x_.size(); ++i) scaled_[i] = scale_[i] * direction_[i];
    matrix_(scaled_, image_);
    return plain_dot(scaled_, image_);
  }

  // The part of the gradient that is conjugate to the last direction, whose image is still held.
  void conjugate() {
    double coupling = 0;
    for (size_t i = 0; i < x_.size(); ++i) coupling += scale_[i] * free_[i] * image_[i];
    const double share = coupling / curvature_;
    for (size_t i = 0; i < x_.size(); ++i) direction_[i] = free_[i] - share * direction_[i];
  }

  // Step length along -direction to the first bound.
  double feasible_length() const {
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = unbounded_; i < x_.size(); ++i)
      if (direction_[i] > 0) least = std::min(least, x_[i] / (scale_[i] * direction_[i]));
    return least;
  }

  // The value of unknown i, clamped to its bound.
  double bounded(size_t i, double value) const { return i < unbounded_ ? value : std::max(0.0, value); }

  void step(double length) {
    for (size_t i = 0; i < x_.size(); ++i) {
      x_[i] = bounded(i, x_[i] - length * scale_[i] * direction_[i]);
      gradient_[i] -= length * image_[i];
    }
  }

  // The full step, clamped to the bounds, if it lowers q more than the step to the first bound; otherwise that step.
  // One product.
  void step_into_bounds(double length, double feasible) {
    for (size_t i = 0; i < x_.size(); ++i) {
      trial_[i] = bounded(i, x_[i] - length * scale_[i] * direction_[i]);
      scaled_[i] = x_[i] - trial_[i];
    }
    matrix_(scaled_, cut_image_);
    const double cut_gain = plain_dot(scaled_, gradient_) - 0.5 * plain_dot(scaled_, cut_image_);
    double slope = 0;
    for (size_t i = 0; i < x_.size(); ++i) slope += scale_[i] * direction_[i] * gradient_[i];
    const double feasible_gain = feasible * (slope - 0.5 * feasible * curvature_);
    if (cut_gain >= feasible_gain) {
      std::copy(trial_.begin(), trial_.end(), x_.begin());
      for (size_t i = 0; i < x_.size(); ++i) gradient_[i] -= cut_image_[i];
      return;
    }
    for (size_t i = 0; i < x_.size(); ++i) {
      const bool ends_step = i >= unbounded_ && direction_[i] > 0 && x_[i] / (scale_[i] * direction_[i]) <= feasible;
      x_[i] = ends_step ? 0 : bounded(i, x_[i] - feasible * scale_[i] * direction_[i]);
      gradient_[i] -= feasible * image_[i];
    }
  }

  size_t unbounded_;
  const LinearOperator& matrix_;
  std::span<const double> scale_;
  std::span<double> x_, gradient_;
  ScratchVector<double> free_, chopped_, direction_, image_, scaled_, trial_, cut_image_;
  double curvature_ = 0;
};

}  // namespace

BoundedQuadraticResult minimize_bounded_quadratic(const LinearOperator& matrix, std::span<const double> scale,
                                                  std::span<double> x, std::span<double> gradient,
                                                  const BoundedQuadraticOptions& options) {
  check_sizes(scale, x, gradient);
  if (options.unbounded > x.size())
    throw usage_error("a bounded quadratic of " + std::to_string(x.size()) + " unknowns cannot have " +
                      std::to_string(options.unbounded) + " without a bound.");
  return Minimization(matrix, scale, x, gradient, options.unbounded).run(options);
}

}  // namespace sinew
