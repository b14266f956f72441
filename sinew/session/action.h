// What somebody does to a character while it runs, as data: what was done live can be done again. A kind of action is a
// row of a table: takes (session/take_json.h), fingerprints of bakes and, for loads, commands of the studio follow from
// the row.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character/fingerprint.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/environment.h"
#include "sinew/deform/setting.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct Action {
  enum class Kind {
    point_force,  // a force on the skin around `point` for so many `seconds`
    grab,         // takes hold of the skin around its nearest to `point` where it is now, and leads that to `target`
    drag,         // leads what was grabbed under this name to `target`
    release,      // lets go of it
    gravity,      // is `gravity` from now on, in place of the scene's own
  };
  Kind kind = Kind::point_force;
  std::string name;  // of the grab; for messages
  Vec3 point;        // metres, rest space
  Vec3 force;        // newtons, world
  // Metres: of the skin that a point force pushes (empty: 0, a point), or that a grab holds (empty: as large as a hand,
  // 4 % of the character's height; 0: a point).
  std::optional<double> radius;
  double seconds = 0;  // of a load
  Vec3 target;         // metres, world
  Vec3 gravity;        // m/s^2, world
};

// A row of the table of actions.
struct ActionKind {
  Action::Kind kind;
  const char* word;              // in takes and commands
  bool Capabilities::*needs;     // what of a method it takes
  Settings (*members)(Action&);  // the members that it has, in the order of files
  Load (*load)(const Action&);   // of a load, which acts for `seconds`; null: it is none
};
using ActionKinds = std::span<const ActionKind>;
ActionKinds action_kinds();

// The row of this kind, which there has to be; of this word, or null.
const ActionKind& kind_of(const Action& action, ActionKinds kinds = action_kinds());
const ActionKind* kind_named(std::string_view word, ActionKinds kinds = action_kinds());

// Throws usage_error where its numbers make no sense.
void check_action(Action action, ActionKinds kinds = action_kinds());

// `elapsed`: seconds since the run's beginning, of the step after which it acts.
struct TimedAction {
  double elapsed = 0;
  Action action;
};

// Everything that was done in a run, in order.
using Take = std::vector<TimedAction>;

// All that tells a take from every other.
void add_take(Fingerprint& print, const Take& take, ActionKinds kinds = action_kinds());

}  // namespace sinew
