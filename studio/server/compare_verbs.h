// Reports the comparison in the player to pages.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// Sets the state's key `beside` and sends it to all pages.
void note_comparison(Application& app, const PageJson& comparison);

}  // namespace sinew::studio
