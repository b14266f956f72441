// Measures how far the shape of a force rig swings beyond itself, and how soon it settles (Capell 2004, section 7.3).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/deform/scene.h"

namespace sinew {

// The swing of the character in its rest pose, while controls go from `from` to `to` within `swing_rise` seconds.
struct ShapeSwing {
  std::vector<double> seconds;    // since the control began to move
  std::vector<double> share;      // how much of the shape is there, by the skin's movement along it; 1: all of it
  double overshoot = 0;           // the largest share beyond 1
  std::optional<double> settled;  // seconds after which the share stays within 5 % of 1; empty: it does not yet
  double reach = 0;               // farthest that the skin moves, metres
};

inline constexpr double swing_rise = 0.1, swing_run = 3, swing_frames_per_second = 60;

// `controls`: those that move together. Throws usage_error if a control does not exist, or the skin does not move;
// Stopped where `progress` asks for it.
struct SwungControl {
  std::string name;
  double from = 0, to = 1;
};
ShapeSwing shape_swing(const Character& character, const Scene& scene, std::span<const SwungControl> controls,
                       const Progress& progress = {});

}  // namespace sinew
