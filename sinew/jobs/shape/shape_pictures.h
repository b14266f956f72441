// Small pictures of a force rig's shapes, for strips of samples.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "sinew/files/png.h"
#include "sinew/jobs/shape/shape_work.h"

namespace sinew {

// The skin at rest in static equilibrium under the rig alone, at each of its samples, all by one camera, which looks at
// what the rig moves. Square, `pixels` wide. Poses the body of `work`. Throws as cook_rig() does, and Stopped.
std::vector<Image> shape_pictures(ShapeWork& work, const ShapeRig& rig, int pixels, const Progress& progress = {});

}  // namespace sinew
