#include "sinew/jobs/motion/activation_curves.h"

#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr double least_change = 0.002;  // of a control, that needs a key

std::vector<ActivationKey> keys_of(std::span<const ActivationKey> curve) {
  std::vector<ActivationKey> keys;
  for (std::size_t from = 0; from < curve.size();) {
    keys.push_back(curve[from]);
    std::size_t to = from + 1;
    const auto fits = [&](std::size_t end) {
      for (std::size_t k = from + 1; k < end; ++k) {
        const double share = (curve[k][0] - curve[from][0]) / (curve[end][0] - curve[from][0]);
        if (std::abs(curve[from][1] + share * (curve[end][1] - curve[from][1]) - curve[k][1]) > least_change)
          return false;
      }
      return true;
    };
    while (to + 1 < curve.size() && fits(to + 1)) ++to;
    from = to;
  }
  return keys;
}

}  // namespace

double rounded_activation(double value) { return std::round(1e5 * value) / 1e5; }

void add_activation_curve(const std::string& muscle, std::span<const ActivationKey> curve, ActivationFile& file) {
  const std::string control = "effort of " + muscle;
  file.controls.push_back({control, curve[0][1], keys_of(curve), false});
  file.activations.push_back({muscle, {ActivationSource::control, 0, control, 0, 1}});
}

}  // namespace sinew
