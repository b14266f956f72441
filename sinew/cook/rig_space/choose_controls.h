// Chooses the rig parameters that physics moves: those that patterns name, or those whose bones hang in flesh.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// The pattern that selects controls_in_flesh().
inline constexpr const char* free_automatically = "auto";

struct ChosenParameters {
  std::vector<int> parameters;         // ascending
  std::vector<std::string> unmatched;  // patterns that match nothing
};

// Indices of the parameters that any pattern matches. Parameters that are free by default match by the name of their
// control; others only by their own name with the channel ("belly*.scale").
ChosenParameters chosen_parameters(const std::vector<RigParameter>& parameters, std::span<const std::string> patterns);

// A bone that hangs in flesh.
struct HangingBone {
  int bone = -1;            // of the surface
  bool translates = false;  // otherwise it only rotates
  std::string because;      // the reason, in a few words
};

// Finds hanging bones by weights, chains and shapes, never by names (docs/rig_space.md, section 1): helpers, soft ends
// of chains on the trunk or the head, ears, tails. Excludes limbs, chains that end in a skull, and rigid things.
std::vector<HangingBone> controls_in_flesh(const SimulationSurface& surface);

// Area of skin that each bone carries, square metres, by weight.
std::vector<double> carried_skin(const SimulationSurface& surface);

// Up to `most` bones that the user could free instead, largest area of skin first, without those that carry most of the
// skin.
std::vector<int> bones_to_name(const SimulationSurface& surface, std::size_t most);

// Names of parameters for messages: "'a.rotation.*', 'b.translation.x'", where all three axes of a are included.
std::string listed_parameters(const std::vector<RigParameter>& parameters, std::span<const int> which);

}  // namespace sinew
