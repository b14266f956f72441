// What verbs do to takes is declared in verbs.h; here what the stage tells of them.
#pragma once

#include "studio/server/desk.h"

namespace sinew {

// What is recorded so far, or all of it. On the stage's thread.
void note_recorded(Desk& desk, const RecordedTake& take, bool ended);

}  // namespace sinew
