#include "sinew/session/action.h"

#include <algorithm>
#include <array>

#include "sinew/base/error.h"
#include "sinew/deform/settings_fingerprint.h"

namespace sinew {
namespace {

// clang-format off
Setting name_row(Action& a) {
  return {.key = "name", .value = &a.name, .help = "Of the hand"};
}
Setting point_row(Action& a) {
  return {.key = "point", .value = &a.point, .help = "Of the skin, in the rest pose", .unit = units::metres};
}
Setting target_row(Action& a) {
  return {.key = "target", .value = &a.target, .help = "Where it is led", .unit = units::metres};
}
Setting radius_row(Action& a) {
  return {.key = "radius", .value = &a.radius, .help = "Of the skin around the point", .range = from(0),
          .unit = units::metres, .applies = [&a] { return a.radius.has_value(); }};
}
Setting seconds_row(Action& a) {
  return {.key = "seconds", .value = &a.seconds, .help = "How long it acts", .range = above(0), .unit = units::seconds};
}

constexpr ActionKind all_kinds[] = {
    {Action::Kind::point_force, "poke", &Capabilities::loads,
     [](Action& a) -> Settings {
       return {point_row(a),
               {.key = "force", .value = &a.force, .help = "In all, in the world", .unit = units::newtons},
               radius_row(a), seconds_row(a)};
     },
     [](const Action& a) { return Load{a.point, a.force, a.radius.value_or(0)}; }},
    {Action::Kind::grab, "grab", &Capabilities::held,
     [](Action& a) -> Settings { return {name_row(a), point_row(a), target_row(a), radius_row(a)}; }, nullptr},
    {Action::Kind::drag, "drag", &Capabilities::held,
     [](Action& a) -> Settings { return {name_row(a), target_row(a)}; }, nullptr},
    {Action::Kind::release, "release", &Capabilities::held, [](Action& a) -> Settings { return {name_row(a)}; },
     nullptr},
    {Action::Kind::gravity, "gravity", &Capabilities::gravity,
     [](Action& a) -> Settings {
       return {{.key = "gravity", .value = &a.gravity, .help = "In the world", .unit = units::acceleration}};
     },
     nullptr},
};
// clang-format on

}  // namespace

ActionKinds action_kinds() { return all_kinds; }

const ActionKind& kind_of(const Action& action, ActionKinds kinds) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](const ActionKind& row) { return row.kind == action.kind; });
}

const ActionKind* kind_named(std::string_view word, ActionKinds kinds) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ActionKind& row) { return row.word == word; });
  return found == kinds.end() ? nullptr : &*found;
}

void check_action(Action action, ActionKinds kinds) {
  const ActionKind& row = kind_of(action, kinds);
  if (const std::string wrong = first_complaint(row.members(action)); !wrong.empty())
    throw usage_error(std::string(row.word) + ": " + wrong);
}

void add_take(Fingerprint& print, const Take& take, ActionKinds kinds) {
  for (const TimedAction& timed : take) {
    Action action = timed.action;
    const ActionKind& row = kind_of(action, kinds);
    print.add(std::array{timed.elapsed}).add(std::string_view(row.word));
    add_settings(print, row.members(action));
  }
}

}  // namespace sinew
