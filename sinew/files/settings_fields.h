// Reads keys of a JSON object one by one, with errors that name file and key: shared by all settings files. To be
// included by sources only, since it includes a JSON library.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/deform/setting.h"
#include "sinew/linalg/small.h"

namespace sinew {

// JSON that keeps the order of keys.
using SettingsJson = nlohmann::ordered_json;

// Throws input_error if `text` is not JSON or has a duplicate key.
SettingsJson parse_settings(std::string_view text, const std::string& file);

class SettingsFields;
// The values of a table as an object; and from one, with the checks of read_table() (settings_json.h).
SettingsJson settings_object(ConstSettings settings);
void take_settings(SettingsFields& fields, Settings settings);

inline SettingsJson three_numbers(const Vec3& v) { return {v.x, v.y, v.z}; }

// Takes keys out of one object; finish() refuses the keys that nobody took. Missing keys leave the value unchanged. All
// errors are input_error.
class SettingsFields {
 public:
  // `where` is the prefix of keys in messages, e.g. "joints[2]: ". `object` must outlive this.
  SettingsFields(const SettingsJson& object, std::string file, std::string where);

  // Each returns false if the key is absent. Null is an error but for an optional number.
  bool read(const char* key, bool& value);
  bool read(const char* key, int& value);
  bool read(const char* key, double& value);
  bool read(const char* key, std::optional<double>& value);
  bool read(const char* key, std::string& value);
  bool read(const char* key, Vec3& value);
  bool read(const char* key, std::vector<std::string>& patterns);
  // Index of the word; empty if absent.
  std::optional<std::size_t> word(const char* key, const std::vector<const char*>& words);

  // Calls item(fields of the item) for each object of a list and finishes it. Returns false if the key is absent.
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

  bool is_null(const char* key);  // present and null
  const SettingsJson* take(const char* key);
  void finish() const;
  Error wrong(const std::string& key, const std::string& what) const;

 private:
  Error unknown(const std::string& key) const;

  const SettingsJson& object_;
  std::string file_, where_;
  std::vector<std::string> taken_;
};

}  // namespace sinew
