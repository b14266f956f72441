// Handles the results of bakes that bake_verbs.cpp started.
#pragma once

#include "studio/server/application.h"
#include "studio/server/cook/bake_jobs.h"

namespace sinew::studio {

// Call this on the bake's thread.
void finish_bake(Application& app, const Baked& baked);

}  // namespace sinew::studio
