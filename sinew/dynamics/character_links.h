// The articulated body of a character: which of its joints are links, what these carry, and how they touch the ground.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/dynamics/articulated_body.h"
#include "sinew/kinematics/anatomical_frames.h"

namespace sinew {

struct CharacterLinks {
  ArticulatedBody body;
  std::vector<char> bears;      // per link, whether it is part of a leg, or of an arm that reaches the ground
  std::vector<char> foot;       // per link, whether it is a foot or toes
  std::vector<int> upper_arms;  // links of arms that do not reach the ground
  double height = 0;            // of the centre of mass over the lowest skin point in the bind pose, metres
};

inline constexpr std::size_t most_links = 64;
inline constexpr double flesh_density = 1000;  // of a character whose material does not say, kg/m^3

// Bones of the body (body_bones.h) without fingers are links; a character whose bones were not found has a link for
// each joint that carries more than half a percent of its flesh, and at most `most_links`. Everything else is a part of
// the link above it. Offsets between joints and targets are those of the first frame of the clip, so that a pose of a
// clip is a pose of the links. `density`: of the flesh, kg/m^3. Throws input_error for a character without flesh.
CharacterLinks character_links(const Character& character, const SimulationSurface& surface, const BodyBones& bones,
                               const Pose& first, double density);

// Gives the links' joints limits (character_limits.cpp): what a person's joints have, about the bind pose, widened to
// the ranges of all clips of the character. Knees and elbows are hinges.
void set_limits(const Character& character, const BodyBones& bones, const ReferencePose& reference,
                ArticulatedBody& body);

// Index of the link that a joint of the skeleton is, or is a part of; the first link for joints above all others.
std::size_t link_of_joint(const Skeleton& skeleton, const ArticulatedBody& body, int joint);

// The pose of the links in a pose of the skeleton: rotations of their joints, and the place of the first one; metres.
TreePose pose_of_links(const ArticulatedBody& body, const Pose& pose, double metres_per_unit);

}  // namespace sinew
