// The part of the body-centred cubic lattice that a solid occupies, with nodes near the surface warped onto it (Labelle
// and Shewchuk 2007, section 3.1; here onto a surface slightly outside).
#pragma once

#include "sinew/mesh/volume/cell_components.h"
#include "sinew/mesh/volume/solid_sampling.h"

namespace sinew {

struct WarpOptions {
  double reach = 0.25;   // nodes at most this far from the surface move, in cells
  double margin = 0.05;  // distance outside the surface at which they land, in cells
};

// All lattice tetrahedra that may meet the solid; each node occurs once.
LatticeMesh build_lattice_mesh(const SolidSampling& sampling, const WarpOptions& options = {});

}  // namespace sinew
