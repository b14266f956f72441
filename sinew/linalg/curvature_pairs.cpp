#include "sinew/linalg/curvature_pairs.h"

#include <algorithm>

#include "sinew/linalg/vector_operations.h"

namespace sinew {

CurvaturePairs::CurvaturePairs(std::size_t numbers, std::size_t most)
    : pairs_(most, Pair{std::vector<double>(numbers), std::vector<double>(numbers), 0}), work_(numbers), share_(most) {}

void CurvaturePairs::add(std::span<const double> step, std::span<const double> gradient_change) {
  // Curvature that is lost in rounding says nothing.
  constexpr double least_cosine = 1e-10;
  if (pairs_.empty()) return;
  const double curvature = dot(step, gradient_change);
  const double squared = dot(step, step) * dot(gradient_change, gradient_change);
  if (!(curvature > 0) || !(curvature * curvature > least_cosine * least_cosine * squared)) return;
  newest_ = (newest_ + 1) % pairs_.size();
  count_ = std::min(count_ + 1, pairs_.size());
  Pair& pair = pairs_[newest_];
  std::copy(step.begin(), step.end(), pair.step.begin());
  std::copy(gradient_change.begin(), gradient_change.end(), pair.change.begin());
  pair.curvature = curvature;
}

void CurvaturePairs::apply(const std::function<void(std::span<const double>, std::span<double>)>& inverse,
                           std::span<const double> b, std::span<double> x) {
  if (count_ == 0) return inverse(b, x);
  std::copy(b.begin(), b.end(), work_.begin());
  for (std::size_t age = 0; age < count_; ++age) {
    const Pair& p = pair(age);
    share_[age] = dot(p.step, work_) / p.curvature;
    add_scaled(-share_[age], p.change, work_);
  }
  inverse(work_, x);
  for (std::size_t age = count_; age-- > 0;) {
    const Pair& p = pair(age);
    add_scaled(share_[age] - dot(p.change, x) / p.curvature, p.step, x);
  }
}

}  // namespace sinew
