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

namespace sinew {

struct MouthRow {
  std::string lattice;
  int cells = 0, unknowns = 0;
  double rms = 0, largest = 0;  // distance from the fine solution over points of the body, over the way of a tip
  double energy = 0;            // over the fine solution's: more is stiffer
};

std::vector<MouthRow> mouth_experiment(const Progress& progress = {});

}  // namespace sinew
