// Song et al. (2024), figure 8: outside forces and solid shapes on a posed bar, in static equilibrium.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/deform/mixed/mixed_contacts.h"
#include "studies/common/measures.h"
#include "studies/mixed/bar.h"

namespace sinew {

// What acts on the bar, beside its bones.
struct PressLoad {
  std::string name;
  bool weight = false;  // 9.81 m/s^2 along -y
  std::vector<Load> loads;
  Colliders colliders;
};

struct PressPose {
  MixedMaterial material = MixedMaterial::arap;
  PressLoad load;
  bool solved = false;  // false: no equilibrium was found, and nothing below holds
  std::vector<Vec3> positions;
  MixedContacts contacts;
  double pushed = 0;  // newtons: contact forces, added up
  MeshMeasures body;
  double largest_move = 0;  // of a vertex from where it is without the load, over the bar's width
  double milliseconds = 0;
};

struct PressOptions {
  Material material{3e4, 0.45, 1000};
  double degrees = 45;  // that the second bone is turned by
  std::vector<MixedMaterial> materials{MixedMaterial::arap, MixedMaterial::corotated,
                                       MixedMaterial::stable_neo_hookean};
};

// Weight; a poke; a plane under the bar, a sphere from above and a capsule across from below, each a quarter of the
// bar's width deep.
std::vector<PressLoad> press_loads(const Bar& bar);

// A run for each material and load, in this order.
std::vector<PressPose> press_experiment(const Bar& bar, const PressOptions& options = {},
                                        const Progress& progress = {});

}  // namespace sinew
