#include "sinew/rig/function_rig.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/base/error.h"

namespace sinew {

std::string wrong_parameters(const std::string& name, std::span<const RigParameter> parameters) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const RigParameter& p = parameters[i];
    if (p.name.empty()) return name + ": parameter " + std::to_string(i) + " has no name; give it one.";
    if (!names.insert(p.name).second)
      return name + ": two parameters are named '" + p.name + "'; give each a name of its own.";
    if (!std::isfinite(p.rest) || !std::isfinite(p.lower) || !std::isfinite(p.upper))
      return name + ": the range or rest value of parameter '" + p.name + "' is not a finite number.";
    if (!(p.lower < p.upper)) return name + ": the range of parameter '" + p.name + "' is empty; widen it.";
    if (p.rest < p.lower || p.rest > p.upper)
      return name + ": the rest value of parameter '" + p.name + "' is outside of its range; widen the range.";
  }
  return {};
}

FunctionRig::FunctionRig(std::string name, std::vector<RigParameter> parameters, std::size_t vertices,
                         Function function)
    : name_(std::move(name)), parameters_(std::move(parameters)), vertices_(vertices), function_(std::move(function)) {
  const std::string wrong = wrong_parameters(name_, parameters_);
  if (!wrong.empty()) throw usage_error(wrong);
  if (!function_) throw usage_error(name_ + ": the rig has no function.");
}

void FunctionRig::evaluate(std::span<const double> p, std::span<Vec3> s) {
  if (p.size() != parameters_.size() || s.size() != vertices_)
    throw usage_error(name_ + ": the rig has " + std::to_string(parameters_.size()) + " parameters and " +
                      std::to_string(vertices_) + " vertices, not what was passed.");
  std::vector<Vec3> answer;
  try {
    answer = function_(p);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw input_error(name_ + ": the rig failed: " + error.what());
  }
  if (answer.size() != vertices_)
    throw input_error(name_ + ": the rig answered " + std::to_string(answer.size()) + " vertices instead of " +
                      std::to_string(vertices_) + ".");
  for (std::size_t v = 0; v < answer.size(); ++v)
    if (!is_finite(answer[v]))
      throw input_error(name_ + ": the rig puts vertex " + std::to_string(v) + " at a position that is not finite.");
  std::copy(answer.begin(), answer.end(), s.begin());
}

}  // namespace sinew
