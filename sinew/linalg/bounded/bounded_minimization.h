// Minimum of a smooth function of many unknowns in a box, from values and gradients: L-BFGS-B (Byrd, Lu, Nocedal and
// Zhu 1995), as in its authors' library.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace sinew {

struct BoundedMinimizationOptions {
  int iterations = 100;
  int evaluations = 200;
  int memory = 10;                  // pairs of steps and gradient changes that are kept
  double relative_decrease = 1e-6;  // stop where an iteration lowers the value by less than this fraction of it
};

struct BoundedMinimum {
  double value = 0;
  int iterations = 0, evaluations = 0;
  bool converged = false;  // false when the iterations ran out or `proceed` stopped the search
};

// `function` returns the value at x and writes the gradient. `x` is the start, which is clamped to the box; on return
// it is the best point that was evaluated. `proceed`, if given, is asked after every iteration whether to continue.
// lower <= upper, of the length of x. Throws simulation_error where the value at the start is not finite; later such
// values shorten the step.
BoundedMinimum minimize_in_box(
    const std::function<double(std::span<const double> x, std::span<double> gradient)>& function,
    std::span<const double> lower, std::span<const double> upper, std::vector<double>& x,
    const BoundedMinimizationOptions& options = {},
    const std::function<bool(int iteration, double value)>& proceed = {});

}  // namespace sinew
