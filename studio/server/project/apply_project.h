// The project becomes another one: what differs is ordered from the player and the cook worker, kept, and told.
#pragma once

#include <string>

#include "studio/server/application.h"

namespace sinew::studio {

// For both the application's mutex is held. The client is answered when it is seen.

// `what` and `kind` as for History::act(); `stroke` as the page counts them. Throws Error for settings that make no
// sense.
void decide(Application& app, Project next, const std::string& what, const std::string& kind, const Client& client,
            int stroke = 0);
// What follows from the project's being another one than `before`.
void apply_project(Application& app, const Project& before, const Client& client);

}  // namespace sinew::studio
