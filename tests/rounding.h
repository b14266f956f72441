// Bounds for numbers that would be equal but for rounding.
#pragma once

#include <limits>

namespace sinew::test {

// The most that rounding leaves between two ways to one number, each of which rounds `operations` times in a row with
// no number larger than `size` on the way: half a unit of the last digit every time, both ways. Kernels for other
// vector instructions sum in another order and round a product and its sum once or twice; they stay within it as well,
// where a bound that one processor's rounding was measured for need not.
constexpr double rounding_of(double size, double operations) {
  return size * operations * std::numeric_limits<double>::epsilon();
}

}  // namespace sinew::test
