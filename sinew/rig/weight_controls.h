// The controls of a rig that is a skeleton with a skin: weights of morph targets.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

struct WeightControl {
  RigParameter parameter;
  int node = -1;    // index into Skeleton::joints
  int target = -1;  // number of the morph target
};

// One name per node: the second of two nodes of one name is called by its number too.
std::vector<std::string> unique_names(const Skeleton& skeleton);

// Weights of nodes that show a part of the simulated surface, by nodes and targets, rising. `taken`: names that the
// controls must not have.
std::vector<WeightControl> weight_controls(const Character& character, const SimulationSurface& surface,
                                           std::set<std::string> taken = {});

// The values in a pose, one per control; what the pose does not say is at rest.
void read_weights(std::span<const WeightControl> controls, const Pose& pose, std::span<double> values);

}  // namespace sinew
