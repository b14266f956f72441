// The stretch of the body-centred cubic lattice that a solid occupies, with nodes near the surface
// warped onto it (Labelle and Shewchuk 2007, section 3.1; here onto a surface a little outside).
#pragma once

#include "sinew/mesh/volume/cell_components.h"
#include "sinew/mesh/volume/solid_sampling.h"

namespace sinew {

struct WarpOptions {
  double reach = 0.25;   // nodes at most this far from the surface move, in cells
  double margin = 0.05;  // they land this far outside it, in cells
};

// All lattice tetrahedra that may meet the solid, and no node twice.
LatticeMesh build_lattice_mesh(const SolidSampling& sampling, const WarpOptions& options = {});

}  // namespace sinew
