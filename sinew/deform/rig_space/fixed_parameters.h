// Free parameters that keys fix (deform/fixed_keys.h): their values at the end of a step are known, and the others
// react to them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct FixedParameter {
  std::size_t free = 0;        // index into RigSpaceMotion::free()
  double in = 0;               // seconds from the step's end until it has `value`; 0: it has it there
  double value = 0, rate = 0;  // then, in the parameter's own unit, and per second
};

// Per free parameter, 1 if it is fixed; empty if none is.
std::vector<char> are_fixed(std::span<const FixedParameter> fixed, std::size_t free);

// Makes row and column of a parameter those of the identity, so that the equations leave it out. `matrix`: `size`
// numbers to a row.
void leave_out(std::size_t parameter, std::size_t size, std::span<double> matrix);

}  // namespace sinew
