#include "sinew/deform/rig_space/skinning_weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace sinew {
namespace {

void add(NormalEquations& sum, double weight, const NormalEquations& other) {
  if (weight > 0)
    for (std::size_t k = 0; k < sum.matrix.size(); ++k) sum.matrix[k] += weight * other.matrix[k];
}

class VertexSkinning {
 public:
  explicit VertexSkinning(const SkinningEquations& equations) : equations_(equations), error_(equations.examples) {
    add(error_, equations.harmonic_weight, equations.harmonic);
    objective_ = error_;
    add(objective_, equations.rest_weight, equations.rest);
  }

  SkinningFit fit(const std::vector<int>& candidates, std::span<const double> start) const {
    const NonNegativeSolution solution = non_negative_least_squares(
        reduced(objective_, candidates), {.sum_to_one = true, .penalty = {}, .start = start});
    SkinningFit fit;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      if (solution.w[k] > 0) {
        fit.candidate.push_back(candidates[k]);
        fit.weight.push_back(solution.w[k]);
      }
    const auto root = [&](const NormalEquations& of) {
      return std::sqrt(squared_residual(reduced(of, fit.candidate), fit.weight));
    };
    fit.residual = root(equations_.examples);
    fit.rest_residual = root(equations_.rest);
    fit.error = root(error_);
    return fit;
  }

 private:
  const SkinningEquations& equations_;
  NormalEquations error_, objective_;
};

}  // namespace

SkinningFit fit_non_negative(const SkinningEquations& equations) {
  std::vector<int> all(equations.examples.unknowns);
  std::iota(all.begin(), all.end(), 0);
  return VertexSkinning(equations).fit(all, {});
}

SkinningFit fit_sparse(const SkinningEquations& equations, SkinningFit all, const SparseSkinningBounds& bounds) {
  const VertexSkinning vertex(equations);
  const auto grown = [&](double before) { return bounds.growth * std::max(bounds.negligible, before); };
  const double most_residual = std::min(bounds.residual, grown(all.residual));
  const double most_at_rest = grown(all.rest_residual), most_error = grown(all.error);
  SkinningFit best = std::move(all);
  while (best.candidate.size() > 1) {
    const auto smallest = std::min_element(best.weight.begin(), best.weight.end()) - best.weight.begin();
    std::vector<int> candidates = best.candidate;
    std::vector<double> start = best.weight;
    candidates.erase(candidates.begin() + smallest);
    start.erase(start.begin() + smallest);
    SkinningFit fewer = vertex.fit(candidates, start);
    if (!(fewer.residual <= most_residual && fewer.rest_residual <= most_at_rest && fewer.error <= most_error)) break;
    best = std::move(fewer);
  }
  return best;
}

}  // namespace sinew
