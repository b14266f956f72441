#include "sinew/shape/abstract_controls_json.h"

#include <set>

#include "sinew/base/error.h"

namespace sinew {
namespace {

AbstractControl control_from(SettingsFields& fields) {
  AbstractControl control;
  if (!fields.read("name", control.name) || control.name.empty())
    throw fields.wrong("name", "is missing; give the control a name");
  fields.read("value", control.value);
  fields.read("loop", control.loop);
  if (const SettingsJson* keys = fields.take("keys")) {
    if (!keys->is_array()) throw fields.wrong("keys", "must be a list of pairs [seconds, value]");
    for (const SettingsJson& key : *keys) {
      const bool pair = key.is_array() && key.size() == 2 && key[0].is_number() && key[1].is_number();
      if (!pair) throw fields.wrong("keys", "must be a list of pairs [seconds, value]");
      const double time = key[0].get<double>();
      if (!control.keys.empty() && !(time > control.keys.back()[0]))
        throw fields.wrong("keys", "must be in the order of their times");
      control.keys.push_back({time, key[1].get<double>()});
    }
  }
  return control;
}

}  // namespace

std::vector<AbstractControl> take_controls(SettingsFields& fields, const std::string& file) {
  std::vector<AbstractControl> controls;
  fields.list("controls", [&](SettingsFields& item) { controls.push_back(control_from(item)); });
  std::set<std::string> names;
  for (const AbstractControl& control : controls)
    if (!names.insert(control.name).second)
      throw input_error(file + ": two controls are called '" + control.name + "'; rename one of them.");
  return controls;
}

SettingsJson controls_json(std::span<const AbstractControl> controls) {
  SettingsJson json = SettingsJson::array();
  for (const AbstractControl& control : controls) {
    SettingsJson item{{"name", control.name}, {"value", control.value}};
    if (!control.keys.empty()) {
      item["keys"] = control.keys;
      item["loop"] = control.loop;
    }
    json.push_back(std::move(item));
  }
  return json;
}

}  // namespace sinew
