// Interpolation between samples: values of controls to weights of samples, whose sum is 1.
//
// With one control it is piecewise linear and constant beyond (Capell 2004, algorithm 6.1). With more, as pose drivers
// do, weights are combinations of the radial functions |gamma - gamma_k| and a constant, exact at the samples. In one
// dimension these would be the same.
#pragma once

#include <span>
#include <vector>

namespace sinew {

class SampleWeights {
 public:
  // `at`: per sample, the value of each control; one control ascending. Throws input_error if two samples coincide.
  explicit SampleWeights(std::vector<std::vector<double>> at);

  std::size_t samples() const { return at_.size(); }
  // `gamma`: value of each control. `weights`: one per sample.
  void find(std::span<const double> gamma, std::span<double> weights) const;

 private:
  std::vector<std::vector<double>> at_;
  std::vector<double> inverse_;  // (samples + 1)^2, of the system of radial functions; empty for one control
};

}  // namespace sinew
