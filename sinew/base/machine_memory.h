// The amount of memory available to the process.
#pragma once

#include <cstddef>

namespace sinew {

// Bytes: the machine's memory, or the limit of the process or its container where that is lower. Never zero.
std::size_t machine_memory();

}  // namespace sinew
