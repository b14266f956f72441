// Structural defects of a control lattice, which need no geometry to be found.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// Sentences for the user, each naming the cell, vertex or bone and the remedy.
struct LatticeDefects {
  std::size_t limit = 10;
  std::vector<std::string> sentences;  // sentences for the user, at most `limit`
  std::size_t count = 0;               // number of all defects found

  void add(const std::string& sentence) {
    if (count++ < limit) sentences.push_back(sentence);
  }
  bool any() const { return count > 0; }
};

// Finds: numbers that are not finite; indices out of range; faces with fewer than three corners or a repeated one;
// cells whose faces do not close, or with a vertex that does not have three edges in the cell; faces of more than two
// cells, or that two cells see from the same side or divide differently; bones and creases off the lattice's edges;
// invalid painted values. Stops after the first of these groups that has defects, since later ones depend on it.
LatticeDefects structural_defects(const ControlLattice& lattice, std::size_t limit = 10);

// Throws input_error with `who`, the first sentence and the number of others.
void throw_if_any(const LatticeDefects& defects, const std::string& who = "");

}  // namespace sinew
