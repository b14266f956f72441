// Estimates the material of flesh from its observed motion, which Capell (2004, section 7.3) proposes, by some eighty
// runs: Gauss-Newton steps with Levenberg's damping and finite differences over the logarithms of stiffness and
// damping, within a search over the core.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Values of a material that its motion shows.
struct MaterialValues {
  double young = 0;    // pascals
  double damping = 0;  // ratio to critical at the flesh's own frequency
  double core = 0;     // rigid share of the local thickness around bones, (0, 1)
};

// One value of an estimate.
struct EstimatedValue {
  const char* key = "";  // key of the setting
  double value = 0;      // the start value if the observation does not determine it
  double error = 0;      // standard error relative to the value
  // Reason why the observation does not determine the value, the end of a sentence; empty: it does.
  std::string undetermined{};
};

// An estimate with its confidence.
struct MaterialEstimate {
  std::array<EstimatedValue, 3> values;  // young, damping, core
  double observed = 0;                   // metres: RMS of the observed displacements
  double residual = 0;                   // metres: RMS of their differences from the run with the estimate
  int runs = 0;

  MaterialValues material() const { return {values[0].value, values[1].value, values[2].value}; }
};

// Runs flesh of this material and returns the coordinates that were observed, in the same order: metres, relative to
// the rig. A simulation_error counts as a bad fit.
using MaterialRun = std::function<std::vector<float>(const MaterialValues&)>;

// Finds the values from which the runs differ least from `observed`, beginning at `start`. `accuracy`: lower bound of
// the standard deviation of an observed coordinate, metres. Standard errors follow from residual and Jacobian and take
// the residuals for independent. A value whose standard error is above 30 %, or that reaches the end of its range, is
// reported as undetermined, and the others are estimated with its start value. Deterministic. Throws what `run` throws,
// except simulation errors of others than the start.
MaterialEstimate estimate_material(std::span<const float> observed, const MaterialValues& start, double accuracy,
                                   const MaterialRun& run);

}  // namespace sinew
