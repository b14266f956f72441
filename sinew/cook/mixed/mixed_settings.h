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

// Attachment of the body to its bones (docs/mixed_fem.md, section 9).
enum class Pinning {
  held,  // vertices near joints and bone midpoints follow the bone exactly
  tied,  // springs pull those vertices
};

// Choice of the bone whose rotation an element takes (docs/mixed_fem.md, section 10).
enum class MixedClusters {
  automatic,  // by skin weights if there are any, otherwise by segments
  weights,    // the bone with the largest skin weight
  segment,    // the bone with the nearest segment, midpoint or joint, measured through the body (ClusterRule)
  midpoint,
  hierarchy,
};

// Settings of one joint, or of all joints that match a pattern with * and ?.
struct MixedJoint {
  std::string joints;    // pattern over joint names
  double stiffness = 1;  // multiplies Young's modulus of elements that take these joints' rotations

  static SettingsTable describe();
};

struct MixedSettings {
  MixedMaterial material = MixedMaterial::arap;
  // Energy of a C++ host in place of `material`; it must outlive the scene, and is no setting of files. Null: none.
  const StretchEnergy* energy = nullptr;
  double young = 3e4;     // pascals; without external forces only differences within the body matter
  double poisson = 0.45;  // ignored by ARAP, which does not resist changes of volume

  int tetrahedra = 8000;            // number wanted
  std::optional<double> cell_size;  // metres; replaces the count

  MixedClusters clusters = MixedClusters::automatic;
  double smooth = 1;  // distance over which rotations blend between clusters, in radii of the limb; 0: none
  Pinning pins = Pinning::held;
  std::optional<double> spring;  // newtons per metre, of tied pins; empty: ten times a cell's own stiffness

  bool gravity = false;          // the body sags under its weight; off: the modelled shape is at rest
  double density = 1000;         // kg/m^3, for gravity
  std::string skeleton;          // topmost joint of the skeleton, for characters without skin weights; empty: found
  std::optional<double> ground;  // height of a ground plane, metres
  std::vector<ColliderSettings> colliders;
  std::vector<LoadSettings> loads;
  bool color_stiffness = false;  // COLOR_0's red channel multiplies stiffness, where nothing is painted
  std::string
      along;  // painted fields as curves along limbs: a file or its text (files/limb_curves_json.h); empty: none

  std::vector<MixedJoint> joints;  // later ones win

  // Free handles that lead the body: a file or its text (files/handles_json.h); empty: none.
  std::string handles;
  // File of the elements' rotations over time (files/rotations_file.h); empty: those of bones and handles.
  std::string rotations;

  static SettingsTable describe();  // in the order of the file
};

}  // namespace sinew
