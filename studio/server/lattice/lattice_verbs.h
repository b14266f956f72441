// Steps in the history of the lattice that is edited.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// Whether a lattice is being edited. The application's mutex must be held.
bool lattice_is_open(const Application& app);
// The lattice for pages; null if none is being edited. The application's mutex must be held.
PageJson lattice_state(const Application& app);

// One step back or forward. The application's mutex must be held, and a lattice be open.
void step_in_lattice(Application& app, const Client& client, bool back);

}  // namespace sinew::studio
