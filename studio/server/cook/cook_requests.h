// What the cook worker is asked for, and what becomes of it.
#pragma once

#include <cstdint>

#include "studio/server/application.h"

namespace sinew::studio {

// The character as the project has it now; the client is answered when it is in the player. The application's mutex is
// held.
void cook(Application& app, const Client& client);
// What came of a request goes in the player, or is taken back. On the cook worker's thread.
void deliver(Application& app, CookResult delivered, std::uint64_t request);

}  // namespace sinew::studio
