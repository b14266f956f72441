// Measures motion that was chosen from a data base of clips.
#pragma once

#include <span>

#include "sinew/jobs/motion/graph/graph_character.h"
#include "sinew/jobs/motion/matching/match_motion.h"
#include "sinew/kinematics/matching/match_path.h"

namespace sinew {

// Sets how often motion went over, and the jerk, the skating and the slide that the clips played have themselves.
void measure_clips(const GraphCharacter& character, std::span<const FramedClip> clips, const MatchedWalk& walk,
                   MatchReport& report);

// Sets the jerk and the skating of a clip made of the walk.
void measure_motion(const GraphCharacter& character, std::span<const FramedClip> clips, const MatchedWalk& walk,
                    const Clip& clip, MatchReport& report);

// Sets the length of the way, and the distances and angles from the path.
void measure_path(const GraphBody& body, const MatchedWalk& walk, const GroundPath& path, MatchReport& report);

}  // namespace sinew
