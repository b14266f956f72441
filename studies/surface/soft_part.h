// Effect of a soft part of the flesh on the learned parameters (Shi et al. 2008, figure 4).
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/deform/surface/surface_model.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct SoftPartOptions {
  double stiffness = 0.25;  // painted on the upper half of the dancing tube, relative to the lower
  int tetrahedra = 4000;
  double apart = 0.1;  // relative to the length: vertices nearer to the border or an end do not count
};

// Medians over the vertices of one half.
struct SoftPartRow {
  std::string half;
  double painted = 1;                   // multiplier of its stiffness
  double uniform = 0, found = 0;        // learned alpha, where nothing was painted and where the upper half was
  double moves = 0, moves_painted = 0;  // of flesh in the example, metres, RMS over time
};

struct SoftPart {
  std::vector<SoftPartRow> rows;  // upper, lower
  TriangleMesh rest;
  SurfaceModel uniform, painted;
};

SoftPart soft_part_experiment(const SoftPartOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
