// Settings as JSON, by their descriptions (deform/setting.h; docs/settings.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/deform/setting.h"

namespace sinew {

// All settings, defaults included, in the order of the table.
std::string table_json(const Settings& settings);

// Puts the values of `text` into the settings; those whose keys are missing stay as they are, lists are replaced as a
// whole. `file` is for messages. Throws input_error naming file and key for unknown keys, wrong types and values out of
// range; rules between settings are not looked at, since options may follow.
void read_table(const Settings& settings, std::string_view text, const std::string& file);

// The schema of such files (JSON Schema, draft 2020-12), for editors. `method`: as on the command line.
std::string table_schema(const Settings& settings, const std::string& method);

// The same of a struct of settings.
template <class Struct>
std::string settings_json(Struct settings) {
  return table_json(settings_of(settings));
}

// Rules between the settings hold as well: throws input_error where they do not.
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
