// What verbs ask to be baked is declared in verbs.h; here what comes of it.
#pragma once

#include "studio/server/application.h"
#include "studio/server/cook/bake_jobs.h"

namespace sinew::studio {

// On the thread that baked.
void finish_bake(Application& app, const Baked& baked);

}  // namespace sinew::studio
