// Settings as JSON, driven by their tables (deform/setting.h; docs/settings.md).
#pragma once

#include <string>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Writes all settings, defaults included, in the order of the table.
std::string table_json(ConstSettings settings);

// Reads `text` into the settings. Missing keys leave their settings unchanged; lists are replaced as a whole. `file` is
// used in messages. Throws input_error that names file and key for unknown keys, wrong types and values out of range.
// Rules between settings are not checked, since options may still change them.
void read_table(Settings settings, std::string_view text, const std::string& file);

// Whether null in a file stands for the setting's `none`; if not, an empty text or list does.
bool can_be_null(const Setting& setting);

// JSON Schema (draft 2020-12) of such files, for editors. `method` is its name on the command line.
std::string table_schema(ConstSettings settings, const std::string& method);

// JSON Schema of the table's object alone, for settings that hold such an object (Setting::object).
std::string object_schema_text(ConstSettings settings);

// Writes a settings struct.
template <class Struct>
std::string settings_json(const Struct& settings) {
  return table_json(settings_of(settings));
}

// Reads a settings struct and checks rules between settings too. Throws input_error.
template <class Struct>
Struct settings_from_json(std::string_view text, const std::string& file, Struct settings = {}) {
  read_table(settings_of(settings), text, file);
  if (const std::string wrong = first_complaint(settings_of(settings)); !wrong.empty())
    throw input_error(file + ": " + wrong);
  return settings;
}

}  // namespace sinew
