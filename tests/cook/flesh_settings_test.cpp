// Flesh settings as JSON: what is written reads back, the published schema says the same as the code, and
// what makes no sense is refused by name.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/elastic/mixed_materials.h"
#include "sinew/files/settings_json.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json read_schema() { return Json::parse(std::ifstream(SINEW_SOURCE_DIR "/docs/flesh_settings.schema.json")); }

FleshSettings parse(const Json& json) { return settings_from_json<FleshSettings>(json.dump(), "flesh.json"); }

std::string refusal(const std::string& text) {
  try {
    settings_from_json<FleshSettings>(text, "flesh.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.what();
  }
  return "";
}

// Values that the schema puts out of bounds for a property.
std::vector<double> beyond(const Json& property) {
  std::vector<double> values;
  for (const char* bound : {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"}) {
    if (!property.contains(bound)) continue;
    const double value = property[bound].get<double>();
    const bool integer = property["type"] == "integer";
    const double step = integer ? 1 : 1e-3 * std::abs(value) + 1e-9;
    if (std::string(bound).starts_with("exclusive")) values.push_back(value);
    values.push_back(std::string(bound).ends_with("inimum") ? value - step : value + step);
  }
  return values;
}

// And values at its inclusive bounds.
std::vector<double> at_bounds(const Json& property) {
  std::vector<double> values;
  for (const char* bound : {"minimum", "maximum"})
    if (property.contains(bound)) values.push_back(property[bound].get<double>());
  return values;
}

Json number(const Json& property, double value) {
  return property["type"] == "integer" ? Json(static_cast<int>(value)) : Json(value);
}

TEST(FleshSettingsSchema, HasExactlyTheSettingsAndTheirDefaults) {
  Json properties = read_schema()["properties"];
  properties.erase("$schema");
  const Json written = Json::parse(settings_json(FleshSettings{}));
  std::vector<std::string> in_schema, in_code;
  for (const auto& [key, property] : properties.items()) in_schema.push_back(key);
  for (const auto& [key, value] : written.items()) in_code.push_back(key);
  EXPECT_EQ(in_schema, in_code);  // in the same order, too
  for (const auto& [key, property] : properties.items()) EXPECT_EQ(property["default"], written[key]) << key;

  FleshSettings with_joint;
  with_joint.joints = {{"Tail*", 1, 1, {}}};
  const Json joint = Json::parse(settings_json(with_joint))["joints"][0];
  const Json joint_properties = properties["joints"]["items"]["properties"];
  EXPECT_EQ(joint.size(), joint_properties.size());
  for (const auto& [key, property] : joint_properties.items()) {
    ASSERT_TRUE(joint.contains(key)) << key;
    if (property.contains("default")) {
      EXPECT_EQ(property["default"], joint[key]) << key;
    }
  }
}

TEST(FleshSettingsSchema, BoundsAreThoseOfTheReader) {
  const Json properties = read_schema()["properties"];
  int bounds = 0;
  for (const auto& [key, property] : properties.items()) {
    for (const double value : beyond(property)) {
      EXPECT_NE(refusal(Json{{key, number(property, value)}}.dump()), "") << key << ' ' << value;
      ++bounds;
    }
    for (const double value : at_bounds(property))
      EXPECT_NO_THROW(parse({{key, number(property, value)}})) << key << ' ' << value;
  }
  const Json joint_properties = properties["joints"]["items"]["properties"];
  for (const auto& [key, property] : joint_properties.items())
    for (const double value : beyond(property)) {
      EXPECT_NE(refusal(Json{{"joints", {{{"joints", "*"}, {key, value}}}}}.dump()), "") << key << ' ' << value;
      ++bounds;
    }
  EXPECT_GT(bounds, 20);
}

TEST(FleshSettingsSchema, NamesAreThoseOfTheReader) {
  const Json properties = read_schema()["properties"];
  for (const auto& [key, property] : properties.items()) {
    if (!property.contains("enum")) continue;
    for (const Json& name : property["enum"])
      // Every linearisation can be had with the reference elastic.
      EXPECT_EQ(Json::parse(settings_json(
                    parse(key == "reference" ? Json{{key, name}} : Json{{"reference", "elastic"}, {key, name}})))[key],
                name)
          << key;
    EXPECT_NE(refusal(Json{{key, "nonsense"}}.dump()).find("nonsense"), std::string::npos) << key;
  }
}

TEST(FleshSettingsJson, WhatIsWrittenReadsBackToTheBit) {
  FleshSettings s;
  s.look = Look::subtle;
  s.reference = Reference::elastic;
  s.skinning = SkinningKind::volume;
  s.warping = Warping::vertex;
  s.element = Element::linear;
  s.tetrahedra = 12345;
  s.cell_size = 1.0 / 3;
  s.young = 1e5 / 7;
  s.poisson = 0.1 + 0.2;
  s.density = 1000.0 / 3;
  s.damping = 0.1;
  s.core = 1.0 / 7;
  s.bone_hold = 0.7;
  s.limit = 1.0 / 9;
  s.gravity = {1e-17, -9.81, 1.0 / 3};
  s.gravity_in_rest = GravityInRest::off;
  s.weight = true;
  s.box = 1.0 / 0.3;
  s.ground = -1e-3;
  s.step = 1.0 / 777;
  s.spectral_radius = 0.95;
  s.tolerance = 1e-7;
  s.preroll = 0.3;
  s.color_stiffness = true;
  s.stiffening = 0.45;
  s.joints = {{"Tail*", 0.5, 2, 0.1}, {"a \"quoted\" name", 3, 0, {}}};
  s.colliders = {{ColliderShape::sphere, {4, 5, 6}, {}, {0, 1, 0}, 0.5, "hand"}};
  s.grabs = {{"left", {1, 2, 3}, 0.07, {4, 5, 6}, "hand", 0.5, 1.5, 0.3}};
  s.belts = {{"belt", {0, 1, 0}, {0, 0, 1}, 0.05, 0.4, 0.9, "hips"}};
  s.loads = {{{1, 2, 3}, {0, -5, 0}, 0.1, 0.5, 1.5}};
  s.lattice = {"cage.json",
               123,
               SubdivisionScheme::mlca,
               true,
               2,
               0.03,
               77,
               3.5,
               HeldBy::multipliers,
               LatticeMass::consistent,
               LatticeIntegrator::implicit_euler,
               Linearization::none,
               {}};
  s.anatomy = "anatomy.json";
  s.along = "along.json";
  s.keys = "keys.json";
  s.shapes = "shapes.json";
  s.control = {"breathe=0.5"};
  const std::string text = settings_json(s);
  const FleshSettings back = settings_from_json<FleshSettings>(text, "flesh.json");
  EXPECT_EQ(settings_json(back), text);
  EXPECT_EQ(back.cell_size, s.cell_size);
  EXPECT_EQ(back.step, s.step);
  EXPECT_EQ(back.gravity.z, s.gravity.z);
  ASSERT_EQ(back.joints.size(), 2u);
  EXPECT_EQ(back.joints[0].core, 0.1);
  EXPECT_EQ(back.joints[1].joints, "a \"quoted\" name");
  // Every setting above differs from its default, so that a forgotten one would show.
  const Json json = Json::parse(text), plain = Json::parse(settings_json(FleshSettings{}));
  for (const auto& [key, value] : json.items()) {
    if (std::set<std::string>{"mass", "elasticity", "free_body", "toss", "spin", "friction", "region_bones", "muscles",
                              "activation", "creases"}
            .contains(key))
      continue;
    EXPECT_NE(value, plain[key]) << key;
  }
  // Which do not go with all of them.
  FleshSettings blended;
  blended.reference = Reference::elastic;
  blended.lattice.linearization = Linearization::blended;
  blended.lattice.region_bones = {"2=arm.L"};
  const FleshSettings regions = settings_from_json<FleshSettings>(settings_json(blended), "flesh.json");
  EXPECT_EQ(regions.lattice.region_bones, blended.lattice.region_bones);
  FleshSettings falling;
  falling.free_body = true;
  falling.toss = {1, 0.1, -2};
  falling.spin = {0, 1.0 / 3, 0};
  falling.friction = 0.7;
  const FleshSettings fallen = settings_from_json<FleshSettings>(settings_json(falling), "flesh.json");
  EXPECT_TRUE(fallen.free_body);
  EXPECT_EQ(fallen.toss, falling.toss);
  EXPECT_EQ(fallen.spin, falling.spin);
  EXPECT_EQ(fallen.friction, falling.friction);
  falling.creases = Creases::yield;
  EXPECT_NE(first_complaint(settings_of(falling)).find("muscles and creases"), std::string::npos);
  FleshSettings creased;
  creased.creases = Creases::resolve;
  EXPECT_EQ(settings_from_json<FleshSettings>(settings_json(creased), "flesh.json").creases, Creases::resolve);
  FleshSettings lumped;
  lumped.lattice.mass = LatticeMass::lumped;
  EXPECT_EQ(settings_from_json<FleshSettings>(settings_json(lumped), "flesh.json").lattice.mass, LatticeMass::lumped);
  FleshSettings nonlinear;
  nonlinear.elasticity = Elasticity::nonlinear;
  EXPECT_EQ(settings_from_json<FleshSettings>(settings_json(nonlinear), "flesh.json").elasticity,
            Elasticity::nonlinear);
}

TEST(FleshSettingsJson, MissingKeysKeepTheBase) {
  FleshSettings base;
  base.look = Look::lively;
  base.young = 5e4;
  const FleshSettings s = settings_from_json<FleshSettings>("{\"density\": 900, \"young\": null}", "flesh.json", base);
  EXPECT_EQ(s.look, Look::lively);
  EXPECT_EQ(s.density, 900);
  EXPECT_FALSE(s.young);
}

TEST(FleshSettingsJson, RefusesByName) {
  EXPECT_NE(refusal("").find("flesh.json, line 1: is not JSON"), std::string::npos);
  EXPECT_NE(refusal("{\"young\": 1e4,\n \"look\": \"lively\", \"young\": 1e6}").find("'young' is there twice"),
            std::string::npos);
  EXPECT_NE(refusal("{\"joints\": [{\"joints\": \"a\", \"core\": 0, \"core\": 0.5}]}")
                .find("'joints[0].core' is there twice"),
            std::string::npos);
  EXPECT_NE(refusal("[1, 2]").find("object"), std::string::npos);
  EXPECT_NE(refusal("{\"softness\": 1}").find("'softness'"), std::string::npos);
  EXPECT_NE(refusal("{\"young\": \"soft\"}").find("'young'"), std::string::npos);
  EXPECT_NE(refusal("{\"tetrahedra\": 1.5}").find("'tetrahedra'"), std::string::npos);
  EXPECT_NE(refusal("{\"tetrahedra\": 1e99}").find("'tetrahedra'"), std::string::npos);
  EXPECT_NE(refusal("{\"tetrahedra\": 18446744073709551615}").find("'tetrahedra'"), std::string::npos);
  EXPECT_NE(refusal("{\"gravity\": [0, 1]}").find("'gravity'"), std::string::npos);
  EXPECT_NE(refusal("{\"gravity\": [0, 1, \"down\"]}").find("'gravity'"), std::string::npos);
  EXPECT_NE(refusal("{\"density\": 1e999}"), "");
  EXPECT_NE(refusal("{\"joints\": {}}").find("'joints'"), std::string::npos);
  EXPECT_NE(refusal("{\"joints\": [{\"stiffness\": 2}]}").find("joints[0]"), std::string::npos);
  EXPECT_NE(refusal("{\"joints\": [{\"joints\": \"*\", \"stiff\": 2}]}").find("'stiff'"), std::string::npos);
}

// Null stands for what is not given, where there is such a thing, and is refused elsewhere: it is no look.
TEST(FleshSettingsJson, NullIsTakenWhereTheSchemaSaysSo) {
  const Json properties = read_schema()["properties"];
  const FleshSettings lively =
      settings_from_json<FleshSettings>("{\"look\": \"lively\", \"gravity_in_rest\": \"off\"}", "flesh.json");
  for (const auto& [key, property] : properties.items()) {
    SCOPED_TRACE(key);
    const std::string text = Json{{key, nullptr}}.dump();
    const Json& kinds = property.contains("enum") ? property["enum"] : property["type"];
    const bool may_be_null = property.contains("enum") ? std::find(kinds.begin(), kinds.end(), Json()) != kinds.end()
                                                       : std::find(kinds.begin(), kinds.end(), "null") != kinds.end();
    if (may_be_null)
      EXPECT_TRUE(
          Json::parse(settings_json(settings_from_json<FleshSettings>(text, "flesh.json", lively)))[key].is_null());
    else
      EXPECT_NE(refusal(text).find("'" + key + "'"), std::string::npos) << refusal(text);
  }
  EXPECT_NE(refusal("{\"grabs\": [{\"name\": null}]}").find("grabs[0]: 'name' is null"), std::string::npos);
  EXPECT_NE(refusal("{\"belts\": [{\"joint\": null}]}").find("'joint'"), std::string::npos);
}

TEST(FleshSettings, WhatActsFromOutsideReadsBack) {
  FleshSettings settings;
  settings.colliders = {{ColliderShape::capsule, {7, 8, 9}, {1, 1, 1}, {0, 1, 0}, 0.25, "hand"}};
  settings.grabs = {{"left", {1, 2, 3}, 0.07, {4, 5, 6}, "hand", 0.5, 1.5, 0.3}, {}};
  settings.belts = {{"belt", {0, 1, 0}, {0, 0, 1}, 0.05, 0.4, 0.9, "hips"}};
  settings.loads = {{{1, 2, 3}, {0, -5, 0}, 0.1, 0.5, 1.5}};
  const std::string text = settings_json(settings);
  const FleshSettings read = settings_from_json<FleshSettings>(text, "flesh.json");
  EXPECT_EQ(settings_json(read), text);
  ASSERT_EQ(read.grabs.size(), 2u);
  EXPECT_EQ(read.grabs[0].to.z, 6);
  EXPECT_EQ(*read.grabs[0].end, 1.5);
  EXPECT_FALSE(read.grabs[1].begin);
  ASSERT_EQ(read.belts.size(), 1u);
  EXPECT_EQ(read.belts[0].joint, "hips");
  ASSERT_EQ(read.loads.size(), 1u);
  EXPECT_EQ(read.loads[0].force.y, -5);
  EXPECT_EQ(read.colliders[0].other_end.y, 1);
  const Json written = Json::parse(text), properties = read_schema()["properties"];
  for (const char* key : {"grabs", "belts", "pokes"}) {
    const Json item = properties[key]["items"]["properties"];
    EXPECT_EQ(item.size(), written[key][0].size()) << key;
    for (const auto& [name, property] : item.items()) EXPECT_TRUE(written[key][0].contains(name)) << name;
  }
}

TEST(FleshSettings, BoxesReadBack) {
  const std::string text = R"({"colliders": [
      {"shape": "box", "centre": [1, 2, 3], "front": [1, 0, 0], "up": [0, 0, 2], "width": 0.5, "height": 0.6, "depth": 0.2,
       "rounding": 0.05, "joint": "hips"},
      {"shape": "box", "width": 1, "height": 1, "depth": 1}]})";
  const FleshSettings read = settings_from_json<FleshSettings>(text, "flesh.json");
  ASSERT_EQ(read.colliders.size(), 2u);
  const ColliderSettings &turned = read.colliders[0], &plain = read.colliders[1];
  EXPECT_EQ(turned.shape, ColliderShape::box);
  EXPECT_EQ(turned.point, (Vec3{1, 2, 3}));
  EXPECT_EQ(turned.front, (Vec3{1, 0, 0}));
  EXPECT_EQ(turned.up, (Vec3{0, 0, 2}));
  EXPECT_EQ(turned.height, 0.6);
  EXPECT_EQ(turned.rounding, 0.05);
  EXPECT_EQ(plain.front, (Vec3{0, 0, 1}));
  EXPECT_FALSE(plain.rounding);
  const std::string written = settings_json(read);
  EXPECT_EQ(settings_json(settings_from_json<FleshSettings>(written, "flesh.json")), written);
  EXPECT_FALSE(Json::parse(written)["colliders"][0].contains("radius"));
}

