// What plays beside the character in the player, told to pages.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// Key `beside` of the state, to all pages.
void note_comparison(Application& app, const PageJson& comparison);

}  // namespace sinew::studio
