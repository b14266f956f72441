// Everything a user can set about flesh: plain values with defaults that need no thought. Read from and
// written to JSON by files/settings_json.h (docs/settings.md), cooked by cook/flesh/prepare.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/acting_settings.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/warped_stiffness.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// How much the flesh moves, before any physical unit is named.
enum class Look { subtle, natural, lively };

enum class Reference {
  rig,      // the rig's shape is the rest shape, in every pose
  elastic,  // elasticity decides the shape (skeletally warped linearisation)
};

// What one joint, or all joints that a pattern with * and ? matches, have of their own.
struct JointSettings {
  std::string joints;          // pattern over joint names
  double stiffness = 1;        // multiplies Young's modulus around these joints
  double damping = 1;          // multiplies the damping
  std::optional<double> core;  // share of the local thickness that is rigid, [0, 1)
};

enum class LatticeMass {
  consistent,  // int rho phi_i phi_j (section 3.2)
  lumped,      // row sums, of values at vertices (lumped_mass.h)
};

// Of flesh in a control lattice (Capell 2004, chapters 4 and 5).
struct LatticeDiscretization {
  std::string file;  // of the lattice; empty: none, flesh is made of tetrahedra; auto_lattice: built for the character
  int cells = 400;   // aimed at where it is built
  // How the surface is carried. Dynamics are computed with trilinear functions where that is MLCA (section 5.2.3),
  // unless smooth_dynamics asks for its own.
  SubdivisionScheme basis = SubdivisionScheme::trilinear;
  bool smooth_dynamics = false;
  int levels = 1;                // of the hierarchical basis, 1 to 4
  std::optional<double> adapt;   // strain from which on finer levels are used where it is reached; empty: everywhere
  int most_functions = 0;        // solved at a time where functions are chosen, 0: any number
  std::optional<double> budget;  // milliseconds of computing per step that set most_functions, on this machine
  HeldBy constraints = HeldBy::subspace;  // of grabs and belts
  LatticeMass mass = LatticeMass::consistent;
  LatticeIntegrator integrator = LatticeIntegrator::generalized_alpha;
  Linearization linearization = Linearization::warped;
};
inline constexpr const char* auto_lattice = "auto";

// Values of FleshSettings::anatomy that are no file.
inline constexpr const char *found_anatomy = "auto", *nameless_anatomy = "nameless", *no_anatomy = "off";

struct FleshSettings {
  Look look = Look::natural;
  Reference reference = Reference::rig;
  Warping warping = Warping::element;  // of the elastic reference
  Element element = Element::patch;

  int tetrahedra = 8000;            // aimed at
  std::optional<double> cell_size;  // metres; instead of the count

  std::optional<double> young;  // pascals; empty: from the look
  double poisson = 0.45;
  double density = 1000;          // kg/m^3
  std::optional<double> damping;  // ratio to critical at the flesh's own frequency; empty: from the look
  double core = 0.5;              // rigid share of the local thickness around bones
  double bone_hold = 2;           // strength of the bone displacement energy beyond the core

  // Where skulls and rigid things are: found_anatomy, nameless_anatomy, no_anatomy, or a file that says more
  // (Character::anatomy).
  std::string anatomy = found_anatomy;

  std::optional<double>
      limit;  // shown displacement, as a share of the distance from the bone; empty: from the reference

  Vec3 gravity{0, -9.81, 0};                     // m/s^2, world
  std::optional<GravityInRest> gravity_in_rest;  // empty: `pose` for rig, `bind` for elastic
  std::optional<double> ground;                  // height of a ground plane, metres
  std::vector<ColliderSettings> colliders;
  std::vector<GrabSettings> grabs;
  std::vector<BeltSettings> belts;
  std::vector<LoadSettings> loads;

  double step = 1.0 / 240;  // seconds
  double spectral_radius = 0.8;
  std::optional<double> tolerance;  // of iterative solves, relative; empty: solver_tolerance()
  double preroll = 0;               // seconds in the first pose before the clip begins
  bool color_stiffness = false;     // COLOR_0's red channel multiplies stiffness, where nothing is painted

  std::vector<JointSettings> joints;  // later ones win

  LatticeDiscretization lattice;
};

// Their tables (deform/setting.h), in the order of the file.
std::vector<Setting> settings_of(JointSettings& joint);
std::vector<Setting> settings_of(FleshSettings& settings);

// The first setting that flesh in a control lattice alone can meet, or meets better, by its name in the file of
// settings; empty: there is none, and tetrahedra are the better body (docs/lattice_comparisons.md, Lattice or
// tetrahedra).
std::string asks_for_lattice(const FleshSettings& settings);

// The strain that switches a lattice's detail on: `adapt`, or a small one where only a budget limits detail; empty:
// detail is everywhere.
std::optional<double> strain_of_detail(const LatticeDiscretization& lattice);

// Relative residual of iterative solves: 1e-4 with one level of detail, 1e-6 with more; 1e-3 where a lattice's detail
// is switched on and off, which is an error of its own many times as large.
double solver_tolerance(const FleshSettings& settings);

}  // namespace sinew
