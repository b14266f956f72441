// A test case for the experiments with rig-space physics: a scene, and a clip that moves it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"

namespace sinew {

// The scene's body must have its map to the interior and its material.
struct RigSpaceCase {
  std::string name;  // "trunk"
  std::shared_ptr<CookedRigSpace> scene;
  RigSpaceSettings settings;
  std::shared_ptr<const RigAnimation> animation;  // null: nothing is keyed
  double begin = 0, length = 0;                   // seconds on the clip's time line
  bool loops = false;  // the clip ends as it began, and is repeated; otherwise it is played once
  // All clips of the character, which own the data that `examples` points to.
  std::vector<std::shared_ptr<const RigAnimation>> clips;
  std::vector<ExampleClip> examples;
};

// Values of all parameters of the scene's rig `elapsed` seconds after the beginning: keyed ones as animated, free ones
// at rest. After the end of a clip that does not loop, the last pose is held.
std::vector<double> keyed_parameters(const RigSpaceCase& of, double elapsed);
// keyed_parameters() with the given values of the free parameters.
std::vector<double> moved_parameters(const RigSpaceCase& of, double elapsed, std::span<const double> free);

// Values of the free parameters over time: `values[k]` at `seconds[k]` after the beginning of the clip.
struct FreeCurves {
  std::vector<double> seconds;
  std::vector<std::vector<double>> values;
};

// Distance of surface vertices, relative to the height. Moving vertices are those that the free parameters move by more
// than 1e-5.
struct SurfaceDistance {
  double mean = 0, mean_of_moving = 0, largest = 0;
};

// Distance over the times that both have, which start at the beginning. NaN where there are none.
SurfaceDistance distance_between(const RigSpaceCase& of, const FreeCurves& a, const FreeCurves& b);

// True if the poses at both ends are equal to a thousandth of the height at every vertex.
bool ends_where_it_begins(CookedRigSpace& scene, const RigAnimation& animation, double begin, double length);

// Dynamics as in the paper: strain is measured from the mesh as drawn, there is no damping except by the time step, and
// no parameter is limited.
RigSpaceDynamics undamped_dynamics(const CookedRigSpace& scene);

}  // namespace sinew
