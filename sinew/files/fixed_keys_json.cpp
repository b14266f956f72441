#include "sinew/files/fixed_keys_json.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/key_list_json.h"
#include "sinew/files/keys_json.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"

namespace sinew {
namespace {

constexpr std::size_t most_stretches = 10'000;  // of a clip
constexpr double longest_ease = 10;             // seconds

FixedStretch stretch_from(const SettingsJson& json, const std::string& file, const std::string& where) {
  SettingsFields fields(json, file, where);
  FixedStretch stretch;
  if (!fields.read("parameter", stretch.parameter) || stretch.parameter.empty())
    throw fields.wrong("parameter", "must name the parameter that the keys fix");
  fields.read("ease", stretch.ease);
  if (!(stretch.ease >= 0 && stretch.ease <= longest_ease)) throw fields.wrong("ease", "must be from 0 to 10 seconds");
  stretch.keys = take_keys(fields, {});
  fields.finish();
  return stretch;
}

}  // namespace

FixedKeys fixed_keys_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.read("$schema", schema);
  const SettingsJson* clips = fields.take("clips");
  if (!clips || !clips->is_object())
    throw fields.wrong("clips", "must be an object with a list of stretches of keys per clip");
  FixedKeys keys;
  for (const auto& [clip, stretches] : clips->items()) {
    const std::string where = "clip '" + clip + "'";
    if (!stretches.is_array() || stretches.size() > most_stretches)
      throw fields.wrong("clips", where + " must have a list of stretches of keys");
    std::vector<FixedStretch>& of_clip = keys.clips[clip];
    for (std::size_t k = 0; k < stretches.size(); ++k)
      of_clip.push_back(stretch_from(stretches[k], file, where + ", stretch " + std::to_string(k + 1) + ": "));
  }
  fields.finish();
  return keys;
}

std::string fixed_keys_json(const FixedKeys& keys) {
  SettingsJson clips = SettingsJson::object();
  for (const auto& [clip, stretches] : keys.clips) {
    SettingsJson list = SettingsJson::array();
    for (const FixedStretch& stretch : stretches) {
      list.push_back({{"parameter", stretch.parameter}, {"ease", stretch.ease}, {"keys", key_list_json(stretch.keys)}});
    }
    if (!list.empty()) clips[clip] = std::move(list);
  }
  return clips.empty() ? "" : SettingsJson{{"clips", std::move(clips)}}.dump();
}

FixedKeys fixed_keys_of_setting(const std::string& setting) {
  if (setting.empty()) return {};
  const bool is_text = setting.starts_with('{');
  return fixed_keys_from_json(is_text ? setting : read_text_file(setting), keys_file(setting));
}

const char* fixed_keys_schema() {
  return R"({"type": "object", "additionalProperties": false, "required": ["clips"], "properties": {"clips": {
    "type": "object", "description": "Stretches of keys per clip.",
    "additionalProperties": {"type": "array", "items": {"type": "object", "additionalProperties": false,
      "required": ["parameter", "keys"], "properties": {
        "parameter": {"type": "string", "description": "Name of the parameter that the keys fix."},
        "ease": {"type": "number", "minimum": 0, "maximum": 10, "default": 0.1,
          "description": "Seconds over which the parameter is led to the first key."},
        "keys": {"type": "array", "minItems": 1,
          "description": "Keys [seconds, value], with a slope per second, or one before and one after.",
          "items": {"type": "array", "minItems": 2, "maxItems": 4, "items": {"type": "number"}}}}}}}}})";
}

}  // namespace sinew
