// Capell (2004), figure 4.7: a body with two adjacent parts, stretched and opened by held points, in a regular grid and
// in a lattice that is fitted to it.
//
// The body is a mouth: a throat with two jaws along x and a narrow gap between them. Linear strain. Points of the
// throat are fixed; both tips are pulled forward and apart (section 4.8).
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct MouthRow {
  std::string lattice;
  int cells = 0, unknowns = 0;
  // Distance from the fine solution over points of the body, relative to the displacement of a tip.
  double rms = 0, largest = 0;
  double energy = 0;  // relative to the fine solution's: more means stiffer
};

struct MouthExperiment {
  std::vector<MouthRow> rows;               // the fine solution last
  TriangleMesh rest;                        // the body's surface
  std::vector<std::vector<Vec3>> surfaces;  // per row, metres
  double tip_displacement = 0;              // displacement of a tip, metres
};

MouthExperiment mouth_experiment(const Progress& progress = {});

}  // namespace sinew
