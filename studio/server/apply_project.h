// The project becomes another one: what differs is ordered from the stage and the kitchen, kept, and told.
#pragma once

#include <string>

#include "studio/server/desk.h"

namespace sinew {

// For both the desk's mutex is held. The asker is answered when it is seen.

// `what` and `kind` as for History::act(). Throws Error for settings that make no sense.
void decide(Desk& desk, Project next, const std::string& what, const std::string& kind, const Asker& asker);
// What follows from the project's being another one than `before`.
void apply_project(Desk& desk, const Project& before, const Asker& asker);

}  // namespace sinew
