// Motion of joints that a take or a free body poses in place of the clip. It is recorded with the flesh and becomes
// part of the clip.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/character/character.h"
#include "sinew/session/action.h"

namespace sinew {

// The joints that a take turns and, if it carries the character, or the character is a free body, the roots of its
// skeleton; without motion.
std::vector<PosedJoint> joints_posed_by(const Character& character, const Take& take, bool is_free);

// Appends their local transforms in a pose, or replaces those of a frame.
void append_pose(const Skeleton& skeleton, const Pose& pose, std::span<PosedJoint> posed);
void replace_pose(const Skeleton& skeleton, const Pose& pose, std::size_t frame, std::span<PosedJoint> posed);

// The motion as ten numbers per joint and frame, and back. Throws forged_state() for numbers that no run can have
// recorded: a wrong count, a number that is not finite, a quaternion that is not of unit length.
std::vector<double> numbers_of(std::span<const PosedJoint> posed);
void set_numbers(std::span<const double> numbers, std::size_t frames, std::span<PosedJoint> posed);

// The clip (null: the rest pose) with the motion of posed joints in place of its own, keyed at the recording's times.
// Translation, rotation and scale are each keyed where the clip has keys or the recording leaves the rest pose.
Clip with_posed_joints(const Skeleton& skeleton, const Clip* clip, const Recording& recording);

}  // namespace sinew
