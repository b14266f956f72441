// The amount of memory available to the process, and its way back.
#pragma once

#include <cstddef>

namespace sinew {

// Bytes: the machine's memory, or the limit of the process or its container where that is lower. Never zero.
std::size_t machine_memory();

// Gives memory that was freed back to the system. The C library keeps it for later otherwise, for each thread by
// itself. Takes a fifth of a second per gigabyte, during which threads that allocate may wait.
void return_freed_memory();

}  // namespace sinew
