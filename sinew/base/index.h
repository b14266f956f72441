#pragma once

#include <cstddef>

namespace sinew {

/// Converts an index that is known not to be negative to std::size_t, for subscripts of standard containers.
constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace sinew
