#include "studio/server/cook/method_settings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/files/rig_file.h"
#include "sinew/files/settings_json.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_items = 200;  // per list

constexpr const char* level_names[] = {"nothing", "run", "factor", "stiffness", "body", "everything"};  // of Recooks

const char* kind_name(const Setting& setting) {
  return std::visit(Overloaded{[](const Member<bool>&) { return "flag"; }, [](const Member<int>&) { return "integer"; },
                               [&](const Member<std::string>&) { return setting.file ? "file" : "text"; },
                               [](const Member<Vec3>&) { return "vector"; },
                               [](const Member<std::vector<std::string>>&) { return "patterns"; },
                               [](const Choice&) { return "choice"; }, [](const SettingList&) { return "list"; },
                               [](const auto&) { return "number"; }},
                    setting.value);
}

// A step of a path such as "joints[0].stiffness": a key, and for lists a position.
struct PathStep {
  std::string key;
  std::optional<std::size_t> item;
};
std::vector<PathStep> steps_of(const std::string& path) {
  std::vector<PathStep> steps;
  const Error nowhere =
      usage_error("'" + path + "' is not the path of a setting, such as look or joints[0].stiffness.");
  std::size_t at = 0;
  while (at < path.size()) {
    PathStep step;
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    step.key = path.substr(at, end - at);
    if (step.key.empty() || steps.size() >= 4) throw nowhere;
    at = end;
    if (at < path.size() && path[at] == '[') {
      const std::size_t close = path.find(']', at);
      const std::string number = close == std::string::npos ? "" : path.substr(at + 1, close - at - 1);
      if (number.empty() || number.size() > 4 || number.find_first_not_of("0123456789") != std::string::npos)
        throw nowhere;
      step.item = std::stoul(number);
      at = close + 1;
    }
    steps.push_back(step);
    if (at < path.size() && path[at++] != '.') throw nowhere;
  }
  if (steps.empty()) throw nowhere;
  return steps;
}

PageJson& place_in(PageJson& json, const std::vector<PathStep>& steps, const std::string& path) {
  PageJson* at = &json;
  for (const PathStep& step : steps) {
    const bool last = &step == &steps.back();
    if (!at->is_object() || (!last && !at->contains(step.key)))
      throw usage_error("'" + path + "' is not a setting of this method.");
    at = &(*at)[step.key];
    if (!step.item) continue;
    if (!at->is_array() || *step.item > at->size() || *step.item >= most_items)
      throw usage_error("'" + path + "' is not an item of that list, whose length is " + std::to_string(at->size()) +
                        ".");
    if (*step.item == at->size()) at->push_back(PageJson::object());
    at = &(*at)[*step.item];
  }
  return *at;
}

// Resolves the names of files, those in items of lists too. Throws input_error for one outside the folders.
void keep_files_inside(Settings settings, const Folders& folders) {
  for (const Setting& setting : settings.table) {
    if (const auto* items = std::get_if<SettingList>(&setting.value))
      for (std::size_t k = 0; k < items->size(settings); ++k) keep_files_inside(items->item(settings, k), folders);
    if (!setting.file) continue;
    std::string& name = std::get<Member<std::string>>(setting.value).of(settings);
    if (holds_object(setting, name) || name.empty() || name == auto_lattice || name == nameless_anatomy ||
        name == no_anatomy)
      continue;
    name = folders.inside(name).string();
  }
}

// A file that lies beside a character must not start a program.
void refuse_program(const std::string& rig) {
  if (!rig.empty() && !read_rig_file(rig).command.empty())
    throw usage_error(
        "'" + std::filesystem::path(rig).filename().string() +
        "' names a program that computes the rig, and the studio starts none; use `sinew animate --rig`.");
}

}  // namespace

PageJson whole_settings(const std::string& method, const std::string& settings) {
  PageJson json = PageJson::parse(table_json(method_named(method)->settings()));
  const PageJson own = settings.empty() ? PageJson::object() : PageJson::parse(settings);
  for (const auto& [key, value] : own.items()) json[key] = value;
  // Projects of earlier versions name the file of `interior` so.
  if (const auto old = json.find("skinning");
      old != json.end() && old->is_string() && old->get<std::string>().ends_with(".vskin"))
    json["interior"] = std::exchange(json["skinning"], "linear");
  return json;
}

std::vector<std::unique_ptr<Method>> live_methods(bool has_skin_weights) {
  std::vector<std::unique_ptr<Method>> methods = all_methods();
  std::erase_if(methods, [&](const std::unique_ptr<Method>& method) {
    const MethodTraits traits = method->traits();
    return !traits.live || (traits.needs_skin_weights && !has_skin_weights);
  });
  return methods;
}

