#pragma once

#include <cstddef>

namespace sinew {

/// An index that is known not to be negative, as the containers of the standard library want it.
constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace sinew
