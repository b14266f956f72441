#include "sinew/files/settings_fields.h"

#include <algorithm>

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

void SettingsFields::number(const char* key, double& value) {
  if (const SettingsJson* found = take(key)) {
    if (!found->is_number()) throw wrong(key, "must be a number");
    value = found->get<double>();
  }
}

void SettingsFields::optional(const char* key, std::optional<double>& value) {
  if (const SettingsJson* found = take(key)) {
    if (found->is_null())
      value.reset();
    else if (found->is_number())
      value = found->get<double>();
    else
      throw wrong(key, "must be a number or null");
  }
}

void SettingsFields::integer(const char* key, int& value) {
  if (const SettingsJson* found = take(key)) {
    if (!found->is_number_integer() || found->get<double>() < -1e9 || found->get<double>() > 1e9)
      throw wrong(key, "must be a whole number");
    value = found->get<int>();
  }
}

void SettingsFields::boolean(const char* key, bool& value) {
  if (const SettingsJson* found = take(key)) {
    if (!found->is_boolean()) throw wrong(key, "must be true or false");
    value = found->get<bool>();
  }
}

bool SettingsFields::string(const char* key, std::string& value) {
  const SettingsJson* found = take(key);
  if (!found) return false;
  if (found->is_null()) throw wrong(key, "is null, but must be a text; leave the key out for the default");
  if (!found->is_string()) throw wrong(key, "must be a text");
  value = found->get<std::string>();
  return true;
}

void SettingsFields::word(const char* key, const Choice& value) {
  std::string text;
  if (!string(key, text)) return;
  const auto found = std::find(value.words.begin(), value.words.end(), text);
  if (found == value.words.end())
    throw input_error(file_ + ": " + where_ + "'" + key + "': " + no_such_word(value, text));
  value.set(static_cast<int>(found - value.words.begin()));
}

void SettingsFields::vector(const char* key, Vec3& value) {
  if (const SettingsJson* found = take(key)) {
    if (!found->is_array() || found->size() != 3) throw wrong(key, "must be three numbers");
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(*found)[k].is_number()) throw wrong(key, "must be three numbers");
      value[k] = (*found)[k].get<double>();
    }
  }
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
