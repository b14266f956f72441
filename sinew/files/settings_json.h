// Settings as JSON, driven by their tables (deform/setting.h; docs/settings.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Writes all settings, defaults included, in the order of the table.
std::string table_json(const Settings& settings);

// Reads `text` into the settings. Missing keys leave their settings unchanged; lists are replaced as a whole. `file` is
// used in messages. Throws input_error that names file and key for unknown keys, wrong types and values out of range.
// Rules between settings are not checked, since options may still change them.
void read_table(const Settings& settings, std::string_view text, const std::string& file);

// JSON Schema (draft 2020-12) of such files, for editors. `method` is its name on the command line.
std::string table_schema(const Settings& settings, const std::string& method);

// Writes a settings struct.
template <class Struct>
std::string settings_json(Struct settings) {
  return table_json(settings_of(settings));
}

// Reads a settings struct and checks rules between settings too. Throws input_error.
template <class Struct>
Struct settings_from_json(std::string_view text, const std::string& file, Struct settings = {}) {
  const Settings table = settings_of(settings);
  read_table(table, text, file);
  if (const std::string wrong = first_complaint(table); !wrong.empty()) throw input_error(file + ": " + wrong);
  return settings;
}

template <class Struct>
Struct read_settings(const std::filesystem::path& path, Struct settings = {}) {
  return settings_from_json<Struct>(read_text_file(path), path.string(), std::move(settings));
}

}  // namespace sinew
