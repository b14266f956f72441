// Fraction of each element that is solid.
#pragma once

#include <vector>

#include "sinew/mesh/volume/piece_joining.h"
#include "sinew/mesh/volume/solid_sampling.h"

namespace sinew {

// Per element, the fraction of its volume inside the solid, measured along the sampling lines in three directions. If
// its lattice tetrahedron has several copies, only the piece of this copy counts.
std::vector<double> inside_fractions(const SolidSampling& sampling, const JoinedPieces& joined);

}  // namespace sinew
