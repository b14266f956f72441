// What the kitchen is asked for, and what becomes of it.
#pragma once

#include <cstdint>

#include "studio/server/desk.h"

namespace sinew {

// The character as the project has it now; the asker is answered when it is on stage. The desk's mutex is held.
void cook(Desk& desk, const Asker& asker);
// What came of an order goes on stage, or is taken back. On the kitchen's thread.
void serve(Desk& desk, Served served, std::uint64_t order);

}  // namespace sinew