void require_live(const std::string& method, bool has_skin_weights) {
  for (const auto& known : live_methods(has_skin_weights))
    if (method == known->name()) return;
  throw usage_error("'" + method + "' is not a method that can play this character.");
}

MethodChoice choice_from(const std::string& method, const std::string& settings, const Folders& folders) {
  MethodChoice choice = method_named(method);
  const Settings table = choice->settings();
  if (!settings.empty()) read_table(table, settings, "settings");
  if (const std::string wrong = first_complaint(table); !wrong.empty()) throw usage_error(wrong);
  keep_files_inside(table, folders);
  if (const auto* rig_space = dynamic_cast<const RigSpaceMethod*>(&*choice)) refuse_program(rig_space->values.rig);
  choice->check();
  return choice;
}

std::string model_of(const std::string& settings) {
  if (settings.empty()) return "";
  const PageJson json = PageJson::parse(settings);
  return json.contains("model") && json["model"].is_string() ? json["model"].get<std::string>() : "";
}

std::string with_model(const std::string& method, const std::string& settings, const std::string& model) {
  return with_value(method, settings, "model", PageJson(model).dump());
}

std::string with_value(const std::string& method, const std::string& settings, const std::string& path,
                       const std::string& value) {
  PageJson json = whole_settings(method, settings);
  const PageJson wanted = PageJson::parse(value);
  if (path.empty()) {
    if (!wanted.is_object()) throw usage_error("Several settings at once are an object of keys and values.");
    for (const auto& [key, each] : wanted.items()) json[key] = each;
  } else {
    place_in(json, steps_of(path), path) = wanted;
  }
  return json.dump(2) + "\n";
}

std::string without_value(const std::string& method, const std::string& settings, const std::string& path) {
  PageJson json = whole_settings(method, settings);
  std::vector<PathStep> steps = steps_of(path);
  if (steps.size() == 1 && !steps[0].item) {
    const PageJson defaults = whole_settings(method, "");
    if (!defaults.contains(path)) throw usage_error("'" + path + "' is not a setting of this method.");
    json[path] = defaults[path];
  } else if (steps.back().item) {
    const std::size_t item = *std::exchange(steps.back().item, std::nullopt);
    PageJson& list = place_in(json, steps, path);
    if (!list.is_array() || item >= list.size()) throw usage_error("'" + path + "' is no item of that list.");
    list.erase(item);
  } else {
    const std::string key = steps.back().key;
    steps.pop_back();
    place_in(json, steps, path).erase(key);
  }
  return json.dump(2) + "\n";
}

PageJson describe_setting(const Setting& setting, const PageJson& values, const PageJson& defaults) {
  PageJson row{{"key", setting.key}, {"kind", kind_name(setting)}};
  if (values.contains(setting.key)) row["value"] = values[setting.key];
  if (defaults.contains(setting.key)) row["default"] = defaults[setting.key];
  if (std::isfinite(setting.range.least)) row["least"] = setting.range.least;
  if (std::isfinite(setting.range.most)) row["most"] = setting.range.most;
  if (setting.range.without_least) row["without_least"] = true;
  if (setting.range.without_most) row["without_most"] = true;
  if (*setting.unit.symbol) row["unit"] = setting.unit.symbol;
  row["help"] = setting.help;
  if (setting.none) row["none"] = setting.none;
  if (const auto* words = std::get_if<Choice>(&setting.value)) row["words"] = words->words;
  if (*setting.section) row["section"] = setting.section;
  row["level"] = level_names[static_cast<std::size_t>(setting.recooks)];
  row["common"] = setting.option == OnCommandLine::common;
  if (const auto* list = std::get_if<SettingList>(&setting.value)) {
    PageJson items = PageJson::array();
    for (const Setting& item : list->usual.table)
      items.push_back(describe_setting(item, PageJson::object(), PageJson::object()));
    row["item"] = std::move(items);
  }
  return row;
}

PageJson describe_settings(const MethodChoice& choice, const std::map<std::string, double>& now) {
  const ConstSettings table = choice->settings();
  const PageJson values = PageJson::parse(table_json(table)), defaults = whole_settings(choice->name(), "");
  PageJson rows = PageJson::array();
  for (const Setting& setting : table.table) {
    rows.push_back(describe_setting(setting, values, defaults));
    // Objects in place of files may be large; pages see that there is one.
    if (rows.back()["value"].is_object()) rows.back()["value"] = PageJson::object();
    const auto found = now.find(setting.key);
    if (found != now.end() && rows.back()["value"].is_null()) rows.back()["now"] = found->second;
  }
  return rows;
}

}  // namespace sinew::studio
