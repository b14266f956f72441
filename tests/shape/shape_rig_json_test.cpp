#include "sinew/shape/shape_rig_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

const std::string head = R"({"version": 1, "character": {"name": "hero.glb", "height": 1.8, "bones": 20},)";

ShapeFile read(const std::string& rest) { return shape_from_json(head + rest, "shapes.json"); }

std::string complaint(const std::string& rest) {
  try {
    read(rest);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

std::string rig(const std::string& inside) { return R"("rigs": [{"name": "flex", )" + inside + "}]}"; }
const std::string bulge = R"("template": "bulge", "guide": "bone", "bone": "arm", "controls": ["elbow"], )";

std::string field_with(const std::string& forces) {
  return rig(R"("template": "field", "controls": ["a"], "samples": [{"at": 1, "forces": )" + forces + "}]");
}

TEST(ShapeRigJson, WhatIsWrittenIsRead) {
  ShapeFile file{"shapes.json", {"hero.glb", 1.8, 20}, {{"breathe", 0.5, {{0, 0}, {1.5, 1}, {3, 0}}, true}}, {}};
  ShapeRig flex{"flex", TemplateKind::bulge, {GuideKind::bone, "arm", {}}, {}, false, 0, {"elbow", "arm:twist"}, {}};
  flex.samples = {{{0, 0}, usual_parameters(flex)}, {{90, 10}, {4000, 0.1, 0.4, 0.01, 20, 30}}};
  ShapeRig nostril{"nostril", TemplateKind::torus, {GuideKind::skin, "", {0.1, 1.6, 0.2}}, {}, true, 2.5, {"breathe"},
                   {}};
  nostril.samples = {{{0}, {0, 0.01, 0.02, 0, 0}}, {{1}, {0.002, 0.01, 0.02, 0.01, 5}}};
  ShapeRig painted{"pout", TemplateKind::painted, {}, {{{0, 1.5, 0.2}, 0.05, 0.7}}, true, 0, {"pout"}, {{{0}, {0.01}}}};
  ShapeRig field{"pose", TemplateKind::field, {}, {}, false, 0, {"elbow"}, {{{0}, {0}, {}}}};
  field.samples.push_back({{1}, {1}, {{2, {0.01, 0, -0.02}}, {7, {1e-7, 0.1, 0}}}});
  file.rigs = {flex, nostril, painted, field};
  const std::string text = shape_json(file);
  const ShapeFile again = shape_from_json(text, "shapes.json");
  EXPECT_EQ(shape_json(again), text);
  EXPECT_EQ(again.rigs[0].samples[1].eta, flex.samples[1].eta);
  EXPECT_TRUE(again.rigs[1].by_displacement);
  EXPECT_EQ(again.rigs[1].balance, 2.5);
  EXPECT_EQ(text.find("balance"), text.rfind("balance")) << "only where it is set";
  EXPECT_EQ(again.rigs[2].paint[0].radius, 0.05);
  EXPECT_EQ(again.controls[0].keys[1][0], 1.5);
  ASSERT_EQ(again.rigs[3].samples[1].forces.size(), 2u);
  EXPECT_EQ(again.rigs[3].samples[1].forces[1].vertex, 7);
  EXPECT_EQ(again.rigs[3].samples[1].forces[1].force, (Vec3{1e-7, 0.1, 0}));
  EXPECT_NE(text.find("[2, 0.01, 0.0, -0.02]"), std::string::npos) << "a vertex a line";
}

TEST(ShapeRigJson, LeftOutParametersAreUsual) {
  const ShapeFile file = read(rig(bulge + R"("samples": [{"at": 90, "amplitude": 5}, {"at": 0, "amplitude": 0}])"));
  EXPECT_EQ(file.rigs[0].samples[0].at[0], 0) << "in their order";
  EXPECT_EQ(file.rigs[0].samples[1].eta[1], parameters_of(TemplateKind::bulge)[1].usual);
}

TEST(ShapeRigJson, EveryErrorNamesFileElementAndRemedy) {
  const struct {
    std::string json;
    const char* says;
  } cases[] = {
      {rig(bulge + R"("samples": [])"), "shapes.json: rigs[0]: 'samples' is missing"},
      {rig(bulge + R"("samples": [{"at": 0}])"), "samples[0]: 'amplitude' or 'displacement' must be given"},
      {rig(bulge + R"("samples": [{"at": 0, "amplitude": 1, "radius": -1}])"), "'radius' is out of its range"},
      {rig(bulge + R"("balance": 0.5, "samples": [{"at": 0, "amplitude": 1}])"), "'balance' is out of its range"},
      {rig(bulge + R"("samples": [{"at": 0, "amplitude": 1, "strain": 0}])"), "'strain' is out of its range"},
      {rig(bulge + R"("samples": [{"at": 0, "amplitude": 1, "stiffness": -1}])"), "'stiffness' is out of its range"},
      {rig(bulge + R"("samples": [{"at": 0, "amplitude": 1}, {"at": 0, "amplitude": 2}])"), "two at the same value"},
      {rig(bulge + R"("samples": [{"at": [0, 1], "amplitude": 1}])"), "'at' must have a number for each"},
      {rig(bulge + R"("samples": [{"at": 0, "amplitude": 1}, {"at": 1, "displacement": 2}])"), "the same one"},
      {rig(R"("template": "cube")"), "'cube' is not one of bump, bulge"},
      {rig(R"("template": "bump", "guide": "bone", "controls": ["a"])"), "'bone' is missing"},
      {rig(R"("template": "painted", "controls": ["a"])"), "'paint' is missing"},
      {rig(R"("template": "torus", "guide": "free", "controls": ["a"], "samples": [{"at": 0, "amplitude": 1, "radius": 0.2}])"),
       "larger than its ring"},
      {field_with("[[0, 1, 2]]"), "samples[0]: 'forces' must be a list of [vertex, x, y, z]"},
      {field_with("[[3, 0, 0, 1], [3, 0, 0, 1]]"), "ascending and each of them once"},
      {field_with("[[-1, 0, 0, 1]]"), "by their numbers"},
      {field_with("[[1.5, 0, 0, 1]]"), "by their numbers"},
      {R"("controls": [{"name": "breathe", "keys": [[1, 0], [1, 1]]}]})", "in the order of their times"},
      {R"("controls": [{"name": "a"}, {"name": "a"}]})", "two controls are called 'a'"},
      {R"("rig": []})", "'rig'"},
      {R"("rigs": [1e999]})", "shapes.json"},
  };
  for (const auto& c : cases) EXPECT_NE(complaint(c.json).find(c.says), std::string::npos) << complaint(c.json);
  EXPECT_THROW(shape_from_json("{}", "shapes.json"), Error);
  EXPECT_THROW(shape_from_json(R"({"version": 1})", "shapes.json"), Error);
}

TEST(ShapeRigJson, TheSchemaHasTheParametersOfTheTables) {
  const auto schema =
      nlohmann::json::parse(read_text_file(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/shape.schema.json"));
  std::set<std::string> named,
      known{"at", "displacement", "forces", "reach", "between", "strain", "stiffness", "region"};
  for (const auto& [key, value] : schema["$defs"]["sample"]["properties"].items()) named.insert(key);
  for (const auto& word : template_words)
    for (const ShapeParameter& row : parameters_of(word.value)) known.insert(row.name);
  for (const auto& word : guide_words)
    for (const ShapeParameter& row : parameters_of(word.value)) known.insert(row.name);
  EXPECT_EQ(named, known);
}

TEST(ShapeRigJson, RigsOfAnotherCharacterAreNamed) {
  SimulationSurface surface;
  surface.rest = {{{0, 0, 0}, {0, 1.2, 0}, {0.1, 0, 0}}, {{0, 1, 2}}};
  surface.bones.resize(3);
  surface.bones[0].name = "arm";
  try {
    check_character({"shapes.json", {"hero.glb", 1.8, 20}, {}, {}}, "dwarf.glb", surface);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("are for hero.glb (1.8 m high, 20 bones), not for dwarf.glb"),
              std::string::npos);
  }
  ShapeFile file{"shapes.json", shaped_character("dwarf.glb", surface), {}, {}};
  check_character(file, "dwarf.glb", surface);
  file.rigs.push_back({"flex", TemplateKind::bulge, {GuideKind::bone, "leg", {}}, {}, false, 0, {"leg"}, {}});
  EXPECT_THROW(check_character(file, "dwarf.glb", surface), Error);
  file.rigs = {{"pose", TemplateKind::field, {}, {}, false, 0, {"leg"}, {{{1}, {1}, {{2, {0, 0, 0.1}}}}}}};
  check_character(file, "dwarf.glb", surface);
  file.rigs[0].samples[0].forces.push_back({3, {}});
  EXPECT_THROW(check_character(file, "dwarf.glb", surface), Error);
}

}  // namespace
}  // namespace sinew
