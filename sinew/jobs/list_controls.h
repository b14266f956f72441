// Lists the controls of a character's file with their ranges over the clips, for the animator and for physics.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/rig.h"

namespace sinew {

struct ListedParameter {
  RigParameter parameter;          // with its nominal range
  double least = 0, most = 0;      // over all clips, in the parameter's own unit
  std::vector<std::string> clips;  // clips that move it
  std::vector<std::string> held;   // clips with keys that leave it at rest
};

struct ListedControl {
  std::string name;
  int node = -1;
  double moves = 0;   // share of the skin that moves with it, by weight
  std::string hangs;  // why --free auto frees it; empty if it does not
  std::vector<ListedParameter> parameters;
};

// Controls that move some of the skin, in the order of the rig's parameters. Throws what simulation_surface() and
// ClipAnimation throw.
std::vector<ListedControl> list_controls(const Character& character);

}  // namespace sinew
