// A character made ready for a method, whichever it is: what all of them have in common, and how to make what runs
// (docs/scene.md). All that costs more than a step was done to make it, once.
//
//   const auto cooked = std::make_shared<const FleshScene>(prepare_flesh(character, settings));   //
//   cook/flesh/prepare.h const Scene scene = flesh_scene(cooked, settings); // cook/scenes.h Session session(character,
//   scene, whole(character.clips[0]));                                 // session/session.h
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/acting_settings.h"
#include "sinew/deform/deformer.h"

namespace sinew {

// Holds on to what it was made from. Nothing changes it, so that sessions on several threads may share one.
struct Scene {
  std::string method;    // as on the command line
  std::string activity;  // what a run does: "simulating"
  std::shared_ptr<const SimulationSurface> surface;
  std::vector<Bone> bones;              // that RigState::bones pose
  std::vector<double> rest_controls{};  // of a rig with controls; else empty
  std::vector<int> curves{};            // of these, those that the method answers with
  ActingSettings acting{};              // what the settings let act
  double height = 1;                    // metres
  // Per surface vertex: how far from the rig hands may lead the skin, metres (cook/flesh/reach_of_flesh.h). Empty: any
  // distance.
  std::vector<double> hold_reach{};
  double preroll = 0;                                     // seconds in the first pose before a clip
  std::uint64_t fingerprint = 0;                          // of all that changes a run but clip and range
  std::function<std::unique_ptr<Deformer>()> deformer{};  // not yet reset
};

}  // namespace sinew
