// Minimum of a smooth function of many unknowns in a box, from values and gradients: L-BFGS-B (Byrd, Lu, Nocedal and
// Zhu 1995) as its authors' library has it.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace sinew {

struct BoundedMinimizationOptions {
  int iterations = 100;
  int evaluations = 200;
  int memory = 10;                  // pairs of steps and changes of the gradient that are kept
  double relative_decrease = 1e-6;  // stop where an iteration lowers the value by less than this share of it
};

struct BoundedMinimum {
  double value = 0;
  int iterations = 0, evaluations = 0;
  bool converged = false;  // not for having run out of iterations, or stopped by `proceed`
};

// `function` gives the value at x and writes the gradient. `x`: the start, brought into the box; on return the best
// point that was evaluated. `proceed`, where given, is asked after every iteration whether to go on. lower <= upper, of
// x's length. Throws simulation_error where a value at the start is no number; later ones shorten the step.
BoundedMinimum minimize_in_box(
    const std::function<double(std::span<const double> x, std::span<double> gradient)>& function,
    std::span<const double> lower, std::span<const double> upper, std::vector<double>& x,
    const BoundedMinimizationOptions& options = {},
    const std::function<bool(int iteration, double value)>& proceed = {});

}  // namespace sinew
