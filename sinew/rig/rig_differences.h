// Finite-difference derivatives of rigs that do not provide their own (Hahn 2013, section 3), with few evaluations:
// most parameters move few vertices, and parameters that have no vertex in common share an evaluation (Curtis, Powell
// and Reid 1974).
//
// The constructor probes, around one parameter vector,
//   - the rig's noise (single-precision rounding, iterations that stop early), from high differences along a line
//     (Moré and Wild 2011),
//   - how far each parameter moves the surface over its range, and which vertices,
//   - from both, the step length: for noise e and effect d over the range, range (3 e / d)^(1/3) for central
//     differences and 2 range (e / d)^(1/2) for forward ones.
// Vertices that move in an evaluation where none of its parameters was known to move them are detected, and so are
// vertices whose derivatives do not add up in an evaluation that moves all parameters at once. The pattern then grows
// and the result is computed again.
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
  bool central = true;  // central differences; otherwise forward: half the evaluations, and half the digits
  bool share = true;    // evaluate several parameters at once where they have no vertex in common
  bool add_up = true;   // check with one more difference that derivatives add up; only with shared evaluations
  // Number of parameter vectors for probing the pattern, at least 1; each takes parameters + 1 evaluations.
  int probes = 3;
};

class RigDifferences {
 public:
  // `columns`: the parameters to differentiate with respect to. `p`: values of all parameters, at which probing begins.
  // The rig must outlive this. Throws what the rig throws.
  RigDifferences(Rig& rig, std::vector<int> columns, std::span<const double> p,
                 const RigDifferenceOptions& options = {});

  // Computes the columns of columns(). Deterministic for the same calls in the same order.
  void jacobian(std::span<const double> p, RigJacobian& result);

  const std::vector<int>& columns() const { return columns_; }
  // Per column: the vertices that it was observed to move, ascending. Empty: a parameter without effect.
  const std::vector<std::vector<int>>& pattern() const { return pattern_; }
  // Evaluations of the rig so far, and the number of them used for probing.
  std::size_t evaluations() const { return evaluations_; }
  std::size_t probing_evaluations() const { return probing_evaluations_; }
  // Evaluations that one Jacobian needs per direction.
  std::size_t groups() const { return groups_.size(); }
  double noise() const { return noise_; }                      // metres, root mean square
  const std::vector<double>& steps() const { return steps_; }  // per column, in the parameter's unit
  // Per column: largest displacement over its range, metres.
  const std::vector<double>& effects() const { return effects_; }
  std::size_t growths() const { return growths_; }  // number of times the pattern had to be extended

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
  std::vector<double> steps_, effects_;
  std::vector<std::vector<int>> groups_;  // indices into columns_
  double noise_ = 0, moved_ = 0;          // metres; displacements above `moved_` are not noise
  double tolerance_;                      // relative tolerance of the check that derivatives add up
  std::size_t evaluations_ = 0, probing_evaluations_ = 0, growths_ = 0;
  std::mt19937_64 random_;
};

}  // namespace sinew
