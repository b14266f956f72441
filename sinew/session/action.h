// What somebody does to a character while it runs, as data: what was done live can be done again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/environment.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct Action {
  enum class Kind {
    poke,     // a force on the skin around `point` for so many `seconds`
    grab,     // takes hold of the skin around its nearest to `point` where it is now, and leads that to `target`
    drag,     // leads what was grabbed under this name to `target`
    release,  // lets go of it
    gravity,  // is `gravity` from now on, in place of the scene's own
  };
  Kind kind = Kind::poke;
  std::string name;  // of the grab; for messages
  Vec3 point;        // metres, rest space
  Vec3 force;        // newtons, world
  // Metres: of the skin that a poke pushes (empty: 0, a point), or that a grab holds (empty: as large as a hand, 4 % of
  // the character's height; 0: a point).
  std::optional<double> radius;
  double seconds = 0;  // of a poke
  Vec3 target;         // metres, world
  Vec3 gravity;        // m/s^2, world
};

// Throws usage_error where its numbers make no sense.
void check_action(const Action& action);

// `elapsed`: seconds since the run's beginning, of the step after which it acts.
struct TimedAction {
  double elapsed = 0;
  Action action;
};

// Everything that was done in a run, in order.
using Take = std::vector<TimedAction>;

}  // namespace sinew
