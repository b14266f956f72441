// Song et al. (2024), figure 8: outside forces and solid shapes acting on a posed bar, in static equilibrium.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/deform/mixed/mixed_contacts.h"
#include "studies/common/measures.h"
#include "studies/mixed/bar.h"

namespace sinew {

// Loads on the bar besides its bones.
struct PressLoad {
  std::string name;
  bool weight = false;  // 9.81 m/s^2 along -y
  std::vector<Load> loads;
  Colliders colliders;
};

struct PressPose {
  MixedMaterial material = MixedMaterial::arap;
  PressLoad load;
  bool solved = false;  // false: no equilibrium was found, and the other members are invalid
  std::vector<Vec3> positions;
  MixedContacts contacts;
  double pushed = 0;  // sum of contact forces, newtons
  MeshMeasures body;
  double largest_move = 0;  // largest displacement of a vertex by the load, relative to the bar's width
  double milliseconds = 0;
};

struct PressOptions {
  Material material{3e4, 0.45, 1000};
  double degrees = 45;  // rotation of the second bone
  std::vector<MixedMaterial> materials{MixedMaterial::arap, MixedMaterial::corotated,
                                       MixedMaterial::stable_neo_hookean};
};

// The loads: weight; a point force; a plane under the bar, a sphere from above and a capsule across from below, each
// penetrating a quarter of the bar's width.
std::vector<PressLoad> press_loads(const Bar& bar);

// One result per material and load, in this order.
std::vector<PressPose> press_experiment(const Bar& bar, const PressOptions& options = {},
                                        const Progress& progress = {});

}  // namespace sinew
