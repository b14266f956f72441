// A change of a project made on top of another project.
#pragma once

#include "studio/server/project/project.h"

namespace sinew::studio {

// `onto` with what changed from `before` to `after`; the rest of `onto` stays. Settings change key by key, lists of
// objects item by item, motions one by one, other lists, fields and kept poses each as a whole.
Project rebased(const Project& before, const Project& after, const Project& onto);

}  // namespace sinew::studio
