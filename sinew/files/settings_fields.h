// What all settings files share: keys taken one by one out of a JSON object, with errors that name file and key.
// For sources only: it includes a JSON library.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Keeps the order in which keys are set.
using SettingsJson = nlohmann::ordered_json;

// Throws input_error where `text` is not JSON or has a key twice.
SettingsJson parse_settings(std::string_view text, const std::string& file);

// Words for the values of an enumeration.
template <class Value, std::size_t N>
using Names = std::array<std::pair<const char*, Value>, N>;

// Throws usage_error with the words that there are; `what` names the setting.
template <class Value, std::size_t N>
Value value_of(const Names<Value, N>& names, const std::string& name, const char* what) {
  std::string known;
  for (const auto& [text, value] : names) {
    if (name == text) return value;
    known += std::string(known.empty() ? "" : ", ") + text;
  }
  throw usage_error(std::string(what) + ": '" + name + "' is not one of " + known + ".");
}

template <class Value, std::size_t N>
const char* name_of(const Names<Value, N>& names, Value value) {
  for (const auto& [text, candidate] : names)
    if (candidate == value) return text;
  return "";
}

inline SettingsJson optional_number(const std::optional<double>& value) {
  return value ? SettingsJson(*value) : SettingsJson(nullptr);
}
inline SettingsJson three_numbers(const Vec3& v) { return {v.x, v.y, v.z}; }

// Takes keys out of one object and, at the end, complains about what nobody took. Keys that are missing leave the
// value as it is. Everything that is wrong is an input_error.
class SettingsFields {
 public:
  // `where`: what stands before the key in messages, e.g. "joints[2]: ". `object` must outlive this.
  SettingsFields(const SettingsJson& object, std::string file, std::string where);

  void number(const char* key, double& value);
  void optional(const char* key, std::optional<double>& value);  // null: none
  void integer(const char* key, int& value);
  void boolean(const char* key, bool& value);
  bool string(const char* key, std::string& value);  // whether there is one; null is none and refused
  void vector(const char* key, Vec3& value);
  // Whether the key is there and null, for settings whose default null spells.
  bool takes_null(const char* key);

  // A word that `from_name` (which throws usage_error) turns into the value.
  template <class Value, class FromName>
  void named(const char* key, Value& value, const FromName& from_name) {
    std::string name;
    if (!string(key, name)) return;
    try {
      value = from_name(name);
    } catch (const Error& error) {
      throw input_error(file_ + ": " + where_ + error.what());
    }
  }

  // Calls item(fields of the item) for each object of a list, and finishes it; without the key, does nothing and
  // returns false.
  template <class Item>
  bool list(const char* key, const Item& item) {
    const SettingsJson* found = take(key);
    if (!found) return false;
    if (!found->is_array()) throw wrong(key, "must be a list");
    for (std::size_t k = 0; k < found->size(); ++k) {
      SettingsFields fields((*found)[k], file_, where_ + key + "[" + std::to_string(k) + "]: ");
      item(fields);
      fields.finish();
    }
    return true;
  }

  const SettingsJson* take(const char* key);
  void finish() const;
  Error wrong(const std::string& key, const std::string& what) const;

 private:
  const SettingsJson& object_;
  std::string file_, where_;
  std::vector<std::string> taken_;
};

}  // namespace sinew
