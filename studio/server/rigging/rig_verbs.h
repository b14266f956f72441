// Puts a mesh that was opened on the rigging bench, and finds its weights anew.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// Takes the place of the character. Called on the cook worker's thread; the client is answered. Throws Error for a mesh
// that shows nothing.
void enter_rigging(Application& app, const LoadedCharacter& loaded, const std::filesystem::path& path,
                   const Client& client);

// One step back or forward. The application's mutex must be held, and a mesh be on the bench.
void step_in_rigging(Application& app, const Client& client, bool back);

}  // namespace sinew::studio
