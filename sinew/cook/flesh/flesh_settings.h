// All settings of flesh that a user can choose, with defaults. Read from and written to JSON by files/settings_json.h
// (docs/settings.md), cooked by cook/flesh/prepare.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/acting_settings.h"
#include "sinew/deform/flesh/goal_elasticity.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/warped_stiffness.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Amount of motion, in words: decides stiffness and damping where no physical unit is given.
enum class Look { subtle, natural, lively };

enum class Reference {
  rig,      // the rig's shape is the rest shape, in every pose
  elastic,  // elasticity decides the shape (skeletally warped linearisation)
};

// Settings of one joint, or of all joints that match a pattern with * and ?.
struct JointSettings {
  std::string joints;          // pattern over joint names
  double stiffness = 1;        // multiplies Young's modulus around these joints
  double damping = 1;          // multiplies the damping
  std::optional<double> core;  // share of the local thickness that is rigid, [0, 1)

  static SettingsTable describe();
};

enum class LatticeMass {
  consistent,  // int rho phi_i phi_j (section 3.2)
  lumped,      // row sums, of values at vertices (lumped_mass.h)
};

// Settings of flesh in a control lattice (Capell 2004, chapters 4 and 5).
struct LatticeDiscretization {
  std::string file;  // file of the lattice, or its JSON; empty: none; auto_lattice: built for the character
  int cells = 400;   // number wanted of a lattice that is built
  // Basis that carries the surface. Dynamics use trilinear functions where this is MLCA (section 5.2.3), unless
  // smooth_dynamics is set.
  SubdivisionScheme basis = SubdivisionScheme::trilinear;
  bool smooth_dynamics = false;
  int levels = 1;                // levels of detail of the hierarchical basis, 1 to 4
  std::optional<double> adapt;   // strain above which finer levels are used locally; empty: they are used everywhere
  int most_functions = 0;        // largest number of functions solved for in a step, with adaptation; 0: no limit
  std::optional<double> budget;  // milliseconds per step on this machine, from which most_functions is measured
  HeldBy constraints = HeldBy::subspace;  // for grabs and ring constraints
  LatticeMass mass = LatticeMass::consistent;
  LatticeIntegrator integrator = LatticeIntegrator::generalized_alpha;
  Linearization linearization = Linearization::warped;
  // Bones of painted regions, "2=forearm.L": the number of the region, and the name of a bone or a pattern of it.
  std::vector<std::string> region_bones;
};
inline constexpr const char* auto_lattice = "auto";

// Values of FleshSettings::anatomy that are not file names.
inline constexpr const char *found_anatomy = "auto", *nameless_anatomy = "nameless", *no_anatomy = "off";

inline constexpr double usual_step = 1.0 / 240;  // seconds

// How a step treats the tissue's elasticity.
enum class Elasticity {
  linear,     // about the goal, in frames that the skeleton predicts: one substitution a step
  nonlinear,  // true elasticity: quasi-Newton iterations (deform/flesh/quasi_newton_step.h)
};

// Treatment of skin that touches other skin of the body.
enum class Creases {
  off,      // it passes through
  yield,    // it goes no deeper than the rig does
  resolve,  // the same, of a goal that implicit skinning poses, in which the two sides meet and flatten
};

struct FleshSettings {
  Look look = Look::natural;
  Reference reference = Reference::rig;
  SkinningKind skinning = SkinningKind::linear;  // how the skeleton poses the goal
  std::optional<Elasticity> elasticity;          // empty: elasticity_of()
  // Energy of the tissue, of a C++ host: in place of `stiffening`, for nonlinear flesh in tetrahedra. It must outlive
  // the scene, and is no setting of files. Null: Sinew's own (deform/flesh/goal_elasticity.h).
  const StretchEnergy* energy = nullptr;
  double stiffening = 0.3;  // shear at which nonlinear tissue is e times as stiff as at rest; 0: it does not stiffen
  Warping warping = Warping::element;  // for the elastic reference
  Element element = Element::patch;

  int tetrahedra = 8000;            // number wanted
  std::optional<double> cell_size;  // metres; replaces the count

