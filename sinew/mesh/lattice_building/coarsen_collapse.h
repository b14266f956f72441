// Coarsening of a tetrahedral complex by edge collapses (docs/lattice_construction.md).
#pragma once

#include <span>

#include "sinew/base/progress.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

struct CoarsenOptions {
  int target_tetrahedra = 400;
  double highest_cost = 6;  // nothing costlier collapses: 1 is an edge of the wanted length between good tetrahedra
  double least_mean_ratio = 0.2;  // no collapse makes a tetrahedron worse, unless one of those it takes away was
  double snugness = 2;            // weight of volume added (in regular tetrahedra of the wanted size)
};

// Collapses edges, cheapest first, until `target_tetrahedra` are left or no edge can collapse for less than
// `highest_cost`. An edge's cost is its squared length relative to `size` (per vertex that the complex was made with,
// metres: how long edges should become there), more where volume is added or tetrahedra become thin. A vertex of the
// boundary moves outwards as far as keeping the carried points inside asks for. Vertices in the middle of one chain may
// go along it; ends, and vertices of several chains, stay where they are.
//
// Serial, and the same on every run. Returns how many collapses were made. Throws Stopped where `progress` asks for it.
int coarsen(TetrahedralComplex& complex, std::span<const double> size, const CoarsenOptions& options,
            const Progress& progress = {});

}  // namespace sinew
