// How much memory there is to work with.
#pragma once

#include <cstddef>

namespace sinew {

// Bytes: what the machine has, or less where the process or its container is held to less. Never zero.
std::size_t machine_memory();

}  // namespace sinew
