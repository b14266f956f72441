// What an animator can take hold of in a character's file, and what physics could: controls with their ranges over the
// clips.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/rig.h"

namespace sinew {

struct ListedParameter {
  RigParameter parameter;          // with the range that it is made for
  double least = 0, most = 0;      // over all clips, in the parameter's own unit
  std::vector<std::string> clips;  // that move it
  std::vector<std::string> held;   // that have keys for it, which leave it at rest
};

struct ListedControl {
  std::string name;
  int node = -1;
  double moves = 0;   // share of the skin that goes with it, by weight
  std::string hangs;  // why --free auto frees it; empty: it does not
  std::vector<ListedParameter> parameters;
};

// Controls that move some of the skin, in the order of the rig's parameters. Throws what
// simulation_surface() and ClipAnimation throw.
std::vector<ListedControl> list_controls(const Character& character);

}  // namespace sinew
