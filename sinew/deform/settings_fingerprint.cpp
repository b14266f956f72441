#include "sinew/deform/settings_fingerprint.h"

#include <array>
#include <filesystem>
#include <string_view>

#include "sinew/base/file.h"
#include "sinew/base/overloaded.h"

namespace sinew {
namespace {

void add_text(Fingerprint& print, std::string_view text) { print.add(std::array{text.size()}).add(text); }

// "auto" and the like are no files.
void add_content(Fingerprint& print, const std::string& name) {
  std::error_code status;
  if (std::filesystem::is_regular_file(name, status))
    print.add(read_file(name));
  else
    add_text(print, name);
}

void add_value(Fingerprint& print, const SettingValue& setting) {
  std::visit(Overloaded{[&](bool* value) { print.add(std::array{*value ? 1 : 0}); },
                        [&](int* value) { print.add(std::array{*value}); },
                        [&](double* value) { print.add(std::array{*value}); },
                        [&](std::optional<double>* value) {
                          print.add(std::array{value->has_value() ? 1.0 : 0.0, value->value_or(0)});
                        },
                        [&](std::string* value) { add_text(print, *value); },
                        [&](const FileName& value) { add_content(print, *value.name); },
                        [&](Vec3* value) { print.add(std::array{*value}); },
                        [&](std::vector<std::string>* value) {
                          print.add(std::array{value->size()});
                          for (const std::string& text : *value) add_text(print, text);
                        },
                        [&](const Choice& value) { print.add(std::array{value.get()}); },
                        [&](const SettingList& value) {
                          print.add(std::array{value.size()});
                          for (std::size_t k = 0; k < value.size(); ++k) add_settings(print, value.item(k));
                        }},
             setting);
}

}  // namespace

void add_settings(Fingerprint& print, const Settings& settings, Recooks least) {
  for (const Setting& setting : settings) {
    if (setting.recooks < least || (setting.applies && !setting.applies())) continue;
    add_text(print, setting.key);
    add_value(print, setting.value);
  }
}

bool same_value(const Setting& a, const Setting& b) {
  Fingerprint first, second;
  add_value(first, a.value);
  add_value(second, b.value);
  return first.value() == second.value();
}

}  // namespace sinew
