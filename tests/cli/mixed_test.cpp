// The method `mixed` as a user meets it.
#include <nlohmann/json.hpp>

#include "program.h"
#include "tests/jobs/strip_weights.h"

namespace sinew::test {
namespace {

class Mixed : public ProgramTest {
 protected:
  // `animate` of the tube by mixed elements, with few elements and frames.
  Outcome animate(const std::string& output, std::vector<std::string> more, const std::string& input = "") const {
    std::vector<std::string> arguments{"animate",      input.empty() ? sample_file("tube.glb") : input,
                                       "-o",           file(output),
                                       "--method",     "mixed",
                                       "--tetrahedra", "700",
                                       "--fps",        "10"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sinew(arguments);
  }
  void expect_usage(std::vector<std::string> more, const std::string& words) const {
    const Outcome run = animate("out.glb", std::move(more));
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(file("out.glb")));
  }
};

TEST_F(Mixed, TheCommandsOfTheManualRun) {
  const Outcome arap = animate("arap.glb", {"--material", "arap", "--preview", file("strip.png")});
  EXPECT_EQ(arap.exit_code, 0) << arap.err;
  const Outcome corotated = animate("corotated.glb", {"--material", "corotated", "--young", "3e4", "--poisson", "0.45",
                                                      "--clusters", "hierarchy", "--report", file("run.json")});
  EXPECT_EQ(corotated.exit_code, 0) << corotated.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"arap.glb", "corotated.glb", "run.json", "strip.png"}));
  const nlohmann::json report = nlohmann::json::parse(contents(file("run.json")));
  EXPECT_EQ(report["method"], "mixed");
  EXPECT_EQ(report["settings"]["settings"]["clusters"], "hierarchy");
  EXPECT_EQ(report["settings"]["settings"]["young"], 3e4);
}

TEST_F(Mixed, ASettingsFileIsTheSameAsItsOptions) {
  const std::vector<std::string> options{"--material", "corotated", "--poisson", "0.3",     "--clusters", "midpoint",
                                         "--smooth",   "0.5",       "--pins",    "tied",    "--spring",   "1e4",
                                         "--gravity",  "--ground",  "-0.1",      "--young", "2e4"};
  std::vector<std::string> write{"settings", file("mixed.json"), "--method", "mixed", "--tetrahedra", "700"};
  write.insert(write.end(), options.begin(), options.end());
  ASSERT_EQ(sinew(write).exit_code, 0);
  ASSERT_EQ(animate("options.glb", options).exit_code, 0);
  ASSERT_EQ(animate("file.glb", {"--settings", file("mixed.json")}).exit_code, 0);
  ASSERT_EQ(animate("default.glb", {}).exit_code, 0);
  EXPECT_EQ(contents(file("options.glb")), contents(file("file.glb")));
  EXPECT_NE(contents(file("options.glb")), contents(file("default.glb")));
  ASSERT_EQ(sinew({"settings", file("again.json"), "--method", "mixed", "--settings", file("mixed.json")}).exit_code,
            0);
  EXPECT_EQ(contents(file("mixed.json")), contents(file("again.json")));
}

TEST_F(Mixed, OptionsOfTheOtherMethodAreRefused) {
  expect_usage({"--look", "lively"}, "--look: is an option of the methods flesh and rigspace");
  expect_usage({"--preroll", "1"}, "--preroll: is an option of the method flesh");
  const Outcome flesh = sinew({"animate", sample_file("tube.glb"), "-o", file("out.glb"), "--material", "arap"});
  EXPECT_EQ(flesh.exit_code, 2);
  EXPECT_NE(flesh.err.find("--material: is an option of the method mixed"), std::string::npos) << flesh.err;
  const Outcome settings = sinew({"settings", "-", "--smooth", "2"});
  EXPECT_EQ(settings.exit_code, 2);
  const Outcome skeleton = sinew({"animate", sample_file("tube.glb"), "-o", file("out.glb"), "--skeleton", "a"});
  EXPECT_EQ(skeleton.exit_code, 2);
}

