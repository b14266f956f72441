// User actions on a running character, as data that can be recorded and replayed. A kind of action is a row of a table,
// from which takes (session/take_json.h), fingerprints of bakes and, for loads, commands and tools of the studio
// follow.
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
    point_force,  // pushes the skin around `point` with `force` for `seconds`
    grab,         // takes hold of the skin around the place nearest to `point` and leads it to `target`
    drag,         // leads the grab of this name to `target`
    release,      // ends the grab of this name
    gravity,      // replaces the scene's gravity by `gravity`
    own_gravity,  // gives gravity back to keys and the scene
    stiffness,    // multiplies the stiffness of the whole body by `stiffness`, in place of its keys
    damping,      // multiplies its damping by `damping`
    control,      // holds the control `name` of force rigs at `value`; without one, it follows its keys again
    rig,          // multiplies the forces of the rig `name` by `value`
    activation,   // holds the activation of the muscle `name` at `value`; without one, it follows its source again
    turn,         // turns the joint `name` from its rest pose by `rotation`, in place of the clip
    unturn,       // lets the joint `name` follow the clip again
    carry,        // carries the character to `target`, an offset from where the clip has it
  };
  Kind kind = Kind::point_force;
  std::string name;  // identifies the grab, control, rig, muscle or joint, also in messages
  Vec3 point;        // metres, rest space
  Vec3 force;        // newtons, world
  // Radius of the skin that a point force pushes or a grab holds, metres; 0: a point. Empty: a point for a force,
  // hand_of_height for a grab.
  std::optional<double> radius;
  // How long a load acts; how long other values take to change, 0: none.
  double seconds = 0;
  Vec3 target;  // metres, world
  // Rotation vector, degrees, in the joint's own frame at rest. The joint's local rotation is that at rest, followed by
  // this one.
  Vec3 rotation;
  Vec3 gravity;  // m/s^2, world
  double stiffness = 1, damping = 1;
  std::optional<double> value;
};

// A tool of the studio's page that applies a load where the user presses on the skin, along the line of sight. Its
// numbers are the members of the load.
struct ActionTool {
  const char* name;         // shown with a capital
  const char* hint;         // instructions, in a sentence
  bool continuous = false;  // true: the load acts as long as the user presses; false: once
};

// A row of the table of actions.
struct ActionKind {
  Action::Kind kind;
  const char* word;                 // in takes and commands
  bool Capabilities::*needs;        // capability that a method must have; null: a goal that follows the skeleton
  SettingsTable members;            // the members of Action that this kind uses, in the order of files
  Load (*load)(const Action&);      // the load, which acts for `seconds`; null: the action is no load
  std::vector<ActionTool> tools{};  // of a load

  ConstSettings of(const Action& action) const { return {members, &action}; }
  Settings of(Action& action) const { return {{members, &action}}; }
};
using ActionKinds = std::span<const ActionKind>;
ActionKinds action_kinds();

// The row of the action's kind, which must exist; the row of a word, or null.
const ActionKind& kind_of(const Action& action, ActionKinds kinds = action_kinds());
const ActionKind* kind_named(std::string_view word, ActionKinds kinds = action_kinds());

// Throws usage_error if a number is invalid.
void check_action(const Action& action, ActionKinds kinds = action_kinds());

// `elapsed`: end of the step after which the action takes effect, in seconds since the run began.
struct TimedAction {
  double elapsed = 0;
  Action action;
};

// All actions of a run, in order.
using Take = std::vector<TimedAction>;

// All that tells a take from every other.
void add_take(Fingerprint& print, const Take& take, ActionKinds kinds = action_kinds());

}  // namespace sinew
