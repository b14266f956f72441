// Figure 6.9: the same forces in control lattices whose functions are all solved for, and in one that adapts, whose
// rigs switch on the functions that they push (Capell 2004, section 6.6).
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct LatticeRigsOptions {
  std::vector<std::string> presets{"breathing", "biceps"};
  int cells = 200, levels = 2;                 // of the fine lattice, with which the others are compared
  std::vector<double> thresholds{0.05, 0.01};  // strains above which adaptive lattices use finer functions
  double seconds = 1;                          // after which the shapes are compared
};

struct LatticeRigsRow {
  std::string name;
  int functions = 0;            // largest number solved for at once
  double milliseconds = 0;      // of a step with its skin on one thread, while forces grow, median
  double rms = 0, largest = 0;  // distance from the skin in the fine lattice, metres
  std::vector<Vec3> skin;       // rest pose, metres
};

struct LatticeRigs {
  std::string character;
  double height = 0, moved = 0;  // metres; the farthest that forces move the skin in the fine lattice
  std::size_t cells = 0;         // of the lattice
  TriangleMesh rest;
  std::vector<LatticeRigsRow> rows;  // the fine one first
};

LatticeRigs lattice_rigs_experiment(const Character& character, const std::string& name,
                                    const LatticeRigsOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
