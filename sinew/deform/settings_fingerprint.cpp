#include "sinew/deform/settings_fingerprint.h"

#include <array>
#include <filesystem>
#include <string_view>

#include "sinew/base/file.h"

namespace sinew {
namespace {

void add_text(Fingerprint& print, std::string_view text) { print.add(std::array{text.size()}).add(text); }

// "auto" and the like are no files, nor is an object in place of one.
void add_content(Fingerprint& print, const std::string& name) {
  std::error_code status;
  if (!name.starts_with('{') && std::filesystem::is_regular_file(name, status))
    print.add(read_file(name));
  else
    add_text(print, name);
}

void add_value(Fingerprint& print, const Setting& setting, ConstSettings settings) {
  visit_value(
      setting, settings,
      Overloaded{[&](bool value) { print.add(std::array{value ? 1 : 0}); },
                 [&](const std::optional<double>& value) {
                   print.add(std::array{value.has_value() ? 1.0 : 0.0, value.value_or(0)});
                 },
                 [&](const std::string& value) { setting.file ? add_content(print, value) : add_text(print, value); },
                 [&](const std::vector<std::string>& value) {
                   print.add(std::array{value.size()});
                   for (const std::string& text : value) add_text(print, text);
                 },
                 [&](const Choice& value) { print.add(std::array{value.get(settings)}); },
                 [&](const SettingList& value) {
                   print.add(std::array{value.size(settings)});
                   for (std::size_t k = 0; k < value.size(settings); ++k) add_settings(print, value.item(settings, k));
                 },
                 [&](const auto& value) { print.add(std::array{value}); }});
}

}  // namespace

void add_settings(Fingerprint& print, ConstSettings settings, Recooks least) {
  for (const Setting& setting : settings.table) {
    if (setting.recooks < least || !applies(setting, settings)) continue;
    if (const auto* text = std::get_if<Member<std::string>>(&setting.value);
        text && setting.object && text->of(settings).empty())
      continue;
    add_text(print, setting.key);
    add_value(print, setting, settings);
  }
}

bool same_value(const Setting& setting, ConstSettings a, ConstSettings b) {
  Fingerprint first, second;
  add_value(first, setting, a);
  add_value(second, setting, b);
  return first.value() == second.value();
}

}  // namespace sinew
