#include "sinew/deform/rig_space/parameter_effects.h"

#include <cmath>
#include <string>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {

DependentParameters find_dependent(std::span<const double> mass, std::size_t columns, std::size_t stride,
                                   std::span<const double> range, double nothing) {
  std::vector<double> length(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    length[i] = std::sqrt(std::fmax(0, mass[i * stride + i]));
    if (!(length[i] * range[i] > nothing)) return {static_cast<int>(i), -1, false};
  }
  // Cholesky factorisation of the cosines between columns; a pivot is the square of what is left of a column when all
  // before it are taken away.
  std::vector<double> factor(columns * columns, 0.0);
  constexpr double smallest_pivot = 1e-9, same_cosine = 1 - 1e-9;
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = mass[i * stride + j] / (length[i] * length[j]);
      for (std::size_t k = 0; k < j; ++k) sum -= factor[i * columns + k] * factor[j * columns + k];
      if (j < i) {
        factor[i * columns + j] = sum / factor[j * columns + j];
        continue;
      }
      if (sum > smallest_pivot) {
        factor[i * columns + i] = std::sqrt(sum);
        continue;
      }
      DependentParameters found{static_cast<int>(i), 0, false};
      double closest = -1;
      for (std::size_t other = 0; other < i; ++other) {
        const double cosine = std::abs(mass[i * stride + other]) / (length[i] * length[other]);
        if (cosine > closest) closest = cosine, found.like = static_cast<int>(other);
      }
      found.same = closest > same_cosine;
      return found;
    }
  return {};
}

void check_effects(const RigSpaceBody& body, const Rig& rig, std::span<const int> free, const ReducedBasis& basis) {
  const auto parameter = [&](int column) -> const RigParameter& {
    return rig.parameters()[static_cast<std::size_t>(free[static_cast<std::size_t>(column)])];
  };
  std::vector<double> range, mass(basis.padded_columns() * basis.padded_columns(), 0.0);
  for (std::size_t i = 0; i < free.size(); ++i)
    range.push_back(parameter(static_cast<int>(i)).upper - parameter(static_cast<int>(i)).lower);
  add_reduced_mass(basis, body.mass, mass);
  double whole = 0;
  for (const double m : body.mass) whole += m;
  const DependentParameters found =
      find_dependent(mass, free.size(), basis.padded_columns(), range, 1e-9 * body.height * std::sqrt(whole));
  if (found.parameter < 0) return;
  const std::string name = "'" + parameter(found.parameter).name + "'";
  if (found.like < 0)
    throw input_error("the parameter " + name +
                      " moves nothing of the body, so that physics cannot move it; leave it out of the free ones.");
  const std::string like = "'" + parameter(found.like).name + "'";
  if (found.same)
    throw input_error("the parameters " + like + " and " + name +
                      " have the same effect, so that physics cannot tell them apart; free one of them.");
  throw input_error("what the parameter " + name + " does the other free ones can do together, " + like +
                    " among them, so that physics cannot tell them apart; leave it out of the free ones.");
}

}  // namespace sinew
