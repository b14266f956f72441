#include "sinew/files/settings_fields.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/nearest_word.h"
#include "sinew/files/strict_json.h"

namespace sinew {

SettingsJson parse_settings(std::string_view text, const std::string& file) {
  return parse_strict_json(text, file, "correct the line, or begin with the file that `sinew settings` writes");
}

SettingsFields::SettingsFields(const SettingsJson& object, std::string file, std::string where)
    : object_(object), file_(std::move(file)), where_(std::move(where)) {
  if (!object.is_object()) throw wrong("", "must be an object");
}

bool SettingsFields::read(const char* key, bool& value) {
  const SettingsJson* found = take(key);
  if (found && !found->is_boolean()) throw wrong(key, "must be true or false");
  if (found) value = found->get<bool>();
  return found;
}

bool SettingsFields::read(const char* key, int& value) {
  const SettingsJson* found = take(key);
  if (found && (!found->is_number_integer() || std::abs(found->get<double>()) > 1e9))
    throw wrong(key, "must be a whole number");
  if (found) value = found->get<int>();
  return found;
}

bool SettingsFields::read(const char* key, double& value) {
  const SettingsJson* found = take(key);
  if (found && !found->is_number()) throw wrong(key, "must be a number");
  if (found) value = found->get<double>();
  return found;
}

bool SettingsFields::read(const char* key, std::optional<double>& value) {
  const SettingsJson* found = take(key);
  if (found && !found->is_number() && !found->is_null()) throw wrong(key, "must be a number or null");
  if (found) value = found->is_null() ? std::optional<double>() : found->get<double>();
  return found;
}

bool SettingsFields::read(const char* key, std::string& value) {
  const SettingsJson* found = take(key);
  if (found && found->is_null()) throw wrong(key, "is null, but must be a text; leave the key out for the default");
  if (found && !found->is_string()) throw wrong(key, "must be a text");
  if (found) value = found->get<std::string>();
  return found;
}

bool SettingsFields::read(const char* key, Vec3& value) {
  const SettingsJson* found = take(key);
  if (!found) return false;
  const auto is_number = [](const SettingsJson& item) { return item.is_number(); };
  if (!found->is_array() || found->size() != 3 || !std::all_of(found->begin(), found->end(), is_number))
    throw wrong(key, "must be three numbers");
  for (std::size_t k = 0; k < 3; ++k) value[k] = (*found)[k].get<double>();
  return true;
}

bool SettingsFields::read(const char* key, std::vector<std::string>& patterns) {
  const SettingsJson* found = take(key);
  const auto is_text = [](const SettingsJson& item) { return item.is_string(); };
  if (found && !(found->is_array() && std::all_of(found->begin(), found->end(), is_text)))
    throw wrong(key, "must be a list of patterns");
  if (found) patterns = found->get<std::vector<std::string>>();
  return found;
}

std::optional<std::size_t> SettingsFields::word(const char* key, const std::vector<const char*>& words) {
  std::string text;
  if (!read(key, text)) return {};
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) throw input_error(file_ + ": " + where_ + "'" + key + "': " + no_such_word(words, text));
  return static_cast<std::size_t>(found - words.begin());
}

bool SettingsFields::is_null(const char* key) {
  const SettingsJson* found = take(key);
  return found && found->is_null();
}

const SettingsJson* SettingsFields::take(const char* key) {
  taken_.push_back(key);
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

void SettingsFields::finish() const {
  for (const auto& [key, value] : object_.items())
    if (std::find(taken_.begin(), taken_.end(), key) == taken_.end()) throw unknown(key);
}

Error SettingsFields::unknown(const std::string& key) const {
  const std::string nearest = nearest_word(key, taken_);
  return wrong(key, "is not a setting" + (nearest.empty() ? "; " : ": did you mean '" + nearest + "'? ") +
                        "`sinew settings` writes a file with all of them");
}

Error SettingsFields::wrong(const std::string& key, const std::string& what) const {
  return input_error(file_ + ": " + where_ + (key.empty() ? "" : "'" + key + "' ") + what + ".");
}

}  // namespace sinew
