#include "sinew/session/take_json.h"

#include <cmath>
#include <set>
#include <string>

#include "sinew/base/file.h"
#include "sinew/files/settings_fields.h"

namespace sinew {
namespace {

constexpr Word<Action::Kind> kinds[] = {{"poke", Action::Kind::poke},
                                        {"grab", Action::Kind::grab},
                                        {"drag", Action::Kind::drag},
                                        {"release", Action::Kind::release},
                                        {"gravity", Action::Kind::gravity}};

bool is_of_grab(const Action& action) {
  return action.kind != Action::Kind::poke && action.kind != Action::Kind::gravity;
}

SettingsJson action_json(const TimedAction& timed) {
  Action action = timed.action;
  const Choice kind = choice(action.kind, kinds);
  SettingsJson json{{"elapsed", timed.elapsed}, {"do", kind.words[static_cast<std::size_t>(kind.get())]}};
  if (is_of_grab(action)) json["name"] = action.name;
  if (action.kind == Action::Kind::poke || action.kind == Action::Kind::grab)
    json["point"] = three_numbers(action.point);
  if (action.kind == Action::Kind::grab || action.kind == Action::Kind::drag)
    json["target"] = three_numbers(action.target);
  if (action.kind == Action::Kind::grab && action.radius) json["radius"] = *action.radius;
  if (action.kind == Action::Kind::poke) {
    json["force"] = three_numbers(action.force);
    json["radius"] = action.radius.value_or(0);
    json["seconds"] = action.seconds;
  }
  if (action.kind == Action::Kind::gravity) json["gravity"] = three_numbers(action.gravity);
  return json;
}

TimedAction action_from(SettingsFields& fields) {
  TimedAction timed;
  Action& action = timed.action;
  fields.number("elapsed", timed.elapsed);
  fields.word("do", choice(action.kind, kinds));
  if (is_of_grab(action)) fields.string("name", action.name);
  if (action.kind == Action::Kind::poke || action.kind == Action::Kind::grab) fields.vector("point", action.point);
  if (action.kind == Action::Kind::grab || action.kind == Action::Kind::drag) fields.vector("target", action.target);
  if (action.kind == Action::Kind::poke) {
    fields.vector("force", action.force);
    fields.number("seconds", action.seconds);
  }
  // Takes of before there were patches held points.
  if (action.kind == Action::Kind::poke || action.kind == Action::Kind::grab)
    fields.number("radius", action.radius.emplace(0));
  if (action.kind == Action::Kind::gravity) fields.vector("gravity", action.gravity);
  try {
    check_action(action);
  } catch (const Error& error) {
    std::string what = error.what();
    if (what.ends_with('.')) what.pop_back();
    throw fields.wrong("", what);
  }
  return timed;
}

// What is led or let go has to be held.
void check_grabs(const Take& take, const std::string& file) {
  std::set<std::string> held;
  for (std::size_t k = 0; k < take.size(); ++k) {
    const Action& action = take[k].action;
    if (action.kind == Action::Kind::grab) held.insert(action.name);
    if (action.kind != Action::Kind::drag && action.kind != Action::Kind::release) continue;
    if (!held.contains(action.name))
      throw input_error(file + ": actions[" + std::to_string(k) + "]: nothing is held as '" + action.name +
                        "' then; grab it first.");
    if (action.kind == Action::Kind::release) held.erase(action.name);
  }
}

}  // namespace

std::string take_json(const Take& take) {
  SettingsJson json;
  json["take"] = 1;
  json["actions"] = SettingsJson::array();
  for (const TimedAction& action : take) json["actions"].push_back(action_json(action));
  return json.dump(2) + "\n";
}

Take take_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_settings(text, file);
  SettingsFields fields(json, file, "");
  int version = 0;
  fields.integer("take", version);
  if (version != 1) throw input_error(file + ": is no take of this version of Sinew; \"take\" must be 1.");
  if (!json.contains("actions"))
    throw input_error(file + ": has no \"actions\"; a take lists them, and may list none: \"actions\": [].");
  Take take;
  fields.list("actions", [&](SettingsFields& item) {
    take.push_back(action_from(item));
    const double before = take.size() > 1 ? take[take.size() - 2].elapsed : -HUGE_VAL;
    if (!(take.back().elapsed >= 0) || !std::isfinite(take.back().elapsed))
      throw item.wrong("elapsed", "must not be negative: it counts seconds from the run's beginning");
    if (take.back().elapsed < before) throw item.wrong("elapsed", "must not be before the action above");
  });
  fields.finish();
  check_grabs(take, file);
  return take;
}

Take read_take(const std::filesystem::path& path) { return take_from_json(read_text_file(path), path.string()); }

}  // namespace sinew
