// Derivatives of rigs that know none of their own, by differences (Hahn 2013, section 3), with few evaluations: most
// parameters move few vertices, and those that move none in common are moved in one evaluation (Curtis, Powell and Reid
// 1974).
//
// What is needed to do so is probed once, around one parameter vector:
//   - the rig's noise (rounding of floats inside, iterations that stop early), from high differences along a line
//     (Moré and Wild 2011),
//   - how far each parameter moves the surface over its range, and which vertices,
//   - from both the step: with noise e and effect d over the range, range (3 e / d)^(1/3) for central differences,
//     2 range (e / d)^(1/2) for forward and 2 range (e / d)^(1/4) for second ones.
// A vertex that moves where no parameter of an evaluation was seen to move it is noticed, as is one whose derivatives
// do not add up in an evaluation that moves all parameters at once; the pattern grows then, and the result is computed
// again.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "sinew/character/rig.h"

namespace sinew {

struct RigDifferenceOptions {
  bool central = true;  // else forward: half of the evaluations, and half of the digits
  bool share = true;    // several parameters in one evaluation where they have no vertex in common
  bool add_up = true;   // check with one more difference that derivatives add up; only where evaluations are shared
  int probes = 3;       // parameter vectors at which the pattern is probed, at least 1; parameters + 1 evaluations each
};

// d2s / dp_i dp_j for pairs of columns.
struct RigSecondDerivatives {
  std::vector<std::array<int, 2>> pair;  // positions in RigDifferences::columns(), first <= second; other pairs are 0
  std::vector<int> start{0};             // pairs + 1, into the following
  std::vector<int> vertex;               // ascending per pair
  std::vector<Vec3> derivative;          // metres per unit of either parameter
};

class RigDifferences {
 public:
  // `columns`: the parameters to differentiate by. `p`: all parameters; where probing begins. The rig must outlive
  // this. Throws what the rig throws.
  RigDifferences(Rig& rig, std::vector<int> columns, std::span<const double> p,
                 const RigDifferenceOptions& options = {});

  // Columns as in columns(). Deterministic for the same calls in the same order.
  void jacobian(std::span<const double> p, RigJacobian& result);

  // Pairs that have a vertex in common. Diagonal: (s(+) - 2 s + s(-)) / h^2; mixed:
  //   (s(++) + s(--) - s(+0) - s(-0) - s(0+) - s(0-) + 2 s) / (2 h_i h_j),
  // two evaluations per pair beside the two per column. With `share`, pairs whose parameters have no vertex in common
  // share evaluations.
  void second_derivatives(std::span<const double> p, RigSecondDerivatives& result, bool share = true);

  const std::vector<int>& columns() const { return columns_; }
  // Per column: vertices that it was seen to move, ascending. Empty: a parameter without effect.
  const std::vector<std::vector<int>>& pattern() const { return pattern_; }
  // Evaluations of the rig until now, and those of them that were for probing.
  std::size_t evaluations() const { return evaluations_; }
  std::size_t probing_evaluations() const { return probing_evaluations_; }
  // Evaluations of one Jacobian that go in one direction.
  std::size_t groups() const { return groups_.size(); }
  double noise() const { return noise_; }                          // metres, root mean square
  const std::vector<double>& steps() const { return steps_; }      // per column, in its unit
  const std::vector<double>& effects() const { return effects_; }  // per column: metres, largest over its range
  std::size_t growths() const { return growths_; }                 // how often the pattern turned out too small

 private:
  using Place = std::function<void(std::size_t, std::span<double>)>;
  using Use = std::function<void(std::size_t, std::span<const Vec3>)>;

  double range(std::size_t column) const;
  void run(std::span<const double> p, std::size_t count, std::size_t together, const Place& place, const Use& use);
  void measure_noise(std::span<const double> p);
  void probe(std::span<const double> p);
  void choose_steps();
  void form_groups();
  bool add_to_pattern(std::size_t column, std::span<const Vec3> a, std::span<const Vec3> b);
  bool probe_columns(std::span<const double> p, std::span<const int> columns);
  bool grouped_differences(std::span<const double> p, std::vector<std::vector<Vec3>>& values);
  bool adds_up(std::span<const double> p, const std::vector<std::vector<Vec3>>& values);

  Rig& rig_;
  std::vector<int> columns_;
  RigDifferenceOptions options_;
  std::vector<std::vector<int>> pattern_;
  std::vector<double> steps_, second_steps_, effects_;
  std::vector<std::vector<int>> groups_;  // positions in columns_
  double noise_ = 0, moved_ = 0;          // metres; displacements above `moved_` are none of noise
  double tolerance_;                      // of what adds up, relative
  std::size_t evaluations_ = 0, probing_evaluations_ = 0, growths_ = 0;
  std::mt19937_64 random_;
};

}  // namespace sinew
