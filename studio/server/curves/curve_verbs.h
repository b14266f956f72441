// Follows the curves of what plays, for pages that show them.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// Begins a run of the curves of the clip that plays, if a page shows them and the method computes some; else stops.
// Call it whenever the scene, the clip or the pages have changed, with the application's mutex held.
void follow_curves(Application& app);

}  // namespace sinew::studio
