#include "sinew/files/keys_json.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/nearest_word.h"
#include "sinew/base/number_text.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"

namespace sinew {
namespace {

constexpr double most_gravity = 1000;  // m/s^2

bool holds_object(const std::string& setting) { return setting.starts_with('{'); }

bool read_value(const SettingsJson& json, double& value) {
  if (!json.is_number()) return false;
  value = json.get<double>();
  return true;
}

bool read_value(const SettingsJson& json, Vec3& value) {
  if (!json.is_array() || json.size() != 3) return false;
  for (std::size_t k = 0; k < 3; ++k)
    if (!read_value(json[k], value[k])) return false;
  return true;
}

constexpr const char* form(double) { return "[seconds, number]"; }
constexpr const char* form(const Vec3&) { return "[seconds, [x, y, z]]"; }

// A complaint about a value; empty: none.
std::string complaint(double value) {
  if (value >= least_of_tissue && value <= most_of_tissue) return "";
  return "is multiplied by " + plain(value) + ", but must be by 0.01 to 100";
}
std::string complaint(const Vec3& value) {
  return is_finite(value) && norm(value) <= most_gravity ? "" : "must be at most 1000 metres per second squared";
}

template <class Value>
void read_keys(SettingsFields& fields, const char* quantity, KeyedValue<Value>& keyed) {
  const SettingsJson* found = fields.take(quantity);
  if (!found) return;
  if (!found->is_array() || found->empty())
    throw fields.wrong(quantity, std::string("must be a list of keys ") + form(Value{}));
  for (std::size_t k = 0; k < found->size(); ++k) {
    const SettingsJson& pair = (*found)[k];
    const std::string key = "key " + std::to_string(k + 1) + " ";
    typename KeyedValue<Value>::Key read;
    if (!pair.is_array() || pair.size() != 2 || !read_value(pair[0], read.time) || !read_value(pair[1], read.value))
      throw fields.wrong(quantity, key + "must be " + form(Value{}));
    if (!std::isfinite(read.time)) throw fields.wrong(quantity, key + "has no finite time");
    if (!keyed.keys.empty() && read.time <= keyed.keys.back().time)
      throw fields.wrong(quantity, key + "at " + plain(read.time) +
                                       " s does not come after the one before it; sort the keys by their times");
    if (const std::string wrong = complaint(read.value); !wrong.empty())
      throw fields.wrong(quantity, key + "at " + plain(read.time) + " s " + wrong);
    keyed.keys.push_back(read);
  }
}

ClipKeys read_clip(const SettingsJson& json, const std::string& clip, const std::string& file) {
  SettingsFields fields(json, file, "clip '" + clip + "': ");
  ClipKeys keys;
  read_keys(fields, "stiffness", keys.stiffness);
  read_keys(fields, "damping", keys.damping);
  read_keys(fields, "gravity", keys.gravity);
  for (const auto& [key, value] : json.items())
    if (key != "stiffness" && key != "damping" && key != "gravity")
      throw fields.wrong(key, "cannot be keyed; stiffness, damping and gravity can");
  return keys;
}

}  // namespace

TissueKeys keys_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.read("$schema", schema);
  const SettingsJson* clips = fields.take("clips");
  if (!clips || !clips->is_object())
    throw fields.wrong("clips", "must be an object with an entry per clip; \"*\" stands for all others");
  TissueKeys keys;
  for (const auto& [clip, json_of_clip] : clips->items()) keys.clips[clip] = read_clip(json_of_clip, clip, file);
  fields.finish();
  return keys;
}

std::string keys_file(const std::string& setting) { return holds_object(setting) ? "keys" : setting; }

TissueKeys keys_of_setting(const std::string& setting) {
  if (setting.empty()) return {};
  return keys_from_json(holds_object(setting) ? setting : read_text_file(setting), keys_file(setting));
}

void check_clip_name(const std::string& clip, const std::vector<std::string>& clips, const std::string& character,
                     const std::string& file) {
  if (std::find(clips.begin(), clips.end(), clip) != clips.end()) return;
  const std::string nearest = nearest_word(clip, clips);
  throw input_error(file + ": " + character + " has no clip '" + clip + "'" +
                    (nearest.empty() ? "; `sinew info` lists its clips." : ": did you mean '" + nearest + "'?"));
}

const char* keys_schema() {
  return R"({"type": "object", "additionalProperties": false, "required": ["clips"], "properties": {"clips": {
    "type": "object", "description": "An entry per clip; * stands for all others.",
    "additionalProperties": {"type": "object", "additionalProperties": false, "properties": {
      "stiffness": {"type": "array", "minItems": 1, "description": "Keys [seconds, multiplier].",
        "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}},
      "damping": {"type": "array", "minItems": 1, "description": "Keys [seconds, multiplier].",
        "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}},
      "gravity": {"type": "array", "minItems": 1, "description": "Keys [seconds, [x, y, z]].",
        "items": {"type": "array", "minItems": 2, "maxItems": 2}}}}}}})";
}

}  // namespace sinew
