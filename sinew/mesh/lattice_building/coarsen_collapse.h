// Coarsening of a tetrahedral complex by edge collapses (docs/lattice_construction.md).
#pragma once

#include <span>

#include "sinew/base/progress.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

struct CoarsenOptions {
  int target_tetrahedra = 400;
  // Edges with a higher cost do not collapse; 1: an edge of the wanted length between good tetrahedra.
  double highest_cost = 6;
  double least_mean_ratio = 0.2;  // no collapse makes a worse tetrahedron, unless one that it removes was worse
  double snugness = 2;            // weight of added volume (in regular tetrahedra of the wanted size)
};

// Collapses edges, cheapest first, until `target_tetrahedra` are left or all edges cost more than `highest_cost`. The
// cost of an edge is its squared length relative to `size`, plus penalties for added volume and thin tetrahedra. `size`
// is the wanted edge length, metres, per vertex of the original mesh. Boundary vertices move outwards as far as the
// carried points need to stay inside. Inner vertices of a single chain may move along it; ends of chains and vertices
// of several chains stay in place.
//
// Serial and deterministic. Returns the number of collapses. Throws Stopped where `progress` asks for it.
int coarsen(TetrahedralComplex& complex, std::span<const double> size, const CoarsenOptions& options,
            const Progress& progress = {});

}  // namespace sinew
