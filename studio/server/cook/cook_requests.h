// Sends requests to the cook worker and handles their results.
#pragma once

#include <cstdint>

#include "studio/server/application.h"

namespace sinew::studio {

// Cooks the character as the project has it now. The client is answered when the result is in the player. The
// application's mutex must be held.
void cook(Application& app, const Client& client);
// Puts the result of a request for `project` into the player, or undoes the change that failed. Called on the cook
// worker's thread.
void deliver(Application& app, CookResult delivered, std::uint64_t request, const Project& project);

}  // namespace sinew::studio
