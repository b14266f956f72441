// Nodes of a character's motion graph that are blends of its clips (kinematics/graph/blend_space.h).
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "sinew/jobs/motion/graph/graph_character.h"
#include "sinew/kinematics/graph/blend_space.h"

namespace sinew {

// Places among the character's clips of two that can be blended by speed: they loop, take equally many steps, and go
// forward, the second faster by a fifth at least; the slowest, and the fastest that blends with it. Empty: none.
std::vector<int> clips_of_one_gait(const GraphCharacter& character, const Character& source,
                                   std::span<const int> chosen, bool travel_from_feet);

// A space of these clips. Throws input_error, a sentence that names the clips, if they are not alike.
BlendSpace blend_space_of(const GraphCharacter& character, const Character& source, std::span<const int> members,
                          double frames_per_second, bool travel_from_feet);

// The node with its table, and its blends at even steps of the parameter. Clips are appended to `blends`, of which the
// graph's clips have the names and weights.
GraphNode add_blends(const BlendSpace& space, const Character& source, std::span<const int> members,
                     std::deque<Clip>& blends, std::vector<GraphClip>& clips);

// The blend that a clip of a graph is. Throws input_error likewise, and if a member is gone.
Clip blend_of(const GraphCharacter& character, const Character& source, const GraphClip& clip,
              double frames_per_second);
// Says whether it is the same: keys of all members, and the weight.
std::uint64_t blend_fingerprint(const Character& source, const GraphClip& clip);

}  // namespace sinew