TEST(FleshSettings, WhatIsNoBoxIsNamed) {
  const auto refusal_of = [](const std::string& more) {
    return refusal(R"({"colliders": [{"shape": "box", "width": 0.4, "height": 0.4, "depth": 0.2)" + more + "}]}");
  };
  EXPECT_NE(refusal(R"({"colliders": [{"shape": "box", "width": 1, "depth": 1}]})").find("colliders[0].height"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"colliders": [{"shape": "box", "width": -1, "height": 1, "depth": 1}]})")
                .find("colliders[0]: 'width'"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"(, "front": [0, 0, 0])").find("colliders[0].front"), std::string::npos);
  EXPECT_NE(
      refusal_of(R"(, "front": [0, -3, 0])").find("colliders[0].up: must have a length and must not be along `front`"),
      std::string::npos);
  EXPECT_NE(refusal_of(R"(, "rounding": 0.11)").find("colliders[0].rounding"), std::string::npos);
  EXPECT_NE(refusal_of(R"(, "rounding": -0.1)").find("colliders[0]: 'rounding'"), std::string::npos);
  EXPECT_NE(refusal_of(R"(, "radius": 1)").find("radius"), std::string::npos);
  EXPECT_NE(refusal_of(R"(, "centre": [1e999, 0, 0])"), "");
}

