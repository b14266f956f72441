// From a character and settings to a body that can run: surface, volume, binding, material, cooking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/base/progress.h"
#include "sinew/character/body_binding.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/flesh/amount.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/sheet_fields.h"
#include "sinew/deform/cook_report.h"
#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/kept_shape.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

// What the look came to in physical units.
struct MaterialDecision {
  double young = 0;      // pascals, where no multiplier acts
  double sag = 0;        // metres: how far 95 % of the flesh stays below under one g
  double frequency = 0;  // hertz: of the pendulum with that sag, sqrt(g / sag) / 2 pi
  double damping_ratio = 0;
};

struct CookedFlesh {
  SimulationSurface surface;
  Anatomy anatomy;
  std::shared_ptr<const KeptShape> shape;
  FleshMap map;
  MaterialDecision material;
  SampledMotion motion;       // of the character's clips
  std::vector<Swing> swings;  // of the vertices sampled there
  double height = 0;          // metres: extent of the rest surface along y, for flat ones 0.3 of the largest
  std::vector<double> stiffness_multiplier;  // per body vertex, joints' and painted ones together
  std::shared_ptr<const FleshBody> body;
  std::shared_ptr<const LatticeBody> lattice;  // where the flesh moves in a control lattice (prepare_lattice.h)
  // For real time: the same flesh cooked for steps of rising length, `lattice` first; empty otherwise.
  std::vector<std::shared_ptr<const LatticeBody>> lattice_steps;
  std::vector<StageReport> stages;
  std::vector<std::string> notes;  // what was decided or ignored, for people
};

// A scene up to what looks, stiffness, damping, gravity and time steps decide: what a live session keeps, to cook
// bodies from in milliseconds while such settings change (Recooks::stiffness and below, deform/setting.h).
struct FleshBase {
  FleshSettings settings;  // that it was made for
  CookedFlesh cooked;      // without a body
  FleshBody assembled;     // as stiff as its material says, not as the look does
  double cell_size = 0;    // metres, of the tetrahedra
  SheetFields sheets;
  std::vector<double> thin;         // per tetrahedron: where thin parts are, and sheets
  std::vector<double> held;         // per tetrahedron: how strongly these are held
  std::vector<double> usual_limit;  // per vertex of the body, metres: shown so far where no setting says otherwise
  Sag sag;                          // of `assembled`, where no setting and no paint changes its material
  SampledMotion motion;             // of the character's clips
};
FleshBase prepare_flesh_base(const Character& character, const FleshSettings& settings, const Progress& progress = {});

// The base after a stroke of paint, or for settings of Recooks::body, in the same tetrahedra: to the bit what
// prepare_flesh_base() makes of them. Paint and the stiffness and damping of joints take no ordering and no measuring
// of the sag. Throws usage_error where the settings ask for other tetrahedra, or the character has another surface or
// other skin weights.
FleshBase change_flesh_base(const FleshBase& before, const Character& character, const FleshSettings& settings,
                            const Progress& progress = {});

// The scene of these settings, to the bit what prepare_flesh() makes of them. Throws usage_error where they ask for
// another base: recooks_between() says.
CookedFlesh cook_flesh(const FleshBase& base, const FleshSettings& settings, const Progress& progress = {});
// Throws that.
void refuse_other_base(FleshSettings base, FleshSettings settings);

// Where the settings name a lattice, the body of tetrahedra is not factorised: prepare_lattice() takes from it where
// flesh is.
//
// Same input, same scene, to the bit, for any number of threads. Throws Stopped where `progress` asks for it:
// looked at between all stages and many times within them, but not while a matrix is ordered or factorised.
CookedFlesh prepare_flesh(const Character& character, const FleshSettings& settings, const Progress& progress = {});

// A deformer of the settings' reference, not yet reset: in the lattice where there is one.
std::unique_ptr<BodyMotion> make_flesh(const CookedFlesh& scene, const FleshSettings& settings);

// How what it answers carries the surface.
std::unique_ptr<SurfaceCarrier> surface_carrier(const CookedFlesh& scene);

}  // namespace sinew
