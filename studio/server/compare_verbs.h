// What plays beside the character on stage, told to pages.
#pragma once

#include "studio/server/desk.h"

namespace sinew {

// Key `beside` of the state, to all pages.
void note_beside(Desk& desk, const PageJson& beside);

}  // namespace sinew
