// Measures a walk through a motion graph.
#pragma once

#include <optional>
#include <span>

#include "sinew/jobs/motion/graph/graph_character.h"
#include "sinew/jobs/motion/graph/walk_motion_graph.h"
#include "sinew/kinematics/graph/ground_path.h"
#include "sinew/kinematics/graph/walk_graph.h"

namespace sinew {

// Standing of the body in a frame of a walk, metres.
Standing body_standing(std::span<const FramedClip> clips, const WalkFrame& frame);

// Sets the length of the body's way, and its distances from the path if there is one.
void measure_way(std::span<const FramedClip> clips, const Walk& walk, const std::optional<GroundPath>& path,
                 WalkReport& report);

// Sets the jerk of transitions in the finished clip, and that of the clips that the walk plays.
void measure_jerk(const GraphCharacter& character, const MotionGraph& graph, std::span<const FramedClip> clips,
                  const Walk& walk, const Clip& clip, WalkReport& report);

}  // namespace sinew
