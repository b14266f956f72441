// A character made ready for a method, whichever it is: what all of them have in common, how to make what runs, and
// what faces show of it (docs/scene.md). All that costs more than a step was done to make it, once.
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

namespace sinew {

struct RigControls;

// What can be said where a clip shows little of the flesh.
struct MotionAdvice {
  // Names of the character's clips in which flesh is seen to move.
  std::function<std::vector<std::string>()> visible_clips;
  // Why so little is seen in a range of a clip, seconds on its time line, and what would change that: the end of a
  // sentence, with its stop. `seen`: the 95th percentile of what was, a share of the size.
  std::function<std::string(const Character& character, int clip, double begin, double end, double seen)> why_little;
};

// Holds on to what it was made from. Nothing changes it, so that sessions on several threads may share one.
struct Scene {
  std::string method;    // as on the command line
  std::string activity;  // what a run does: "simulating"
  std::shared_ptr<const SimulationSurface> surface;
  std::vector<Bone> bones;              // that RigState::bones pose
  std::vector<double> rest_controls{};  // of the rig whose controls the goal follows; empty: it follows bones
  std::vector<int> curves{};            // of these, those that the method answers with
  // World transforms of all joints that such controls pose: joint space to world, file units. Empty: the controls pose
  // no skeleton, and bones are those of the clip.
  std::function<void(std::span<const double> controls, std::span<Affine> joints)> pose_joints{};
  ActingSettings acting{};  // what the settings let act
  double height = 1;        // metres
  // Per surface vertex: how far from the rig hands may lead the skin, metres (cook/flesh/reach_of_flesh.h). Empty: any
  // distance.
  std::vector<double> hold_reach{};
  double preroll = 0;                                 // seconds in the first pose before a clip
  std::uint64_t fingerprint = 0;                      // of all that changes a run but clip and range
  std::function<std::unique_ptr<Deformer>()> bare{};  // a deformer without clamps on what is displayed, not yet reset
  std::shared_ptr<const DisplayClamps> clamps{};      // of what is displayed; null: none

  // What faces show.
  CookReport report{};
  std::map<std::string, double> decided{};        // by key: what settings without a value came to
  std::vector<double> depth{};                    // per surface vertex: of the flesh below, metres; empty: not known
  std::vector<Tissue> tissue{};                   // per surface vertex: what it lies on; empty: the method does not ask
  std::string body_plan{};                        // what the character was taken for: "biped"; empty: not asked
  std::function<BodyCells()> cells{};             // empty: there are none
  std::shared_ptr<const RigControls> controls{};  // of methods that answer with curves; else null
  MotionAdvice advice{};                          // its functions may be empty
  // The character with what it lacked, a skeleton and skin weights or a described anatomy; null: nothing was added. It
  // is what sessions and bakes of the scene move.
  std::shared_ptr<const Character> completed{};

  // Whether the goal is a rig's at its own controls, which no pose by hand and no travelling loop can replace.
  bool follows_controls() const { return !rest_controls.empty(); }

  // The bare deformer within the clamps, not yet reset: what sessions run.
  std::unique_ptr<DisplayedDeformer> deformer() const {
    return std::make_unique<DisplayedDeformer>(bare(), clamps, surface);
  }
};

}  // namespace sinew
