// Sends requests to the cook worker and handles their results.
#pragma once

#include <cstdint>

#include "studio/server/application.h"

namespace sinew::studio {

// Cooks the character as the project has it now. The client is answered when the result is in the player. The
// application's mutex must be held.
void cook(Application& app, const Client& client);

// Which state was cooked.
struct CookedState {
  std::uint64_t request = 0;  // the last one that the state obeys
  std::uint64_t cook = 0;  // Application::cooks, to tell whether the result is the newest; 0: the character was opened
};
// Puts the result of a cook into the player, or takes back the step of the history that failed. Called on the cook
// worker's thread.
void deliver(Application& app, CookResult delivered, const CookedState& state);

}  // namespace sinew::studio
