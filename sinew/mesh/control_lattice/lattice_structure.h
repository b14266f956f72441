// What can be wrong with a control lattice before any geometry is looked at.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// Sentences for people, each naming the cell, vertex or bone and the remedy.
struct LatticeDefects {
  std::size_t limit = 10;
  std::vector<std::string> sentences;  // the first `limit`
  std::size_t count = 0;               // of all that were found

  void add(const std::string& sentence) {
    if (count++ < limit) sentences.push_back(sentence);
  }
  bool any() const { return count > 0; }
};

// Numbers that are not finite, indices out of range, faces with fewer than three corners or one of them twice; cells
// whose faces do not close, or with a vertex that has not three edges in the cell; faces of more than two cells, or
// that two cells see from the same side or cut differently; bones and creases off the lattice's edges; painted values.
// Stops after the first group that has defects, since the later ones rest on it.
LatticeDefects structural_defects(const ControlLattice& lattice, std::size_t limit = 10);

// Throws input_error with `who` and the first sentence, and how many more there are.
void throw_if_any(const LatticeDefects& defects, const std::string& who = "");

}  // namespace sinew
