// Activation of muscles over time, as keyed controls of a file.
#pragma once

#include <array>
#include <span>
#include <string>

#include "sinew/cook/muscles/muscle_file.h"

namespace sinew {

// Seconds and activation.
using ActivationKey = std::array<double, 2>;

// A number as such files show it.
double rounded_activation(double value);

// Gives a muscle a control "effort of NAME" with the keys of a curve, but for those that lie on a line between their
// neighbours.
void add_activation_curve(const std::string& muscle, std::span<const ActivationKey> curve, ActivationFile& file);

}  // namespace sinew
