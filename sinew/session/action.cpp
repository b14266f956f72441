#include "sinew/session/action.h"

#include <algorithm>
#include <array>

#include "sinew/base/error.h"
#include "sinew/deform/settings_fingerprint.h"

namespace sinew {
namespace {

constexpr Unit degrees{"degrees", "°"};

// clang-format off
std::vector<ActionKind> all_kinds() {
  const Setting name{.key = "name", .value = &Action::name, .help = "Of the hand"};
  const Setting point{.key = "point", .value = &Action::point, .help = "Of the skin, in the rest pose",
                      .unit = units::metres};
  const Setting target{.key = "target", .value = &Action::target, .help = "Where it is led", .unit = units::metres};
  const Setting radius{.key = "radius", .value = &Action::radius, .help = "Radius of the skin around the point",
                       .range = from(0), .unit = units::metres,
                       .applies = [](const Action& a) { return a.radius.has_value(); }};
  const Setting force{.key = "force", .value = &Action::force, .help = "The whole force, in the world", .unit = units::newtons};
  const Setting seconds{.key = "seconds", .value = &Action::seconds, .help = "How long it acts", .range = above(0),
                        .unit = units::seconds, .example = "0.08"};
  const Setting gravity{.key = "gravity", .value = &Action::gravity, .help = "In the world",
                        .unit = units::acceleration};
  const Range multipliers = between(least_of_tissue, most_of_tissue);
  const Setting stiffness{.key = "stiffness", .value = &Action::stiffness, .help = "Multiplies that of the whole body",
                          .range = multipliers};
  const Setting damping{.key = "damping", .value = &Action::damping, .help = "Multiplies that of the whole body",
                        .range = multipliers};
  const Setting on_the_way{.key = "seconds", .value = &Action::seconds, .help = "How long it takes", .range = from(0),
                           .unit = units::seconds};
  const Setting control{.key = "name", .value = &Action::name, .help = "Name of the control of force rigs"};
  const Setting value{.key = "value", .value = &Action::value, .help = "Value at which the control is held; left out: it follows its keys or the pose again",
                      .applies = [](const Action& a) { return a.value.has_value(); }};
  const Setting rig{.key = "name", .value = &Action::name, .help = "Name of the force rig"};
  const Setting share{.key = "value", .value = &Action::value, .help = "Factor of its forces", .range = between(0, 1)};
  const Setting muscle{.key = "name", .value = &Action::name, .help = "Name of the muscle"};
  const Setting activation{.key = "value", .value = &Action::value, .help = "Activation at which it is held; left out: it follows its joint or control again",
                           .range = between(0, 1), .applies = [](const Action& a) { return a.value.has_value(); }};
  const Setting joint{.key = "name", .value = &Action::name, .help = "Name of the joint; # and its number where one before it has the same name"};
  const Setting rotation{.key = "rotation", .value = &Action::rotation,
                         .help = "From its rest pose, along the axis in its own frame, as long as the angle", .unit = degrees};
  const Setting offset{.key = "target", .value = &Action::target, .help = "Offset from the clip's place", .unit = units::metres};
  using Kind = Action::Kind;
  return {
      {Kind::point_force, "poke", &Capabilities::loads, {point, force, radius, seconds},
       [](const Action& a) { return Load{a.point, a.force, a.radius.value_or(0)}; },
       {{"poke", "Click the flesh to poke it."},
        {"push", "Press on the flesh and hold: it is pushed in as long as you press.", true}}},
      {Kind::grab, "grab", &Capabilities::held, {name, point, target, radius}, nullptr},
      {Kind::drag, "drag", &Capabilities::held, {name, target}, nullptr},
      {Kind::release, "release", &Capabilities::held, {name}, nullptr},
      {Kind::gravity, "gravity", &Capabilities::gravity, {gravity, on_the_way}, nullptr},
      {Kind::own_gravity, "own_gravity", &Capabilities::gravity, {on_the_way}, nullptr},
      {Kind::stiffness, "stiffness", &Capabilities::stiffness, {stiffness, on_the_way}, nullptr},
      {Kind::damping, "damping", &Capabilities::damping, {damping, on_the_way}, nullptr},
      {Kind::control, "control", &Capabilities::shapes, {control, value, on_the_way}, nullptr},
      {Kind::rig, "rig", &Capabilities::shapes, {rig, share, on_the_way}, nullptr},
      {Kind::activation, "activation", nullptr, {muscle, activation, on_the_way}, nullptr},
      {Kind::turn, "turn", nullptr, {joint, rotation, on_the_way}, nullptr},
      {Kind::unturn, "unturn", nullptr, {joint, on_the_way}, nullptr},
      {Kind::carry, "carry", nullptr, {offset, on_the_way}, nullptr},
  };
}
// clang-format on

}  // namespace

ActionKinds action_kinds() {
  static const std::vector<ActionKind> kinds = all_kinds();
  return kinds;
}

const ActionKind& kind_of(const Action& action, ActionKinds kinds) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](const ActionKind& row) { return row.kind == action.kind; });
}

const ActionKind* kind_named(std::string_view word, ActionKinds kinds) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ActionKind& row) { return row.word == word; });
  return found == kinds.end() ? nullptr : &*found;
}

void check_action(const Action& action, ActionKinds kinds) {
  const ActionKind& row = kind_of(action, kinds);
  if (const std::string wrong = first_complaint(row.of(action)); !wrong.empty())
    throw usage_error(std::string(row.word) + ": " + wrong);
}

void add_take(Fingerprint& print, const Take& take, ActionKinds kinds) {
  for (const TimedAction& timed : take) {
    const ActionKind& row = kind_of(timed.action, kinds);
    print.add(std::array{timed.elapsed}).add(std::string_view(row.word));
    add_settings(print, row.of(timed.action));
  }
}

}  // namespace sinew
