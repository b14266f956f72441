// The active functions of a hierarchical basis (Capell 2004, section 4.7), and how vectors number them.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// Numbering of active functions. A slot is a function whose coefficient may be other than zero; an unknown is a slot
// that is solved for.
struct ActiveFunctions {
  std::vector<int> slot;              // function -> slot, or -1
  std::vector<int> function;          // slot -> function, ascending
  std::vector<int> unknown;           // function -> unknown, or -1
  std::vector<int> unknown_function;  // unknown -> function, ascending
  std::vector<int> unknown_slot;      // unknown -> slot

  std::size_t slots() const { return function.size(); }
  std::size_t unknowns() const { return unknown_function.size(); }
};

enum class Activity : char {
  off,     // its coefficient is zero and stays so
  fading,  // its coefficient decays to zero by a law of its own
  solved,  // its coefficient is an unknown, if it is free
};

// `activity`: per function. Functions driven by the skeleton are always active and never unknowns.
ActiveFunctions active_functions(std::span<const FunctionRole> role, std::span<const Activity> activity);

}  // namespace sinew