TEST_F(Mixed, ValuesThatCannotBeAreRefused) {
  expect_usage({"--material", "rubber"}, "arap, corotated, neo-hookean, stvk");
  expect_usage({"--clusters", "nearest"}, "segment");
  expect_usage({"--pins", "glued"}, "held, tied");
  expect_usage({"--young", "0"}, "young");
  expect_usage({"--smooth", "-1"}, "smooth");
  expect_usage({"--spring", "10"}, "spring");
  expect_usage({"--skeleton", "root"}, "--skeleton");
}

TEST_F(Mixed, CheckTellsWhatCanBeDoneWithoutWeights) {
  strip_skin_weights(sample_file("tube.glb"), file("bare.glb"), Stripped::skins);
  const Outcome check = sinew({"check", file("bare.glb")});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(check.out.find("with --method mixed only"), std::string::npos) << check.out;
  const auto json = nlohmann::json::parse(sinew({"check", file("bare.glb"), "--json"}).out);
  EXPECT_EQ(json["methods"], nlohmann::json({"mixed"}));
  EXPECT_EQ(nlohmann::json::parse(sinew({"check", sample_file("tube.glb"), "--json"}).out)["methods"],
            nlohmann::json({"flesh", "mixed", "surface", "rigspace", "springs", "linear", "dualquat", "volume",
                            "implicit", "rigid"}));
  const Outcome flesh = sinew({"animate", file("bare.glb"), "-o", file("out.glb")});
  EXPECT_EQ(flesh.exit_code, 3);
  EXPECT_NE(flesh.err.find("--method mixed"), std::string::npos) << flesh.err;
  // What --skeleton can name.
  const auto info = nlohmann::json::parse(sinew({"info", file("bare.glb"), "--json"}).out);
  EXPECT_EQ(info["node_names"].size(), info["nodes"]);
  EXPECT_NE(info["node_names"].dump().find("\"lower\""), std::string::npos);
  EXPECT_EQ(animate("named.glb", {"--skeleton", "lower"}, file("bare.glb")).exit_code, 0);
  const Outcome mixed = animate("out.glb", {}, file("bare.glb"));
  EXPECT_EQ(mixed.exit_code, 0) << mixed.err;
  EXPECT_NE(mixed.out.find("no skin weights"), std::string::npos) << mixed.out;
}

TEST_F(Mixed, CheckNamesPartsWithoutABone) {
  // A box beside the tube.
  const std::filesystem::path bare = file("bare.glb");
  strip_skin_weights(sample_file("tube.glb"), bare, Stripped::skins);
  const GltfDocument document = read_gltf_document(bare);
  nlohmann::json json = *document.json;
  std::vector<std::byte> binary(document.buffers.at(0).begin(), document.buffers.at(0).end());
  const float s = 0.05F, x = 3;
  const std::vector<float> corners{x - s, -s, -s, x + s, -s, -s, x + s, s, -s, x - s, s, -s,
                                   x - s, -s, s,  x + s, -s, s,  x + s, s, s,  x - s, s, s};
  const std::vector<std::uint32_t> indices{0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                           2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 0, 4, 7, 0, 7, 3};
  while (binary.size() % 4 != 0) binary.push_back(std::byte{0});
  const auto append = [&](const auto& values, int component, const char* type, std::size_t count) {
    const auto bytes = std::as_bytes(std::span(values));
    json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}});
    binary.insert(binary.end(), bytes.begin(), bytes.end());
    json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                                 {"componentType", component},
                                 {"type", type},
                                 {"count", count}});
    return json["accessors"].size() - 1;
  };
  const std::size_t position = append(corners, 5126, "VEC3", 8), index = append(indices, 5125, "SCALAR", 36);
  json["accessors"][position]["min"] = {x - s, -s, -s};
  json["accessors"][position]["max"] = {x + s, s, s};
  json["meshes"].push_back({{"primitives", {{{"attributes", {{"POSITION", position}}}, {"indices", index}}}}});
  json["nodes"].push_back({{"name", "box"}, {"mesh", json["meshes"].size() - 1}});
  json["scenes"][0]["nodes"].push_back(json["nodes"].size() - 1);
  write_glb(bare, json, binary);
  const Outcome check = sinew({"check", file("bare.glb")});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(check.out.find("part without a bone"), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("no bone reaches, around (3, "), std::string::npos) << check.out;
}

}  // namespace
}  // namespace sinew::test
