// Settings of `mixed` as JSON: what is written reads back, the published schema says the same as the code, and what
// makes no sense is refused by name.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/files/settings_json.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json read_mixed_schema() { return Json::parse(std::ifstream(SINEW_SOURCE_DIR "/docs/mixed_settings.schema.json")); }

MixedSettings parse_mixed(const Json& json) { return settings_from_json<MixedSettings>(json.dump(), "mixed.json"); }

std::string refusal_of_mixed(const std::string& text) {
  try {
    settings_from_json<MixedSettings>(text, "mixed.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.what();
  }
  return "";
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

MixedSettings everything() {
  MixedSettings s;
  s.material = MixedMaterial::st_venant_kirchhoff;
  s.young = 1234;
  s.poisson = 0.3;
  s.tetrahedra = 321;
  s.cell_size = 0.02;
  s.clusters = MixedClusters::hierarchy;
  s.smooth = 0.5;
  s.pins = Pinning::tied;
  s.spring = 17;
  s.gravity = true;
  s.density = 900;
  s.along = "along.json";
  s.handles = "handles.json";
  s.rotations = "hero.rotations";
  s.ground = -0.5;
  s.colliders = {{ColliderShape::plane, {1, 2, 3}, {}, {0, 0, 1}, 0, ""},
                 {ColliderShape::sphere, {4, 5, 6}, {}, {0, 1, 0}, 0.5, "hand"},
                 {ColliderShape::capsule, {7, 8, 9}, {1, 1, 1}, {0, 1, 0}, 0.25, ""},
                 {ColliderShape::box, {1, 2, 3}, {}, {0, 1, 0}, 0, "hand", {1, 0, 0}, {0, 0, 1}, 0.4, 0.5, 0.6, 0.1}};
  ColliderSettings mesh;
  mesh.shape = ColliderShape::mesh;
  mesh.file = "chair.obj";
  s.colliders.push_back(mesh);
  mesh.file.clear();
  mesh.node = "Chair";
  s.colliders.push_back(mesh);
  s.loads = {{{1, 2, 3}, {4, 5, 6}, 0.1, 0.5, 1.5}, {{}, {0, 1, 0}, 0, {}, {}}};
  s.color_stiffness = true;
  s.joints = {{"Tail*", 0.5}, {"head", 3}};
  return s;
}

TEST(MixedSettingsJson, ReadsBackWhatItWrites) {
  const std::string text = settings_json(everything());
  const MixedSettings read = settings_from_json<MixedSettings>(text, "mixed.json");
  EXPECT_EQ(settings_json(read), text);
  EXPECT_NE(text, settings_json(MixedSettings{}));
  ASSERT_EQ(read.colliders.size(), 6u);
  EXPECT_EQ(read.colliders[2].other_end, (Vec3{1, 1, 1}));
  EXPECT_EQ(read.colliders[1].joint, "hand");
  EXPECT_EQ(read.colliders[3].front, (Vec3{1, 0, 0}));
  EXPECT_EQ(read.colliders[3].rounding, 0.1);
  EXPECT_EQ(read.loads[0].end, 1.5);
}

TEST(MixedSettingsJson, MissingKeysKeepTheBase) {
  const MixedSettings read = settings_from_json<MixedSettings>("{}", "mixed.json", everything());
  EXPECT_EQ(settings_json(read), settings_json(everything()));
}

TEST(MixedSettingsJson, RefusesByFileAndKey) {
  for (const char* text : {"[]",
                           "{",
                           R"({"yuong": 1})",
                           R"({"young": "soft"})",
                           R"({"young": -1})",
                           R"({"poisson": 0.5})",
                           R"({"tetrahedra": 1.5})",
                           R"({"tetrahedra": 19})",
                           R"({"clusters": "nearest"})",
                           R"({"material": "rubber"})",
                           R"({"spring": 3})",
                           R"({"gravity": 1})",
                           R"({"colliders": {}})",
                           R"({"colliders": [{"shape": "cube"}]})",
                           R"({"colliders": [{"shape": "sphere", "centre": [0, 0, 0]}]})",
                           R"({"colliders": [{"shape": "sphere", "point": [0, 0, 0], "radius": 1}]})",
                           R"({"colliders": [{"shape": "plane", "normal": [0, 0, 0]}]})",
                           R"({"pokes": [{"point": [1, 2]}]})",
                           R"({"pokes": [{"begin": 2, "end": 1}]})",
                           R"({"joints": [{"stiffness": 1}]})",
                           R"({"joints": [{"joints": "a", "damping": 1}]})",
                           R"({"joints": [{"joints": "a", "stiffness": 0}]})"}) {
    const std::string sentence = refusal_of_mixed(text);
    // What is no JSON at all is named by its line.
    const bool whole = nlohmann::json::accept(text);
    EXPECT_TRUE(sentence.starts_with(whole ? "mixed.json: " : "mixed.json, line 1: ")) << text << ": " << sentence;
    EXPECT_TRUE(sentence.ends_with(".")) << sentence;
  }
}

TEST(MixedSettingsSchema, HasExactlyTheSettingsAndTheirDefaults) {
  Json properties = read_mixed_schema()["properties"];
  properties.erase("$schema");
  const Json written = Json::parse(settings_json(MixedSettings{}));
  EXPECT_EQ(keys(properties), keys(written));  // in the same order, too
  for (const auto& [key, property] : properties.items()) EXPECT_EQ(property["default"], written[key]) << key;

  const Json full = Json::parse(settings_json(everything()));
  for (const char* list : {"colliders", "pokes", "joints"}) {
    const Json items = properties[list]["items"]["properties"];
    for (const Json& entry : full[list])
      for (const auto& [key, value] : entry.items()) EXPECT_TRUE(items.contains(key)) << list << ' ' << key;
    for (const auto& [key, property] : items.items()) {
      bool written_somewhere = false;
      for (const Json& entry : full[list]) written_somewhere |= entry.contains(key);
      EXPECT_TRUE(written_somewhere) << list << ' ' << key;
    }
  }
}

TEST(MixedSettingsSchema, BoundsAndNamesAreThoseOfTheReader) {
  int bounds = 0, names = 0;
  const Json properties = read_mixed_schema()["properties"];
  for (const auto& [key, property] : properties.items()) {
    Json base = Json::object();
    if (key == "spring") base["pins"] = "tied";
    const auto accepted = [&, &name = key](const Json& value) {
      base[name] = value;
      return refusal_of_mixed(base.dump()).empty();
    };
    if (property.contains("enum"))
      for (const Json& value : property["enum"]) {
        EXPECT_TRUE(accepted(value)) << key;
        ++names;
      }
    const auto number = [whole = property.contains("type") && property["type"] == "integer"](double value) {
      return whole ? Json(static_cast<int>(value)) : Json(value);
    };
    for (const char* bound : {"minimum", "maximum", "exclusiveMinimum"}) {
      if (!property.contains(bound)) continue;
      const double value = property[bound].get<double>(), step = property["type"] == "integer" ? 1 : 1e-3;
      const bool exclusive = std::string(bound).starts_with("exclusive");
      const bool below = std::string(bound) != "maximum";
      EXPECT_EQ(accepted(number(value)), !exclusive) << key << ' ' << bound;
      EXPECT_FALSE(accepted(number(below ? value - step : value + step))) << key << ' ' << bound;
      EXPECT_TRUE(accepted(number(below ? value + step : value - step))) << key << ' ' << bound;
      ++bounds;
    }
  }
  EXPECT_GE(bounds, 9);
  EXPECT_EQ(names, 11);
  EXPECT_EQ(parse_mixed({{"material", "neo-hookean"}}).material, MixedMaterial::stable_neo_hookean);
}

}  // namespace
}  // namespace sinew
