// What verbs do to takes is declared in verbs.h; here what the player tells of them.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// What is recorded so far, or all of it. On the player's thread.
void note_recorded(Application& app, const RecordedTake& take, bool ended);

}  // namespace sinew::studio
