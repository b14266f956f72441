// Capell (2004), figure 4.7: a body with two near parts, stretched and opened by points that are held, in a regular
// grid against a lattice that is fitted to it.
//
// The body is a mouth: a throat from which two jaws reach along x with a narrow gap between them. Linear strain; points
// of the throat stay, both tips are drawn forward and apart (section 4.8).
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
  double rms = 0, largest = 0;  // distance from the fine solution over points of the body, over the way of a tip
  double energy = 0;            // over the fine solution's: more is stiffer
};

struct MouthExperiment {
  std::vector<MouthRow> rows;               // the fine solution last
  TriangleMesh rest;                        // the body's surface
  std::vector<std::vector<Vec3>> surfaces;  // per row, metres
  double way = 0;                           // of a tip, metres
};

MouthExperiment mouth_experiment(const Progress& progress = {});

}  // namespace sinew
