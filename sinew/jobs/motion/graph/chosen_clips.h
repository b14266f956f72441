// Clips of a character that are chosen for a graph or a data base, as frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/jobs/motion/graph/graph_character.h"

namespace sinew {

// "'A', 'B' and 3 more".
std::string some_of(const std::vector<std::string>& names);

// Places among the character's clips, each once; without names all. Throws usage_error for a name that is none.
std::vector<int> chosen_clips(const Character& character, const std::vector<std::string>& names,
                              std::vector<std::string>& notes);

// A clip as frames. `travel_from_feet`: if it loops and steps in place, it gets travel.
FramedClip framed_clip(const GraphCharacter& character, const Character& source, const Clip& clip,
                       double frames_per_second, bool travel_from_feet);
// "Walk 1.20 m/s", by its travel.
std::string clip_with_speed(const FramedClip& clip);

// The slide of feet, as a share of the leg, in two cycles with the travel. Empty without legs, and if no foot stands.
std::optional<double> slide_on_its_way(const GraphCharacter& character, const FramedClip& clip);

}  // namespace sinew
