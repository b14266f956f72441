// Characters made of parts on keyed nodes, from file to file: flesh comes on top of a motion that stays the file's.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/base/file.h"
#include "sinew/cook/methods.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/check_file.h"
#include "tests/deform/changed_setting.h"
#include "tests/gltf/read_builder.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

// A torso on a moved root, and a head and two arms on nodes of their own that turn.
struct PartsFile : GltfBuilder {
  PartsFile() {
    json["meshes"] = {shown("torso", upright_tube(8, 12, 0.8, 0.25)), shown("head", sphere({0, 0.2, 0}, 0.25, 10)),
                      shown("arm", upright_tube(8, 10, 0.6, 0.1))};
    json["nodes"] = {{{"name", "root"}, {"children", nlohmann::json::array({1})}},
                     {{"name", "torso"}, {"mesh", 0}, {"translation", {0, 0.5, 0}}, {"children", {2, 3, 4}}},
                     {{"name", "head"}, {"mesh", 1}, {"translation", {0, 0.8, 0}}},
                     {{"name", "arm-left"},
                      {"mesh", 2},
                      {"translation", {0.3, 0.7, 0}},
                      {"rotation", {0, 0, -0.7071067811865476, 0.7071067811865476}}},
                     {{"name", "arm-right"},
                      {"mesh", 2},
                      {"translation", {-0.3, 0.7, 0}},
                      {"rotation", {0, 0, 0.7071067811865476, 0.7071067811865476}}}};
    json["scenes"] = nlohmann::json::array({{{"nodes", nlohmann::json::array({0})}}});
    json["scene"] = 0;
    nlohmann::json channels = nlohmann::json::array(), samplers = nlohmann::json::array();
    const auto key = [&](int node, const char* path, const std::vector<float>& values, const char* type) {
      samplers.push_back(
          {{"input", accessor(std::vector<float>{0, 0.25F, 0.5F}, "SCALAR")}, {"output", accessor(values, type)}});
      channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    };
    key(0, "translation", {0, 0, 0, 0.1F, 0.2F, 0, 0, 0, 0}, "VEC3");
    key(2, "rotation", {0, 0, 0, 1, 0, 0.6F, 0, 0.8F, 0, 0, 0, 1}, "VEC4");
    key(3, "rotation", {0, 0, -0.70710678F, 0.70710678F, 0, 0, 0, 1, 0, 0, -0.70710678F, 0.70710678F}, "VEC4");
    key(4, "rotation", {0, 0, 0.70710678F, 0.70710678F, 0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F}, "VEC4");
    json["animations"] = nlohmann::json::array({{{"name", "wave"}, {"channels", channels}, {"samplers", samplers}}});
  }

 private:
  nlohmann::json shown(const char* name, const TriangleMesh& mesh) {
    return {{"name", name}, {"primitives", nlohmann::json::array({primitive_of(mesh)})}};
  }
};

nlohmann::json without_weights(const nlohmann::json& animation) {
  nlohmann::json targets = nlohmann::json::array();
  for (const nlohmann::json& channel : animation["channels"])
    if (channel["target"]["path"] != "weights") targets.push_back(channel["target"]);
  return targets;
}

// The character's own motion in both files, at all frames; and how far flesh is from it, over the size.
struct Compared {
  double apart = 0, flesh = 0;
};
Compared compare(const fs::path& input, const fs::path& output, const std::string& clip_name) {
  const Character before = read_character(input), after = read_character(output);
  const auto clip_of = [&](const Character& character) {
    for (const Clip& clip : character.clips)
      if (clip.name == clip_name) return &clip;
    return static_cast<const Clip*>(nullptr);
  };
  const Clip *one = clip_of(before), *other = clip_of(after);
  Compared result;
  if (!one || !other || before.parts.size() != after.parts.size()) return {1, 1};
  Vec3 least{1e300, 1e300, 1e300}, most{-1e300, -1e300, -1e300};
  for (double time = one->start; time <= one->end + 1e-9; time += 1.0 / 30) {
    const Pose a = sample(before.skeleton, one, time), b = sample(after.skeleton, other, time);
    for (std::size_t p = 0; p < before.parts.size(); ++p) {
      const auto node = static_cast<std::size_t>(before.parts[p].joint);
      const std::vector<Vec3> flesh = posed_positions(after, after.parts[p], b);
      for (std::size_t v = 0; v < flesh.size(); ++v) {
        const Vec3 rig = a.world[node] * before.parts[p].surface.positions[v];
        least = min(least, rig);
        most = max(most, rig);
        result.apart = std::max(result.apart, distance(rig, b.world[node] * after.parts[p].surface.positions[v]));
        result.flesh = std::max(result.flesh, distance(rig, flesh[v]));
      }
    }
  }
  const double size = norm(most - least);
  return {result.apart / size, result.flesh / size};
}

TEST(AnimateParts, TheFilesMotionStays) {
  const fs::path folder = scratch_files(), input = folder / "parts.glb";
  write_file(input, PartsFile().glb());
  for (const char* method : {"flesh", "mixed"}) {
    AnimateJob job;
    job.input = input;
    job.output = folder / (std::string(method) + ".glb");
    job.method = method_named(method);
    test::set(job.method->settings(), "tetrahedra", "600");
    const AnimateResult result = animate_file(job);
    const GltfDocument before = read_gltf_document(input), after = read_gltf_document(job.output);
    EXPECT_FALSE(after.json->contains("skins"));
    ASSERT_EQ((*after.json)["nodes"].size(), (*before.json)["nodes"].size());
    for (std::size_t n = 0; n < (*before.json)["nodes"].size(); ++n) {
      nlohmann::json one = (*before.json)["nodes"][n], other = (*after.json)["nodes"][n];
      for (nlohmann::json* node : {&one, &other}) {
        node->erase("mesh");  // arms show one mesh, and get one each
        node->erase("weights");
      }
      EXPECT_EQ(one, other);
    }
    EXPECT_EQ(without_weights((*after.json)["animations"][0]), without_weights((*before.json)["animations"][0]));
    const Compared compared = compare(input, job.output, "wave");
    EXPECT_LT(compared.apart, 1e-6) << method;
    EXPECT_LT(compared.flesh, 0.06) << method;
  }
}

TEST(AnimateParts, CheckSaysWhatIsDone) {
  const fs::path input = scratch_files() / "parts.glb";
  write_file(input, PartsFile().glb());
  const FileCheck check = check_file(input.string());
  EXPECT_EQ(check.refusal, "");
  ASSERT_FALSE(check.methods.empty());
  EXPECT_EQ(check.methods[0], "flesh");
  bool said = false;
  for (const Defect& defect : check.defects)
    said |= defect.name == "parts on nodes" && defect.action.find("4 parts") != std::string::npos;
  EXPECT_TRUE(said);
}

// Files of other makers.
TEST(AnimateParts, OtherPeoplesFiles) {
  const fs::path cases = characters() / "cases";
  for (const auto& [name, clip] :
       {std::pair{"parts_on_nodes.glb", "walk"}, std::pair{"kenney_character.glb", "walk"}}) {
    const fs::path input = cases / name;
    if (!fs::exists(input)) GTEST_SKIP() << "Not tested: " << input.string() << " is not there.";
    AnimateJob job;
    job.input = input;
    job.output = scratch_files() / name;
    job.clip = clip;
    test::flesh(job.method).tetrahedra = 1500;
    animate_file(job);
    const Compared compared = compare(input, job.output, clip);
    EXPECT_LT(compared.apart, 1e-6) << name;
    EXPECT_LT(compared.flesh, 0.06) << name;
  }
}

}  // namespace
}  // namespace sinew::test
