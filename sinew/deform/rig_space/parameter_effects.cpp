#include "sinew/deform/rig_space/parameter_effects.h"

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

// The column before `column` that moves the body most like it.
DependentParameter most_like(std::span<const double> mass, std::size_t stride, std::span<const double> length,
                             std::span<const std::size_t> kept, std::size_t column) {
  constexpr double same_cosine = 1 - 1e-9;
  DependentParameter found{static_cast<int>(column), 0, false};
  double closest = -1;
  for (const std::size_t other : kept) {
    const double cosine = std::abs(mass[column * stride + other]) / (length[column] * length[other]);
    if (cosine > closest) closest = cosine, found.like = static_cast<int>(other);
  }
  found.same = closest > same_cosine;
  return found;
}

}  // namespace

std::vector<DependentParameter> find_dependent(std::span<const double> mass, std::size_t columns, std::size_t stride,
                                               std::span<const double> range, double nothing, double own_effect) {
  std::vector<DependentParameter> result;
  std::vector<double> length(columns);
  std::vector<char> moves(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    length[i] = std::sqrt(std::fmax(0, mass[i * stride + i]));
    moves[i] = length[i] * range[i] > nothing;
    if (!moves[i]) result.push_back({static_cast<int>(i), -1, false});
  }
  // Cholesky factorisation of the cosines between columns; a pivot is the square of what is left of a column when all
  // before it are taken away. Those of which nothing is left are left out.
  std::vector<double> factor(columns * columns, 0.0);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < columns; ++i) {
    if (!moves[i]) continue;
    const auto rest_of = [&](std::size_t j) {
      double sum = mass[i * stride + j] / (length[i] * length[j]);
      for (const std::size_t k : kept) {
        if (k >= j) break;
        sum -= factor[i * columns + k] * factor[j * columns + k];
      }
      return sum;
    };
    for (const std::size_t j : kept) factor[i * columns + j] = rest_of(j) / factor[j * columns + j];
    const double pivot = rest_of(i);
    if (pivot > own_effect) {
      factor[i * columns + i] = std::sqrt(pivot);
      kept.push_back(i);
    } else {
      result.push_back(most_like(mass, stride, length, kept, i));
    }
  }
  return result;
}

std::vector<DependentParameter> find_dependent(const RigSpaceBody& body, const Rig& rig, std::span<const int> free,
                                               const ReducedBasis& basis, double own_effect) {
  std::vector<double> range, mass(basis.padded_columns() * basis.padded_columns(), 0.0);
  for (const int i : free) range.push_back(rig.parameters()[index(i)].upper - rig.parameters()[index(i)].lower);
  add_reduced_mass(basis, body.mass, mass);
  double whole = 0;
  for (const double m : body.mass) whole += m;
  return find_dependent(mass, free.size(), basis.padded_columns(), range, 1e-9 * body.height * std::sqrt(whole),
                        own_effect);
}

std::vector<std::string> sentences_of(const Rig& rig, std::span<const int> free,
                                      std::span<const DependentParameter> dependent) {
  const auto name = [&](int column) { return "'" + rig.parameters()[index(free[index(column)])].name + "'"; };
  std::string still;
  int count = 0;
  std::vector<std::string> others;
  for (const DependentParameter& found : dependent) {
    const std::string own = name(found.parameter);
    if (found.like < 0) {
      still += (count++ > 0 ? ", " : "") + own;
    } else if (found.same) {
      others.push_back("the parameters " + name(found.like) + " and " + own +
                       " have the same effect, so that physics cannot tell them apart; free one of them.");
    } else {
      others.push_back("what the parameter " + own + " does the other free ones can do together, " + name(found.like) +
                       " among them, so that physics cannot tell them apart; leave it out of the free ones.");
    }
  }
  std::vector<std::string> result;
  if (count == 1)
    result.push_back("the parameter " + still +
                     " moves nothing of the body, so that physics cannot move it; leave it out of the free ones.");
  if (count > 1)
    result.push_back("the parameters " + still +
                     " move nothing of the body, so that physics cannot move them; leave them out of the free ones.");
  result.insert(result.end(), others.begin(), others.end());
  return result;
}

void check_effects(const RigSpaceBody& body, const Rig& rig, std::span<const int> free, const ReducedBasis& basis) {
  const std::vector<std::string> sentences = sentences_of(rig, free, find_dependent(body, rig, free, basis));
  if (sentences.empty()) return;
  std::string all;
  for (const std::string& sentence : sentences) (all += all.empty() ? "" : " ") += sentence;
  throw input_error(all);
}

}  // namespace sinew
