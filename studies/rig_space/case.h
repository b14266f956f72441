// What the experiments of rig-space physics are run on: a scene, and a clip that moves it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"

namespace sinew {

// The body has its map to the inside and its material.
struct RigSpaceCase {
  std::string name;  // "trunk"
  std::shared_ptr<CookedRigSpace> scene;
  RigSpaceSettings settings;
  std::shared_ptr<const RigAnimation> animation;  // null: nothing is keyed
  double begin = 0, length = 0;                   // seconds on the clip's time line
  bool loops = false;                             // the clip ends where it began: it is run over and over, else once
  // All clips of the character, which own what `examples` points to.
  std::vector<std::shared_ptr<const RigAnimation>> clips;
  std::vector<ExampleClip> examples;
};

// All parameters of the scene's rig with those keyed that are, `elapsed` seconds after the beginning; the free ones are
// at rest. After the end of a clip that does not loop, the last pose is held.
std::vector<double> keyed_parameters(const RigSpaceCase& of, double elapsed);
// The same with these values of the free ones.
std::vector<double> moved_parameters(const RigSpaceCase& of, double elapsed, std::span<const double> free);

// Values of the free parameters over time: `values[k]` are those `seconds[k]` after the clip's beginning.
struct FreeCurves {
  std::vector<double> seconds;
  std::vector<std::vector<double>> values;
};

// Of surface vertices, shares of the height. Those that move are those that the free parameters move, by more than
// 1e-5.
struct SurfaceDistance {
  double mean = 0, mean_of_moving = 0, largest = 0;
};

// Over the moments that both have, which are the first ones of each. NaN where there are none.
SurfaceDistance distance_between(const RigSpaceCase& of, const FreeCurves& a, const FreeCurves& b);

// Whether the poses at both ends put every vertex in one place, to a thousandth of the height.
bool ends_where_it_begins(CookedRigSpace& scene, const RigAnimation& animation, double begin, double length);

// As in the paper: strain is measured from the mesh as drawn, nothing damps but the time step, no parameter is stopped.
RigSpaceDynamics undamped_dynamics(const CookedRigSpace& scene);

}  // namespace sinew
