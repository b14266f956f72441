#include "sinew/files/settings_json.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sinew/files/settings_fields.h"

namespace sinew {
namespace {

SettingsJson value_json(const Setting& setting, ConstSettings settings) {
  return visit_value(
      setting, settings,
      Overloaded{[](const std::optional<double>& value) { return value ? SettingsJson(*value) : SettingsJson(); },
                 [&](const std::string& value) {
                   if (holds_object(setting, value)) return SettingsJson::parse(value);
                   return setting.empty_is_null && value.empty() ? SettingsJson() : SettingsJson(value);
                 },
                 [](const Vec3& value) { return three_numbers(value); },
                 [&](const Choice& value) {
                   const int chosen = value.get(settings);
                   return chosen < 0 ? SettingsJson() : SettingsJson(value.words[static_cast<std::size_t>(chosen)]);
                 },
                 [&](const SettingList& value) {
                   SettingsJson items = SettingsJson::array();
                   for (std::size_t k = 0; k < value.size(settings); ++k)
                     items.push_back(settings_object(value.item(settings, k)));
                   return items;
                 },
                 [](const auto& value) { return SettingsJson(value); }});
}

void take_list(SettingsFields& fields, const char* key, const SettingList& list, Settings settings) {
  const SettingsJson* found = fields.take(key);
  if (!found) return;
  list.renew(settings, found->is_array() ? found->size() : 0);
  std::size_t k = 0;
  fields.list(key, [&](SettingsFields& item) { take_settings(item, list.item(settings, k++)); });
}

// Takes a text that is none of the words. False if there is none.
bool take_other_text(SettingsFields& fields, const char* key, const Choice& choice, Settings settings) {
  const SettingsJson* given = fields.take(key);
  if (!given || !given->is_string()) return false;
  const std::string text = given->get<std::string>();
  if (std::find(choice.words.begin(), choice.words.end(), text) != choice.words.end()) return false;
  choice.otherwise(settings, text);
  return true;
}

void take_value(SettingsFields& fields, const Setting& setting, Settings settings) {
  const char* key = setting.key;
  if (setting.none && fields.is_null(key)) {
    if (const auto* text = std::get_if<Member<std::string>>(&setting.value); text && setting.empty_is_null)
      return text->of(settings).clear();
    if (const auto* word = std::get_if<Choice>(&setting.value)) return word->set(settings, -1);
  }
  if (const SettingsJson* given = fields.take(key); setting.object && given && given->is_object()) {
    std::get<Member<std::string>>(setting.value).of(settings) = given->dump();
    return;
  }
  visit_value(setting, settings,
              Overloaded{[&](auto& value) { fields.read(key, value); },
                         [&](const Choice& value) {
                           if (value.otherwise && take_other_text(fields, key, value, settings)) return;
                           if (const auto k = fields.word(key, value.words)) value.set(settings, static_cast<int>(*k));
                         },
                         [&](const SettingList& value) { take_list(fields, key, value, settings); }});
}

std::string described(const Setting& setting) {
  std::string text = setting.help;
  if (*setting.unit.name) text += std::string(", in ") + setting.unit.name;
  if (setting.none) text += std::string(can_be_null(setting) ? "; null: " : "; empty: ") + setting.none;
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

SettingsJson object_schema(ConstSettings settings);

SettingsJson kind_schema(const Setting& setting) {
  const auto of_type = [](const char* type) { return SettingsJson{{"type", type}}; };
  const auto or_null = [](const char* type) { return SettingsJson{{"type", {type, "null"}}}; };
  return std::visit(
      Overloaded{
          [&](const Member<bool>&) { return of_type("boolean"); },
          [&](const Member<int>&) { return of_type("integer"); },
          [&](const Member<double>&) { return of_type("number"); },
          [&](const Member<std::optional<double>>&) { return or_null("number"); },
          [&](const Member<std::string>&) {
            if (setting.object)
              return SettingsJson{{"anyOf", {of_type("string"), SettingsJson::parse(setting.object)}}};
            return setting.empty_is_null ? or_null("string") : of_type("string");
          },
          [&](const Member<Vec3>&) {
            return SettingsJson{{"type", "array"}, {"items", of_type("number")}, {"minItems", 3}, {"maxItems", 3}};
          },
          [&](const Member<std::vector<std::string>>&) {
            return SettingsJson{{"type", "array"}, {"items", of_type("string")}};
          },
          [&](const Choice& value) {
            SettingsJson schema{{"enum", value.words}};
            if (setting.none) schema["enum"].push_back(nullptr);
            return schema;
          },
          [&](const SettingList& value) {
            return SettingsJson{{"type", "array"}, {"items", object_schema(value.usual)}};
          }},
      setting.value);
}

// `settings` hold their defaults.
SettingsJson object_schema(ConstSettings settings) {
  SettingsJson properties = SettingsJson::object(), required = SettingsJson::array();
  for (const Setting& setting : settings.table) {
    SettingsJson property = kind_schema(setting);
    add_bounds(setting.range, property);
    if (setting.required)
      required.push_back(setting.key);
    else if (out_of_range(setting, settings).empty())
      property["default"] = value_json(setting, settings);
    property["description"] = described(setting);
    properties[setting.key] = std::move(property);
  }
  SettingsJson schema{{"type", "object"}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["properties"] = std::move(properties);
  return schema;
}

}  // namespace

bool can_be_null(const Setting& setting) {
  return setting.none &&
         (setting.empty_is_null || std::holds_alternative<Member<std::optional<double>>>(setting.value) ||
          std::holds_alternative<Choice>(setting.value));
}

SettingsJson settings_object(ConstSettings settings) {
  SettingsJson json = SettingsJson::object();
  for (const Setting& setting : settings.table)
    if (applies(setting, settings)) json[setting.key] = value_json(setting, settings);
  return json;
}

void take_settings(SettingsFields& fields, Settings settings) {
  for (const Setting& setting : settings.table) {
    if (!applies(setting, settings)) continue;
    if (setting.required && !fields.take(setting.key))
      throw fields.wrong(setting.key, std::string("is missing; give the ") +
                                          static_cast<char>(std::tolower(setting.help[0])) + (setting.help + 1));
    take_value(fields, setting, settings);
    // Only where it was given: what stands there otherwise may wait for an option.
    if (const std::string wrong = out_of_range(setting, settings); fields.take(setting.key) && !wrong.empty())
      throw fields.wrong(setting.key, wrong);
  }
}

std::string table_json(ConstSettings settings) { return settings_object(settings).dump(2) + "\n"; }

void read_table(Settings settings, std::string_view text, const std::string& file) {
  const SettingsJson json = parse_settings(text, file);
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.read("$schema", schema);
  take_settings(fields, settings);
  fields.finish();
}

std::string object_schema_text(ConstSettings settings) { return object_schema(settings).dump(); }

std::string table_schema(ConstSettings settings, const std::string& method) {
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
