#include "studies/rig_space/rig_second_derivatives.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double rounding = 1e-16;     // least noise, relative to a parameter's effect
constexpr double longest_step = 0.05;  // of a range

// Length of each column's step, in the parameter's unit.
std::vector<double> second_steps(const Rig& rig, const RigDifferences& differences) {
  std::vector<double> steps;
  for (std::size_t c = 0; c < differences.columns().size(); ++c) {
    const RigParameter& parameter = rig.parameters()[index(differences.columns()[c])];
    const double effect = differences.effects()[c];
    const double error = effect > 0 ? std::max(differences.noise() / effect, rounding) : rounding;
    steps.push_back((parameter.upper - parameter.lower) * std::min(2 * std::sqrt(std::sqrt(error)), longest_step));
  }
  return steps;
}

std::vector<int> common(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

}  // namespace

RigSecondDerivatives rig_second_derivatives(Rig& rig, const RigDifferences& differences, std::span<const double> p) {
  const std::vector<int>& columns = differences.columns();
  const std::vector<std::vector<int>>& pattern = differences.pattern();
  const std::vector<double> steps = second_steps(rig, differences);
  const std::size_t count = columns.size();
  RigSecondDerivatives result;
  std::vector<Vec3> still(rig.vertices()), plus(still), minus(still);
  const auto evaluate = [&](std::initializer_list<std::size_t> moved, double sign, std::vector<Vec3>& s) {
    std::vector<double> q(p.begin(), p.end());
    for (const std::size_t c : moved) q[index(columns[c])] += sign * steps[c];
    rig.evaluate(q, s);
    ++result.evaluations;
  };
  // s(+) + s(-) - 2 s at a vertex, of the last two evaluations.
  const auto both = [&](int v) { return (plus[index(v)] - still[index(v)]) + (minus[index(v)] - still[index(v)]); };
  // Step of a column as it is added in floating point.
  const auto step = [&](std::size_t c) {
    const double at = p[index(columns[c])];
    return ((at + steps[c]) - (at - steps[c])) / 2;
  };
  evaluate({}, 0, still);
  std::vector<std::vector<Vec3>> single(count);  // per column and entry of its pattern
  for (std::size_t c = 0; c < count; ++c) {
    evaluate({c}, 1, plus);
    evaluate({c}, -1, minus);
    for (const int v : pattern[c]) single[c].push_back(both(v));
  }
  const auto single_at = [&](std::size_t c, int v) {
    const auto at = std::lower_bound(pattern[c].begin(), pattern[c].end(), v) - pattern[c].begin();
    return single[c][static_cast<std::size_t>(at)];
  };
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a; b < count; ++b) {
      const std::vector<int> vertices = common(pattern[a], pattern[b]);
      if (vertices.empty()) continue;
      if (a != b) {
        evaluate({a, b}, 1, plus);
        evaluate({a, b}, -1, minus);
      }
      for (const int v : vertices)
        result.derivative.push_back(a == b ? single_at(a, v) / (step(a) * step(a))
                                           : (both(v) - single_at(a, v) - single_at(b, v)) / (2 * step(a) * step(b)));
      result.pair.push_back({static_cast<int>(a), static_cast<int>(b)});
      result.vertex.insert(result.vertex.end(), vertices.begin(), vertices.end());
      result.start.push_back(static_cast<int>(result.vertex.size()));
    }
  return result;
}

}  // namespace sinew
