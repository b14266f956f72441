#include "sinew/shape/sample_weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

double distance_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

// Gauss-Jordan with pivots, for the few samples of a rig. The matrix is regular where no two samples coincide
// (Micchelli 1986).
std::vector<double> inverse_of(std::vector<double> a, std::size_t n) {
  std::vector<double> inverse(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) inverse[k * n + k] = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::abs(a[r * n + c]) > std::abs(a[pivot * n + c])) pivot = r;
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(a[c * n + k], a[pivot * n + k]);
      std::swap(inverse[c * n + k], inverse[pivot * n + k]);
    }
    const double scale = 1 / a[c * n + c];
    for (std::size_t k = 0; k < n; ++k) a[c * n + k] *= scale, inverse[c * n + k] *= scale;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = a[r * n + c];
      for (std::size_t k = 0; k < n; ++k) {
        a[r * n + k] -= factor * a[c * n + k];
        inverse[r * n + k] -= factor * inverse[c * n + k];
      }
    }
  }
  return inverse;
}

}  // namespace

SampleWeights::SampleWeights(std::vector<std::vector<double>> at) : at_(std::move(at)) {
  const std::size_t n = at_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (!(distance_of(at_[i], at_[j]) > 0))
        throw input_error("two samples are at the same values of the controls; leave one out.");
  if (n < 2 || at_[0].size() < 2) return;
  std::vector<double> system((n + 1) * (n + 1), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) system[i * (n + 1) + j] = distance_of(at_[i], at_[j]);
    system[i * (n + 1) + n] = system[n * (n + 1) + i] = 1;
  }
  inverse_ = inverse_of(std::move(system), n + 1);
}

void SampleWeights::find(std::span<const double> gamma, std::span<double> weights) const {
  const std::size_t n = at_.size();
  std::fill(weights.begin(), weights.end(), 0.0);
  if (inverse_.empty()) {
    std::size_t above = 0;
    while (above < n && at_[above][0] < gamma[0]) ++above;
    if (above == 0 || above == n) {
      weights[above == 0 ? 0 : n - 1] = 1;
      return;
    }
    const double before = at_[above - 1][0], share = (gamma[0] - before) / (at_[above][0] - before);
    weights[above] = share;
    weights[above - 1] = 1 - share;
    return;
  }
  // At a sample the weights are exactly those of the sample, so that rigs that do nothing there do exactly nothing.
  for (std::size_t i = 0; i < n; ++i)
    if (std::equal(gamma.begin(), gamma.end(), at_[i].begin())) {
      weights[i] = 1;
      return;
    }
  for (std::size_t j = 0; j <= n; ++j) {
    const double basis = j < n ? distance_of(gamma, at_[j]) : 1;
    for (std::size_t i = 0; i < n; ++i) weights[i] += basis * inverse_[j * (n + 1) + i];
  }
}

}  // namespace sinew
