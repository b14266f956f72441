// Improvement of the shape of tetrahedra in a complex, and reduction of its volume outside the carried points.
#pragma once

#include <span>

#include "sinew/base/progress.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

struct ImproveOptions {
  int rounds = 4;       // each consists of flips and smoothing
  double snugness = 3;  // weight of volume (in regular tetrahedra of the wanted size) relative to shape
};

// Alternates between
//   - edges are removed and faces replaced by edges (flips) where that raises the smallest mean ratio around them,
//   - vertices move to lower the sum of (1 / mean ratio)^2 and, where they are on the boundary, volume.
//
// Carried points stay inside and chains stay in place; inner vertices of a single chain move along it. `size` as in
// coarsen(). Throws Stopped where `progress` asks for it.
void improve(TetrahedralComplex& complex, std::span<const double> size, const ImproveOptions& options,
             const Progress& progress = {});

// One pass of flips; returns their number.
int flip_edges_and_faces(TetrahedralComplex& complex);

// One pass over the vertices; `step` is the trial distance per vertex, metres, which adapts to success. Returns the
// number of moved vertices.
int smooth(TetrahedralComplex& complex, std::span<const double> size, double snugness, std::vector<double>& step);

}  // namespace sinew
