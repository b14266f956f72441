// Handles takes that the player records for take_verbs.cpp.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// The take so far, or the finished one. Called on the player's thread.
void note_recorded(Application& app, const RecordedTake& take, bool ended);

}  // namespace sinew::studio
