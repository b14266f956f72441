// Everything a user can set about the method `mixed`: plain values with defaults that need no thought. Read from and
// written to JSON by files/settings_json.h (docs/settings.md), cooked by cook/mixed/prepare_mixed.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/acting_settings.h"
#include "sinew/elastic/mixed_materials.h"
#include "sinew/linalg/small.h"

namespace sinew {

// How the body hangs on its bones (docs/mixed_fem.md, section 9).
enum class Pinning {
  held,  // vertices near joints and midpoints of bones move with the bone, exactly
  tied,  // springs draw them there
};

// Whose rotation an element takes (docs/mixed_fem.md, section 10).
enum class MixedClusters {
  automatic,  // by the skin's weights where there are any, else by segments
  weights,    // the bone's that the skin's weights give most of it
  segment,    // the bone's with the nearest segment, midpoint or joint, by ways through the body (ClusterRule)
  midpoint,
  hierarchy,
};

// What one joint, or all joints that a pattern with * and ? matches, have of their own.
struct MixedJoint {
  std::string joints;    // pattern over joint names
  double stiffness = 1;  // multiplies Young's modulus where elements take these joints' rotations
};

struct MixedSettings {
  MixedMaterial material = MixedMaterial::arap;
  double young = 3e4;     // pascals; without outside forces only its differences within the body matter
  double poisson = 0.45;  // no part in ARAP, which has no resistance to change of volume

  int tetrahedra = 8000;            // aimed at
  std::optional<double> cell_size;  // metres; instead of the count

  MixedClusters clusters = MixedClusters::automatic;
  double smooth = 1;  // reach of the rotation field across clusters, in radii of the limb; 0: none
  Pinning pins = Pinning::held;
  std::optional<double> spring;  // of tied pins, newtons per metre; empty: ten times what a cell resists

  bool gravity = false;          // the body hangs in its own weight; off: the modelled shape is at rest
  double density = 1000;         // kg/m^3, of gravity
  std::string skeleton;          // topmost joint of that of a character without skin weights; empty: found
  std::optional<double> ground;  // height of a ground plane, metres
  std::vector<ColliderSettings> colliders;
  std::vector<LoadSettings> loads;
  bool color_stiffness = false;  // COLOR_0's red channel multiplies stiffness, where nothing is painted

  std::vector<MixedJoint> joints;  // later ones win
};

// Their tables (deform/setting.h), in the order of the file.
std::vector<Setting> settings_of(MixedJoint& joint);
std::vector<Setting> settings_of(MixedSettings& settings);

}  // namespace sinew
