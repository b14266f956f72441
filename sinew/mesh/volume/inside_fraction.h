// How much of each element is solid.
#pragma once

#include <vector>

#include "sinew/mesh/volume/piece_joining.h"
#include "sinew/mesh/volume/solid_sampling.h"

namespace sinew {

// Per element, the share of its volume inside the solid, measured along the lines of the sampling in
// three directions; where its lattice tetrahedron has several copies, only this copy's piece counts.
std::vector<double> inside_fractions(const SolidSampling& sampling, const JoinedPieces& joined);

}  // namespace sinew
