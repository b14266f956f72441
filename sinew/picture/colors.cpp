#include "sinew/picture/colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sinew {
namespace {

// Linear RGB at equal intervals; the luminance increases by the same factor from each to the next.
constexpr std::array<Vec3, 6> stops{{
    {0.030, 0.020, 0.130},
    {0.050, 0.080, 0.340},
    {0.020, 0.210, 0.330},
    {0.060, 0.390, 0.150},
    {0.450, 0.560, 0.040},
    {0.980, 0.800, 0.140},
}};

}  // namespace

Vec3 heat_color(double t) {
  if (std::isnan(t)) return {1, 0, 1};
  const double position = std::clamp(t, 0.0, 1.0) * (stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double share = position - static_cast<double>(below);
  return stops[below] * (1 - share) + stops[below + 1] * share;
}

Vec3 balance_color(double t) {
  if (std::isnan(t)) return {1, 0, 1};
  constexpr Vec3 below{0.02, 0.10, 0.62}, even{0.72, 0.72, 0.72}, above{0.70, 0.04, 0.02};
  const double share = std::sqrt(std::min(std::abs(t), 1.0));  // makes small changes visible
  return even * (1 - share) + (t < 0 ? below : above) * share;
}

std::vector<Vec3> heat_colors(std::span<const double> values, double low, double high) {
  std::vector<Vec3> colors;
  colors.reserve(values.size());
  const double range = high > low ? high - low : 1;
  for (double value : values) colors.push_back(heat_color((value - low) / range));
  return colors;
}

}  // namespace sinew
