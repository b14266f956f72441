// What verbs ask to be baked is declared in verbs.h; here what comes of it.
#pragma once

#include "studio/server/bake_jobs.h"
#include "studio/server/desk.h"

namespace sinew {

// On the thread that baked.
void finish_bake(Desk& desk, const Baked& baked);

}  // namespace sinew