TEST(FleshSettings, WhatCannotActFromOutsideIsNamed) {
  EXPECT_NE(refusal(R"({"grabs": [{}, {"begin": 2, "end": 1}]})").find("grabs[1]"), std::string::npos);
  EXPECT_NE(refusal(R"({"grabs": [{"reach": -1}]})").find("reach"), std::string::npos);
  EXPECT_NE(refusal(R"({"belts": [{"point": [0, 0, 0]}]})").find("joint"), std::string::npos);
  EXPECT_NE(refusal(R"({"belts": [{"joint": "a", "width": 0}]})").find("width"), std::string::npos);
  EXPECT_NE(refusal(R"({"belts": [{"joint": "a", "normal": [0, 0, 0]}]})").find("normal"), std::string::npos);
  EXPECT_NE(refusal(R"({"belts": [{"joint": "a", "size": 11}]})").find("size"), std::string::npos);
  EXPECT_NE(refusal(R"({"colliders": [{"shape": "sphere", "radius": 0}]})").find("colliders[0]"), std::string::npos);
}

TEST(FleshSettings, AHostsEnergyIsRefusedWhereItWouldNotAct) {
  FleshSettings settings;
  settings.energy = &stretch_energy(MixedMaterial::corotated);
  EXPECT_EQ(law_of(settings).energy, settings.energy);
  EXPECT_EQ(law_of(settings).stiffening, 0);
  settings.elasticity = Elasticity::linear;
  EXPECT_THROW(law_of(settings), Error);
  EXPECT_THROW(prepare_flesh(test::tube_character(), settings), Error);
  settings.elasticity.reset();
  settings.lattice.file = auto_lattice;
  EXPECT_THROW(law_of(settings), Error);
}

}  // namespace
}  // namespace sinew
