// Balls that were thrown at a body of links, as nodes that move in its clip and as colliders of its flesh.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/dynamics/react.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct BallPath {
  std::string name;         // of its node
  double radius = 0;        // metres
  std::vector<Vec3> place;  // at the times of the reaction, world, metres; until it is thrown, where it will be then
};

// Names are unused by the character's nodes.
std::vector<BallPath> ball_paths(const Character& character, std::span<const ThrownBall> thrown,
                                 const Reaction& reaction);

// Adds a node for each ball to the document, and its motion to a clip that is not appended yet (append_clip.h).
void add_ball_nodes(std::span<const BallPath> balls, std::span<const double> times, OpenedCharacter& opened,
                    Clip& clip);

// A settings file whose colliders are these balls, carried by their nodes.
std::string ball_settings(std::span<const BallPath> balls);

}  // namespace sinew
