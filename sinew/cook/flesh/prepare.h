// Prepares flesh in tetrahedra from a character and settings: surface, volume mesh, binding, material, factorisation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/base/progress.h"
#include "sinew/character/body_binding.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/flesh/decide_step.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/thin_shell_fields.h"
#include "sinew/cook/flesh/visible_amplitude.h"
#include "sinew/cook/muscles/muscle_points.h"
#include "sinew/cook/muscles/muscles_in_body.h"
#include "sinew/deform/cook_report.h"
#include "sinew/deform/display/display_clamps.h"
#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

// Material in physical units, decided from the look and the settings.
struct MaterialDecision {
  double young = 0;      // pascals, before multipliers
  double sag = 0;        // metres, under one g: 95th percentile over the flesh
  double frequency = 0;  // hertz, of a pendulum with that sag: sqrt(g / sag) / 2 pi
  double damping_ratio = 0;
};

struct CookedFlesh {
  SimulationSurface surface;
  Anatomy anatomy;
  std::shared_ptr<const KeptShape> shape;  // shapes of the rigid parts
  FleshMap map;
  MaterialDecision material;
  SampledMotion motion;       // the rig's motion in the character's clips
  std::vector<Swing> swings;  // responses of the vertices that `motion` samples
  double height = 0;  // metres: extent of the rest surface along y; for flat characters 0.3 of the largest extent
  std::vector<double> stiffness_multiplier;  // per body vertex, settings of joints and paint combined
  std::shared_ptr<const FleshBody> body;
  std::shared_ptr<const LatticeBody> lattice;  // null if the flesh moves in tetrahedra (prepare_lattice.h)
  // For real time: this flesh for time steps of rising length, `lattice` first; otherwise empty.
  std::vector<std::shared_ptr<const LatticeBody>> lattice_steps;
  MuscleFile muscles;  // those of the body, in the order of FleshDescription::muscles
  MusclePoints muscle_points;
  std::vector<StageReport> stages;
  std::vector<std::string> notes;  // decisions and ignored settings, as sentences for the user
};

// Cooked flesh before the stages that look, stiffness, damping, gravity and time step influence. A live session keeps
// it and cooks bodies from it in milliseconds while such settings change (Recooks::stiffness and below,
// deform/setting.h).
struct FleshBase {
  // Fingerprints of the settings that parts of it depend on: the tetrahedra; the map, thin parts, display limit and
  // sag; and all of it (body_settings()).
  std::uint64_t tetrahedra_settings = 0, bone_settings = 0, body_settings = 0;
  CookedFlesh cooked;    // `body` is null
  FleshBody assembled;   // with the stiffness of its material, not yet of the look
  double cell_size = 0;  // metres, of the tetrahedra
  Embedding own_pieces;  // of the surface; `assembled` embeds rigid parts in the flesh that carries them
  ThinShellFields shells;
  // Per tetrahedron: factors by which rigid parts, and they and thin shells together, stiffen elasticity, not springs.
  std::vector<double> rigid_stiffening, stiffening;
  MusclesInBody muscles;
  std::vector<double> thin;                // per tetrahedron, [0, 1]: share that is a thin part or a thin shell
  std::vector<double> held;                // per tetrahedron, [0, 1]: how strongly thin parts are held
  std::vector<double> usual_limit;         // per body vertex, metres: display limit where no setting gives another
  Sag sag;                                 // sag of `assembled`, without multipliers of settings and paint
  SampledMotion motion;                    // the rig's motion in the character's clips
  std::vector<std::vector<Affine>> poses;  // poses of the clips: bones, rest space to world
};
FleshBase prepare_flesh_base(const Character& character, const FleshSettings& settings, const Progress& progress = {});

// The base after a stroke of paint, with other clips, or with settings that differ by Recooks::body, in the same
// tetrahedra. The result has the bits of prepare_flesh_base(). Changes of paint, stiffness and damping reuse the
// elimination ordering and the measured sag. `same_clips`: the character has the clips that it had before. Throws
// usage_error if the settings ask for other tetrahedra, or if the character has another surface or other skin weights.
FleshBase change_flesh_base(const FleshBase& before, const Character& character, const FleshSettings& settings,
                            const Progress& progress = {}, bool same_clips = true);

// Some poses of the clips, given as indices; see cook_flesh().
std::vector<std::vector<Affine>> poses_of_clips(const Character& character, const SimulationSurface& surface,
                                                std::vector<int> clips);

// Flesh with these settings; has the bits of prepare_flesh(). `poses`: those that it will be in, for which steps of
// nonlinear flesh then take the fewest iterations; empty: those of all clips. Throws usage_error if the settings need
// another base.
CookedFlesh cook_flesh(const FleshBase& base, const FleshSettings& settings, const Progress& progress = {},
                       SteppedFor what = SteppedFor::sessions, std::vector<std::vector<Affine>> poses = {});
// Fingerprint of the settings that bodies differ in other than by looks, stiffness and damping (Recooks::body and
// above).
std::uint64_t body_settings(const FleshSettings& settings);
// Throws the usage_error of cook_flesh() unless a base with this fingerprint serves the settings.
void refuse_other_base(std::uint64_t base, const FleshSettings& settings);

// Prepares flesh from nothing. If the settings name a lattice, the tetrahedral body is not factorised;
// prepare_lattice() only takes the distribution of flesh from it.
//
// The result has the same bits for any number of threads. Throws Stopped where `progress` asks for it; it is polled
// between stages and often within them, but not while a matrix is ordered or factorised. `clips`: indices of those that
// will be played; empty: any.
CookedFlesh prepare_flesh(const Character& character, const FleshSettings& settings, const Progress& progress = {},
                          SteppedFor what = SteppedFor::sessions, std::vector<int> clips = {});

// A deformer for the settings' reference, not yet reset. It runs in the lattice if there is one.
std::unique_ptr<BodyMotion> make_flesh(const CookedFlesh& flesh, const FleshSettings& settings);

// The carrier of the surface for the deformer's output.
std::unique_ptr<SurfaceCarrier> surface_carrier(const CookedFlesh& flesh);

// The clamps of the displayed surface: the display limits of the body that carries it, rigid parts, the strain limit.
DisplayClamps display_clamps(const CookedFlesh& flesh, const FleshSettings& settings);

}  // namespace sinew
