#include "sinew/files/limb_curves_json.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/number_text.h"
#include "sinew/files/key_list_json.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"

namespace sinew {
namespace {

constexpr std::size_t most_curves = 1000;
constexpr KeyAxis along_limb{"distance", "", "distances", 1000};

// The row of the field, which may be painted on a body or a model that plays.
const PaintedField& field_of(const SettingsFields& fields, const std::string& name) {
  if (!is_scene_field(name)) throw fields.wrong("field", "must be one of " + listed_fields());
  return painted_fields[find_field(name)];
}

void check_limb_keys(const SettingsFields& fields, const LimbCurve& curve, const PaintedField& row) {
  for (std::size_t k = 0; k < curve.keys.size(); ++k) {
    const FixedKey& key = curve.keys[k];
    const std::string where = "key " + std::to_string(k + 1) + " ";
    if (!(key.time >= 0 && key.time <= 1))
      throw fields.wrong(
          "keys", where + "is at " + plain(key.time) + ", but the distance is from 0, the chain's root, to 1, its tip");
    if (!(key.value >= row.least && key.value <= row.most))
      throw fields.wrong("keys", where + "has the value " + plain(key.value) + ", but " + row.name + " is from " +
                                     plain(row.least) + " to " + plain(row.most));
  }
}

LimbCurve limb_curve_from(SettingsFields& fields) {
  LimbCurve curve;
  if (!fields.read("field", curve.field)) throw fields.wrong("field", "must be one of " + listed_fields());
  const PaintedField& row = field_of(fields, curve.field);
  if (!fields.read("from", curve.from) || curve.from.empty())
    throw fields.wrong("from", "must name the first bone of the chain");
  if (!fields.read("to", curve.to) || curve.to.empty())
    throw fields.wrong("to", "must name the last bone of the chain");
  curve.keys = take_keys(fields, along_limb);
  check_limb_keys(fields, curve, row);
  return curve;
}

}  // namespace

std::vector<LimbCurve> limb_curves_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.read("$schema", schema);
  std::vector<LimbCurve> curves;
  if (!fields.list("curves", [&](SettingsFields& of_curve) { curves.push_back(limb_curve_from(of_curve)); }))
    throw fields.wrong("curves", "must be a list of curves, each with field, from, to and keys");
  if (curves.size() > most_curves) throw fields.wrong("curves", "has more than a thousand curves");
  fields.finish();
  return curves;
}

std::string limb_curves_json(const std::vector<LimbCurve>& curves) {
  if (curves.empty()) return "";
  SettingsJson list = SettingsJson::array();
  for (const LimbCurve& curve : curves)
    list.push_back(
        {{"field", curve.field}, {"from", curve.from}, {"to", curve.to}, {"keys", key_list_json(curve.keys)}});
  return SettingsJson{{"curves", std::move(list)}}.dump();
}

std::string limb_curves_file(const std::string& setting) { return setting.starts_with('{') ? "along" : setting; }

std::vector<LimbCurve> limb_curves_of_setting(const std::string& setting) {
  if (setting.empty()) return {};
  return limb_curves_from_json(setting.starts_with('{') ? setting : read_text_file(setting), limb_curves_file(setting));
}

const char* limb_curves_schema() {
  return R"({"type": "object", "additionalProperties": false, "required": ["curves"], "properties": {"curves": {
    "type": "array", "description": "Painted fields as curves along limbs.",
    "items": {"type": "object", "additionalProperties": false, "required": ["field", "from", "to", "keys"],
      "properties": {
        "field": {"type": "string", "description": "Name of a painted field."},
        "from": {"type": "string", "description": "First bone of the chain."},
        "to": {"type": "string", "description": "Last bone of the chain."},
        "keys": {"type": "array", "minItems": 1,
          "description": "Keys [distance, value], with a slope, or one before and one after; distance 0 is the chain's root, 1 its tip.",
          "items": {"type": "array", "minItems": 2, "maxItems": 4, "items": {"type": "number"}}}}}}}})";
}

}  // namespace sinew