  std::optional<double> young;  // pascals; empty: from the look
  double poisson = 0.45;
  double density = 1000;          // kg/m^3
  std::optional<double> damping;  // ratio to critical at the flesh's own frequency; empty: from the look
  double core = 0.5;              // rigid share of the local thickness around bones, [0, 1)
  double bone_hold = 2;           // strength of the attachment to bones beyond the core

  // Source of the anatomy: found_anatomy, nameless_anatomy, no_anatomy, or a file that describes it
  // (Character::anatomy).
  std::string anatomy = found_anatomy;

  // Largest displacement that is displayed, as a share of the distance from the bone; empty: from the reference.
  std::optional<double> limit;

  Vec3 gravity{0, -9.81, 0};                     // m/s^2, world
  std::optional<GravityInRest> gravity_in_rest;  // empty: `pose` for rig, `bind` for elastic
  std::optional<double> ground;                  // height of a ground plane, metres
  std::vector<ColliderSettings> colliders;
  std::vector<GrabSettings> grabs;
  std::vector<BeltSettings> belts;
  std::vector<LoadSettings> loads;
  std::string keys;  // stiffness, damping and gravity over clips: a file or its text (files/keys_json.h); empty: none

  // A body that no bone holds: it moves as a whole, by its weight and what it meets. Its bones only give its shape.
  bool free_body = false;
  Vec3 toss, spin;                 // motion of a free body as it is let go: m/s, and turns per second about this axis
  bool weight = false;             // the flesh's whole weight acts, as with gravity_in_rest `off`
  std::optional<double> friction;  // coefficient of friction with obstacles; empty: friction_of()
  Creases creases = Creases::off;
  std::optional<double> box;  // inner side of a box of walls around the rest pose, metres

  std::string shapes;                // force rigs: a file or its text (shape/shape_rig_json.h); empty: none
  std::vector<std::string> control;  // values of their controls, held: "breathe=0.5"

  std::string muscles;     // `auto`, a file or its text (cook/muscles/muscle_file.h); empty: none
  std::string activation;  // what activates them: a file or its text; empty: as the muscles say

  // Internal time step, seconds. Empty: decide_step().
  std::optional<double> step{};
  double spectral_radius = 0.8;
  std::optional<double> tolerance;  // relative, of iterative solves; empty: solver_tolerance()
  double preroll = 0;               // seconds simulated in the first pose before the clip begins
  bool color_stiffness = false;     // COLOR_0's red channel multiplies stiffness, where nothing is painted
  std::string
      along;  // painted fields as curves along limbs: a file or its text (files/limb_curves_json.h); empty: none

  std::vector<JointSettings> joints;  // later entries override earlier ones

  LatticeDiscretization lattice;

  static SettingsTable describe();  // in the order of the file
};

// The coefficient of friction with obstacles: free bodies would slide on for ever without, rigged flesh has none.
double friction_of(const FleshSettings& settings);

// Name, as in the settings file, of the first setting that only a control lattice meets, or that it meets better. Empty
// if there is none: then tetrahedra are the better body (docs/lattice_comparisons.md, Lattice or tetrahedra).
std::string asks_for_lattice(const FleshSettings& settings);

// Strain above which a lattice adds detail: `adapt`, or a small one if only a budget limits detail. Empty: detail is
// everywhere.
std::optional<double> strain_of_detail(const LatticeDiscretization& lattice);

// Relative residual at which iterative solves stop: 1e-4 with one level of detail, 1e-6 with more, 1e-3 with adaptive
// detail, whose own error is much larger.
double solver_tolerance(const FleshSettings& settings);

// The skinning in force: implicit where creases are resolved.
SkinningKind skinning_of(const FleshSettings& settings);

// The elasticity in force: nonlinear for the reference rig in tetrahedra, unless the settings say otherwise.
Elasticity elasticity_of(const FleshSettings& settings);

// The law of the tissue. Throws usage_error for an energy of the host's where it would not act.
TissueLaw law_of(const FleshSettings& settings);

// True if stiffness and damping may change with time.
bool can_change_tissue(const FleshSettings& settings);
inline constexpr const char* changes_tissue_with =
    "nonlinear elasticity in tetrahedra (elasticity nonlinear, no lattice)";

// True if tissue stiffens about the rig's shape, so that limits of what is displayed are for safety only.
bool stiffens(const FleshSettings& settings);

}  // namespace sinew
