// Another value for any setting.
#pragma once

#include <cmath>

#include "sinew/base/overloaded.h"
#include "sinew/deform/setting.h"

namespace sinew::test {

// In the range, but unlike `value`.
inline double other_number(const Range& range, double value) {
  for (const double other : {value + 1, value - 1, value + 0.01, value - 0.01, value * 1.25, value * 0.75})
    if (other != value && range.holds(other)) return other;
  return value;
}

// Gives the setting a value that it does not have, within its range. Lists get one more item.
inline void change(const Setting& setting) {
  const Range& range = setting.range;
  std::visit(
      Overloaded{[](bool* value) { *value = !*value; },
                 [&](int* value) { *value = static_cast<int>(other_number(range, *value)); },
                 [&](double* value) { *value = other_number(range, *value); },
                 [&](std::optional<double>* value) {
                   *value = other_number(range, value->value_or(std::isfinite(range.least) ? range.least : 0));
                 },
                 [](std::string* value) { *value += "x"; }, [](const FileName& value) { *value.name += "x"; },
                 [](Vec3* value) { value->y += 0.5; }, [](std::vector<std::string>* value) { value->push_back("x*"); },
                 [](const Choice& value) { value.set((value.get() + 1) % static_cast<int>(value.words.size())); },
                 [](const SettingList& value) { value.renew(value.size() + 1); }},
      setting.value);
}

}  // namespace sinew::test
