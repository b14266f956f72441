// Second derivatives of rigs by finite differences, which the reference method of rig-space physics needs.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/rig/rig_differences.h"

namespace sinew {

// Second derivatives d2s / dp_i dp_j for pairs of columns.
struct RigSecondDerivatives {
  std::vector<std::array<int, 2>> pair;  // indices into RigDifferences::columns(), first <= second; other pairs are 0
  std::vector<int> start{0};             // pairs + 1, into the following members
  std::vector<int> vertex;               // ascending per pair
  std::vector<Vec3> derivative;          // metres per unit of either parameter
  std::size_t evaluations = 0;           // of the rig
};

// Second derivatives, at the parameters p, of the pairs of columns of `differences` that move a common vertex. `rig` is
// the rig that `differences` was made for. Diagonal: (s(+) - 2 s + s(-)) / h^2; mixed:
//   (s(++) + s(--) - s(+0) - s(-0) - s(0+) - s(0-) + 2 s) / (2 h_i h_j),
// with two evaluations per pair and two per column. Step length: 2 range (e / d)^(1/4) for noise e and effect d over
// the parameter's range.
RigSecondDerivatives rig_second_derivatives(Rig& rig, const RigDifferences& differences, std::span<const double> p);

}  // namespace sinew
