#include "sinew/files/settings_json.h"

#include <cctype>
#include <cmath>

#include "sinew/base/overloaded.h"
#include "sinew/files/settings_fields.h"

namespace sinew {
namespace {

SettingsJson value_json(const Setting& setting) {
  return std::visit(
      Overloaded{[](std::optional<double>* value) { return *value ? SettingsJson(**value) : SettingsJson(); },
                 [&](std::string* value) {
                   return setting.empty_is_null && value->empty() ? SettingsJson() : SettingsJson(*value);
                 },
                 [](const FileName& value) { return SettingsJson(*value.name); },
                 [](Vec3* value) { return three_numbers(*value); },
                 [](const Choice& value) {
                   return value.get() < 0 ? SettingsJson()
                                          : SettingsJson(value.words[static_cast<std::size_t>(value.get())]);
                 },
                 [](const SettingList& value) {
                   SettingsJson items = SettingsJson::array();
                   for (std::size_t k = 0; k < value.size(); ++k) items.push_back(settings_object(value.item(k)));
                   return items;
                 },
                 [](auto* value) { return SettingsJson(*value); }},
      setting.value);
}

void take_patterns(SettingsFields& fields, const char* key, std::vector<std::string>& patterns) {
  const SettingsJson* found = fields.take(key);
  if (!found) return;
  std::vector<std::string> taken;
  for (const SettingsJson& item : *found)
    if (found->is_array() && item.is_string()) taken.push_back(item.get<std::string>());
  if (!found->is_array() || taken.size() != found->size()) throw fields.wrong(key, "must be a list of patterns");
  patterns = std::move(taken);
}

void take_list(SettingsFields& fields, const char* key, const SettingList& list) {
  const SettingsJson* found = fields.take(key);
  if (!found) return;
  list.renew(found->is_array() ? found->size() : 0);
  std::size_t k = 0;
  fields.list(key, [&](SettingsFields& item) { take_settings(item, list.item(k++)); });
}

void take_value(SettingsFields& fields, const Setting& setting) {
  const char* key = setting.key;
  if (setting.none && fields.is_null(key)) {
    if (auto* const* text = std::get_if<std::string*>(&setting.value); text && setting.empty_is_null)
      return (*text)->clear();
    if (const auto* word = std::get_if<Choice>(&setting.value)) return word->set(-1);
  }
  std::visit(
      Overloaded{[&](bool* value) { fields.boolean(key, *value); }, [&](int* value) { fields.integer(key, *value); },
                 [&](double* value) { fields.number(key, *value); },
                 [&](std::optional<double>* value) { fields.optional(key, *value); },
                 [&](std::string* value) { fields.string(key, *value); },
                 [&](const FileName& value) { fields.string(key, *value.name); },
                 [&](Vec3* value) { fields.vector(key, *value); },
                 [&](std::vector<std::string>* value) { take_patterns(fields, key, *value); },
                 [&](const Choice& value) { fields.word(key, value); },
                 [&](const SettingList& value) { take_list(fields, key, value); }},
      setting.value);
}

std::string described(const Setting& setting) {
  std::string text = setting.help;
  if (*setting.unit.name) text += std::string(", in ") + setting.unit.name;
  if (setting.none) {
    const bool null = !std::holds_alternative<FileName>(setting.value) &&
                      (!std::holds_alternative<std::string*>(setting.value) || setting.empty_is_null);
    text += std::string(null ? "; null: " : "; empty: ") + setting.none;
  }
  return text + ".";
}

void add_bounds(const Range& range, SettingsJson& schema) {
  const auto number = [](double bound) {
    return bound == static_cast<double>(static_cast<long>(bound)) ? SettingsJson(static_cast<long>(bound))
                                                                  : SettingsJson(bound);
  };
  if (std::isfinite(range.least)) schema[range.without_least ? "exclusiveMinimum" : "minimum"] = number(range.least);
  if (std::isfinite(range.most)) schema[range.without_most ? "exclusiveMaximum" : "maximum"] = number(range.most);
}

SettingsJson object_schema(const Settings& settings);

SettingsJson one_item_schema(const SettingList& list) {
  list.renew(1);
  SettingsJson schema = object_schema(list.item(0));
  list.renew(0);
  return schema;
}

SettingsJson kind_schema(const Setting& setting) {
  const auto of_type = [](const char* type) { return SettingsJson{{"type", type}}; };
  const auto or_null = [](const char* type) { return SettingsJson{{"type", {type, "null"}}}; };
  return std::visit(
      Overloaded{
          [&](bool*) { return of_type("boolean"); }, [&](int*) { return of_type("integer"); },
          [&](double*) { return of_type("number"); }, [&](std::optional<double>*) { return or_null("number"); },
          [&](std::string*) { return setting.empty_is_null ? or_null("string") : of_type("string"); },
          [&](const FileName&) { return of_type("string"); },
          [&](Vec3*) {
            return SettingsJson{{"type", "array"}, {"items", of_type("number")}, {"minItems", 3}, {"maxItems", 3}};
          },
          [&](std::vector<std::string>*) {
            return SettingsJson{{"type", "array"}, {"items", of_type("string")}};
          },
          [&](const Choice& value) {
            SettingsJson schema{{"enum", value.words}};
            if (setting.none) schema["enum"].push_back(nullptr);
            return schema;
          },
          [&](const SettingList& value) {
            return SettingsJson{{"type", "array"}, {"items", one_item_schema(value)}};
          }},
      setting.value);
}

// `settings` hold their defaults.
SettingsJson object_schema(const Settings& settings) {
  SettingsJson properties = SettingsJson::object(), required = SettingsJson::array();
  for (const Setting& setting : settings) {
    SettingsJson property = kind_schema(setting);
    add_bounds(setting.range, property);
    if (setting.required)
      required.push_back(setting.key);
    else if (out_of_range(setting).empty())
      property["default"] = value_json(setting);
    property["description"] = described(setting);
    properties[setting.key] = std::move(property);
  }
  SettingsJson schema{{"type", "object"}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["properties"] = std::move(properties);
  return schema;
}

}  // namespace

SettingsJson settings_object(const Settings& settings) {
  SettingsJson json = SettingsJson::object();
  for (const Setting& setting : settings)
    if (!setting.applies || setting.applies()) json[setting.key] = value_json(setting);
  return json;
}

void take_settings(SettingsFields& fields, const Settings& settings) {
  for (const Setting& setting : settings) {
    if (setting.applies && !setting.applies()) continue;
    if (setting.required && !fields.take(setting.key))
      throw fields.wrong(setting.key, std::string("is missing; give the ") +
                                          static_cast<char>(std::tolower(setting.help[0])) + (setting.help + 1));
    take_value(fields, setting);
    // Only where it was given: what stands there otherwise may wait for an option.
    if (const std::string wrong = out_of_range(setting); fields.take(setting.key) && !wrong.empty())
      throw fields.wrong(setting.key, wrong);
  }
}

std::string table_json(const Settings& settings) { return settings_object(settings).dump(2) + "\n"; }

void read_table(const Settings& settings, std::string_view text, const std::string& file) {
  const SettingsJson json = parse_settings(text, file);
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.string("$schema", schema);
  take_settings(fields, settings);
  fields.finish();
}

std::string table_schema(const Settings& settings, const std::string& method) {
  SettingsJson schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Settings of Sinew's method " + method},
      {"description", "What `sinew settings FILE --method " + method + "` writes and `sinew animate --method " +
                          method + " --settings FILE` reads. A key that is missing has its default."}};
  SettingsJson object = object_schema(settings);
  SettingsJson properties{{"$schema", {{"type", "string"}, {"description", "This schema, for editors."}}}};
  properties.update(object["properties"]);
  object["properties"] = std::move(properties);
  schema.update(object);
  return schema.dump(2) + "\n";
}

}  // namespace sinew
