// An articulated body as the text of a model that MuJoCo reads.
#pragma once

#include <span>
#include <string>

#include "sinew/dynamics/rigid_body_engine.h"

namespace sinew {

// Bodies are numbered from 1 in the order of the links, then the balls; joints and their degrees of freedom follow in
// that order. The first geometry of each ball and of the ground is named so that contacts can be told apart.
std::string mujoco_model(const ArticulatedBody& body, const EngineOptions& options, std::span<const EngineBall> balls);

}  // namespace sinew
