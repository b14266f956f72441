// Colours for a number per vertex: displacement, flesh depth, stiffness.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A colour from dark blue over green to yellow with steadily increasing lightness. `t` is clamped to [0, 1]; not a
// number gives magenta. Linear RGB.
Vec3 heat_color(double t);

// A colour for signed deviations: blue at -1, light grey at 0, red at 1. Clamped; not a number gives magenta. Linear
// RGB.
Vec3 balance_color(double t);

// heat_color() of each value, with `low` at the dark end and `high` at the light end.
std::vector<Vec3> heat_colors(std::span<const double> values, double low, double high);

}  // namespace sinew
