// The sheet of pictures of the comparison of skinning.
#pragma once

#include "sinew/files/png.h"
#include "studies/skinning/comparison.h"

namespace sinew {

// A row per family and a column per bend, each column by one camera that looks along the axis of the bend at the limb.
// Skin is grey where it is where nonlinear elasticity has it, and red at a distance of a twentieth of the height.
// Families that failed have empty pictures.
Image skinning_picture(const SkinningComparison& comparison);

}  // namespace sinew
