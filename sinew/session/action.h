// User actions on a running character, as data that can be recorded and replayed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/environment.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct Action {
  enum class Kind {
    poke,     // pushes the skin around `point` with `force` for `seconds`
    grab,     // takes hold of the skin around the place nearest to `point` and leads it to `target`
    drag,     // leads the grab of this name to `target`
    release,  // ends the grab of this name
    gravity,  // replaces the scene's gravity by `gravity`
  };
  Kind kind = Kind::poke;
  std::string name;  // identifies the grab, also in messages
  Vec3 point;        // metres, rest space
  Vec3 force;        // newtons, world
  // Radius of the skin that a poke pushes or a grab holds, metres; 0: a point. Empty: a point for a poke,
  // hand_of_height for a grab.
  std::optional<double> radius;
  double seconds = 0;  // of a poke
  Vec3 target;         // metres, world
  Vec3 gravity;        // m/s^2, world
};

// Throws usage_error if a number is invalid.
void check_action(const Action& action);

// `elapsed`: end of the step after which the action takes effect, in seconds since the run began.
struct TimedAction {
  double elapsed = 0;
  Action action;
};

// All actions of a run, in order.
using Take = std::vector<TimedAction>;

}  // namespace sinew
