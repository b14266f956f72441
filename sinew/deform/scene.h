// A character cooked for a method: the surface and bones, a factory of deformers, and data for display (docs/scene.md).
// All expensive work is done once, when the scene is made.
//
//   FleshMethod flesh;                                                            // cook/flesh/flesh_method.h
//   flesh.values.look = Look::lively;
//   const Scene scene = cook(flesh, {character});                                 // cook/cook.h
//   Session session(character, scene, whole(character.clips[0]));                 // session/session.h
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/character/tissue.h"
#include "sinew/deform/acting_settings.h"
#include "sinew/deform/body_cells.h"
#include "sinew/deform/cook_report.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/display/displayed_deformer.h"
#include "sinew/deform/fixed_keys.h"
#include "sinew/deform/muscle_controls.h"
#include "sinew/deform/muscle_lines.h"
#include "sinew/deform/shape_controls.h"

namespace sinew {

struct RigControls;

// Advice for clips with little visible motion of the flesh.
struct MotionAdvice {
  // Names of the character's clips in which flesh moves visibly.
  std::function<std::vector<std::string>()> visible_clips;
  // Returns the end of a sentence, with its full stop: why little is seen in a range of a clip (seconds), and a remedy.
  // `seen`: 95th percentile of the displacements, as a fraction of the character's size.
  std::function<std::string(const Character& character, int clip, double begin, double end, double seen)> why_little;
};

// Motion of a free body as it is let go.
struct Toss {
  Vec3 velocity;  // m/s, world
  Vec3 spin;      // turns per second about this axis through the body's middle, world

  bool operator==(const Toss&) const = default;
};

// Owns or shares all that it refers to. Immutable, so sessions on several threads may share one.
struct Scene {
  std::string method;    // name of the method on the command line
  std::string activity;  // activity of a run in progress reports: "simulating"
  std::shared_ptr<const SimulationSurface> surface;
  std::vector<Bone> bones;              // the bones of RigState::bones
  std::vector<double> rest_controls{};  // rest values of the controls that the goal follows; empty: it follows bones
  std::vector<int> curves{};            // indices of the controls that the method computes
  FixedKeys fixed_keys{};               // keys that fix them
  // Computes the transforms of all joints from the controls: joint space to world, file units. Empty: the controls pose
  // no skeleton, and the clip poses the bones.
  std::function<void(std::span<const double> controls, std::span<Affine> joints)> pose_joints{};
  std::shared_ptr<const ShapeControls> shapes{};    // force rigs of the character; null: none
  std::shared_ptr<const MuscleControls> muscles{};  // muscles of the flesh; null: none
  ActingSettings acting{};    // ground, colliders, grabs, ring constraints, loads and keys from the settings
  Vec3 gravity{0, -9.81, 0};  // that acts unless an environment has another, m/s^2
  // Motion of a free body, which no bone holds, as it is let go (session/floating_frame.h). Empty: bones hold it.
  std::optional<Toss> toss{};
  // Time until which keys of handles move the body, also where no clip plays, seconds; empty: there are none.
  std::optional<double> keyed_until{};
  double height = 1;  // metres
  // Largest distance, metres, that hands may pull the skin from the rig, per surface vertex
  // (cook/flesh/reach_of_flesh.h). Empty: no limit.
  std::vector<double> hold_reach{};
  double preroll = 0;                                 // time in the first pose before a clip, seconds
  std::uint64_t fingerprint = 0;                      // covers all that changes a run except clip and range
  std::uint64_t unkeyed_fingerprint = 0;              // the same without `fixed_keys`
  std::function<std::unique_ptr<Deformer>()> bare{};  // makes a deformer without display clamps; reset() it first
  std::shared_ptr<const DisplayClamps> clamps{};      // display clamps; null: none

  // For display and reports.
  CookReport report{};
  std::map<std::string, double> decided{};      // values chosen for settings that were left empty, by key
  std::vector<double> depth{};                  // per surface vertex: depth of the flesh below, metres; empty: unknown
  std::vector<Tissue> tissue{};                 // per surface vertex; empty: the method does not use it
  std::string body_plan{};                      // recognised kind of body, "biped"; empty: not determined
  std::function<BodyCells()> cells{};           // empty: the method has no cells
  std::function<MuscleLines()> muscle_lines{};  // of `muscles`; empty: there are none
  std::shared_ptr<const RigControls> controls{};  // null: the method computes no controls
  MotionAdvice advice{};                          // its functions may be empty
  // The character with an added skeleton, skin weights or anatomy; null: nothing was added. Sessions and bakes of the
  // scene use it in place of the original.
  std::shared_ptr<const Character> completed{};

  // Whether the goal follows a rig's own controls. Posing by hand and travelling loops are then not available.
  bool follows_controls() const { return !rest_controls.empty(); }

  // Whether a cycle may go on from where the last one ended: the rig can be moved as a whole, and nothing but the
  // ground acts at a place of its own.
  bool may_travel() const {
    ActingSettings but_ground = acting;
    but_ground.ground.reset();
    return but_ground.empty() && !follows_controls();
  }

  // Makes the clamped deformer that sessions run; reset() it first.
  std::unique_ptr<DisplayedDeformer> deformer() const {
    return std::make_unique<DisplayedDeformer>(bare(), clamps, surface);
  }
};

}  // namespace sinew
