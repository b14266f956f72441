// A character is opened: read, its project found, cooked, put on stage.
#pragma once

#include "studio/server/desk.h"

namespace sinew {

// The asker, where there is one, is answered when it plays.
void open_file(Desk& desk, OpenOrder file, const Asker& asker);

}  // namespace sinew
