// Better tetrahedra in a complex, and less of it outside what it carries.
#pragma once

#include <span>

#include "sinew/base/progress.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

struct ImproveOptions {
  int rounds = 4;       // each of flips and smoothing
  double snugness = 3;  // weight of volume (in regular tetrahedra of the wanted size) against shape
};

// In turns,
//   - edges are removed and faces replaced by edges (flips) where that raises the smallest mean ratio around them,
//   - vertices move to lower the sum of (1 / mean ratio)^2 and, where they are on the boundary, volume.
//
// Carried points stay inside, chains stay where they are; vertices in the middle of one chain move along it. `size` as
// in coarsen(). Throws Stopped where `progress` asks for it.
void improve(TetrahedralComplex& complex, std::span<const double> size, const ImproveOptions& options,
             const Progress& progress = {});

// One pass of flips; returns how many were made.
int flip_edges_and_faces(TetrahedralComplex& complex);

// One pass over the vertices; `step` per vertex (metres) is how far they are tried, and changes with success. Returns
// how many moved.
int smooth(TetrahedralComplex& complex, std::span<const double> size, double snugness, std::vector<double>& step);

}  // namespace sinew
