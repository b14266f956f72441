// Which parameters of a rig physics moves: those that patterns name, or those that hang in flesh.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// The pattern that stands for controls_in_flesh().
inline constexpr const char* free_automatically = "auto";

struct ChosenParameters {
  std::vector<int> parameters;         // ascending
  std::vector<std::string> unmatched;  // patterns that match none
};

// Indices of the parameters that any pattern matches: by the name of its control those that are free by default, others
// by their own names, which have to name the channel ("belly*.scale").
ChosenParameters chosen_parameters(const std::vector<RigParameter>& parameters, std::span<const std::string> patterns);

// A bone that hangs in flesh.
struct HangingBone {
  int bone = -1;            // of the surface
  bool translates = false;  // or only turns
  std::string because;      // the evidence, in a few words
};

// By weights, chains and shapes, never by names (docs/rig_space.md, section 1): helpers, soft ends on the trunk or on a
// head, ears and the like, tails. Neither limbs and what ends in a skull, nor rigid things.
std::vector<HangingBone> controls_in_flesh(const SimulationSurface& surface);

// Square metres of the skin that each bone carries, by weight.
std::vector<double> carried_skin(const SimulationSurface& surface);

// Bones that could be named instead, those that carry most of the skin first: up to `most` that carry some, but not
// most of it.
std::vector<int> bones_to_name(const SimulationSurface& surface, std::size_t most);

// Names of parameters for people: "'a.rotation.*', 'b.translation.x'" where all three axes of a are among them.
std::string listed_parameters(const std::vector<RigParameter>& parameters, std::span<const int> which);

}  // namespace sinew
