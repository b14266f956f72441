#include "sinew/session/take_json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "sinew/base/file.h"
#include "sinew/files/settings_fields.h"

namespace sinew {
namespace {

SettingsJson action_json(const TimedAction& timed, ActionKinds kinds) {
  Action action = timed.action;
  const ActionKind& row = kind_of(action, kinds);
  if (row.load && !action.radius) action.radius = 0;
  SettingsJson json{{"elapsed", timed.elapsed}, {"do", row.word}};
  json.update(settings_object(row.of(action)));
  return json;
}

TimedAction action_from(SettingsFields& fields, ActionKinds kinds) {
  TimedAction timed;
  Action& action = timed.action;
  fields.read("elapsed", timed.elapsed);
  std::vector<const char*> words;
  for (const ActionKind& row : kinds) words.push_back(row.word);
  if (const auto k = fields.word("do", words)) action.kind = kinds[*k].kind;
  action.radius = 0;  // takes of before there were patches held points
  const ActionKind& kind = kind_of(action, kinds);
  const auto has = [&](std::string_view key) {
    return std::any_of(kind.members.begin(), kind.members.end(), [&](const Setting& row) { return row.key == key; });
  };
  if (has("value") && fields.take("value")) action.value = 0;  // members that are absent are not read
  take_settings(fields, kind.of(action));
  if (!has("radius")) action.radius.reset();
  try {
    check_action(action, kinds);
  } catch (const Error& error) {
    std::string what = error.what();
    if (what.ends_with('.')) what.pop_back();
    throw fields.wrong("", what);
  }
  return timed;
}

// A drag or a release needs a grab of its name.
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

std::string take_json(const Take& take, ActionKinds kinds) {
  SettingsJson json;
  json["take"] = 1;
  json["actions"] = SettingsJson::array();
  for (const TimedAction& action : take) json["actions"].push_back(action_json(action, kinds));
  return json.dump(2) + "\n";
}

Take take_from_json(std::string_view text, const std::string& file, ActionKinds kinds) {
  const SettingsJson json = parse_settings(text, file);
  SettingsFields fields(json, file, "");
  int version = 0;
  fields.read("take", version);
  if (version != 1) throw input_error(file + ": is no take of this version of Sinew; \"take\" must be 1.");
  if (!json.contains("actions"))
    throw input_error(file + ": has no \"actions\"; a take lists them, and may list none: \"actions\": [].");
  Take take;
  fields.list("actions", [&](SettingsFields& item) {
    take.push_back(action_from(item, kinds));
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
