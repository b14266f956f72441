// Capell (2004), figure 5.5: a character turns its head to one side, in static equilibrium, with every linearisation.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"
#include "studies/capell/posed_lattice.h"

namespace sinew {

struct HeadOptions {
  double degrees = 60;  // about the vertical axis through the head's joint
  int cells = 400;      // approximate number of cells
  int levels = 1;
  std::string head = "*head*";  // pattern for the joint's name in lower case; the topmost match is turned
};

struct HeadRun {
  Linearized how;
  std::vector<Vec3> surface;    // world, metres
  double volume_ratio = 1;      // enclosed by the surface, relative to rest
  double rms = 0, largest = 0;  // distance from the nonlinear surface, relative to the character's height
  double milliseconds = 0;      // per step, median, while the head turns in half a second
  double iterations = 0;        // per step, mean
};

struct HeadExperiment {
  std::string character;
  TriangleMesh rest;
  std::vector<int> head;  // vertices that are turned
  std::size_t cells = 0, unknowns = 0;
  std::vector<HeadRun> runs;
};

// Throws input_error for a character without a joint that matches.
HeadExperiment head_experiment(const Character& character, const std::string& name, const HeadOptions& options = {},
                               const Progress& progress = {});

}  // namespace sinew
