// Settings set by name, and another value for any setting.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/deform/setting.h"

namespace sinew::test {

// The row with this key, which must exist.
inline const Setting& setting_named(const SettingsTable& table, const std::string& key) {
  return *std::find_if(table.begin(), table.end(), [&](const Setting& setting) { return key == setting.key; });
}

// Sets a value by its key, in tables that have the key.
inline void set(Settings settings, const std::string& key, const std::string& text) {
  for (const Setting& setting : settings.table)
    if (setting.key == key) set_from_text(setting, settings, text);
}

// In the range, but unlike `value`.
inline double other_number(const Range& range, double value) {
  for (const double other : {value + 1, value - 1, value + 0.01, value - 0.01, value * 1.25, value * 0.75})
    if (other != value && range.holds(other)) return other;
  return value;
}

// Gives the setting a value that it does not have, within its range. Lists get one more item.
inline void change(const Setting& setting, Settings settings) {
  const Range& range = setting.range;
  visit_value(setting, settings,
              Overloaded{[](bool& value) { value = !value; },
                         [&](int& value) { value = static_cast<int>(other_number(range, value)); },
                         [&](double& value) { value = other_number(range, value); },
                         [&](std::optional<double>& value) {
                           value = other_number(range, value.value_or(std::isfinite(range.least) ? range.least : 0));
                         },
                         [](std::string& value) { value += "x"; }, [](Vec3& value) { value.y += 0.5; },
                         [](std::vector<std::string>& value) { value.push_back("x*"); },
                         [&](const Choice& value) {
                           value.set(settings, (value.get(settings) + 1) % static_cast<int>(value.words.size()));
                         },
                         [&](const SettingList& value) { value.renew(settings, value.size(settings) + 1); }});
}

}  // namespace sinew::test
