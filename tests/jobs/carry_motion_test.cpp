// Motion of other skeletons from file to file.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/motion/add_motions.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/motion_map.h"
#include "sinew/kinematics/foot_locks.h"
#include "tests/contract/glb.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/jobs/open_with_motions.h"
#include "tests/jobs/walking_bvh.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

class CarriedMotion : public testing::Test {
 protected:
  const fs::path folder_ = scratch_files();
  fs::path written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
};

TEST_F(CarriedMotion, ABvhBecomesAClipOfTheCharacterAndOfItsFile) {
  const fs::path bvh = written("walk.bvh", walking_bvh());
  const Character before = read_character(sample_file("sumo.glb"));
  AnimateJob job;
  job.input = sample_file("sumo.glb");
  job.output = folder_ / "out.glb";
  job.motions = {bvh.string()};
  test::flesh(job.method).tetrahedra = 300;
  job.end = 0.2;
  const AnimateResult result = animate_file(job);
  ASSERT_EQ(result.report.clips.size(), 1u);
  EXPECT_EQ(result.report.clips[0].name, "walk");
  ASSERT_TRUE(result.report.clips[0].motion);
  EXPECT_LT(result.report.clips[0].motion->slide, 0.01);
  const Character after = read_character(job.output);
  ASSERT_EQ(after.clips.size(), before.clips.size() + 1);
  EXPECT_GT(after.clips.back().channels.size(), 6u);
  EXPECT_NEAR(after.clips.back().end, 1, 1e-4);
}

TEST_F(CarriedMotion, SeveralMotionsAndBuiltInOnes) {
  const fs::path bvh = written("walk.bvh", walking_bvh());
  const OpenedCharacter opened = open_with_motions(
      sample_file("sumo.glb"), {}, std::vector{motion_request(bvh.string()), motion_request("test:jump")});
  ASSERT_EQ(opened.motions.size(), 2u);
  EXPECT_EQ(opened.character.clips[static_cast<std::size_t>(opened.motions[1].first)].name, "jump");
  EXPECT_EQ(opened.document->json->at("animations").size(), opened.character.clips.size());
  EXPECT_THROW(open_with_motions(sample_file("sumo.glb"), {}, std::vector{motion_request("test:hop")}), Error);
  EXPECT_THROW(open_with_motions(sample_file("sumo.glb"), {}, std::vector{motion_request("walk.txt")}), Error);
  EXPECT_THROW(open_with_motions(sample_file("tube.glb"), {}, std::vector{motion_request("test:jump")}), Error);
}

// The sumo's own clip as a VRMA: no mesh, names that say nothing, a humanoid map. Arms and head must move as before.
TEST_F(CarriedMotion, AVrmaMovesBonesByItsHumanoidMap) {
  const GltfDocument document = read_gltf_document(sample_file("sumo.glb"));
  const Character sumo = character_from(document);
  const CharacterBody body = character_body(sumo, {});
  ASSERT_TRUE(body.bones.complete());
  nlohmann::json json = *document.json;
  for (const char* member : {"meshes", "skins", "materials", "textures", "images"}) json.erase(member);
  for (std::size_t n = 0; n < json["nodes"].size(); ++n) {
    nlohmann::json& node = json["nodes"][n];
    node.erase("mesh");
    node.erase("skin");
    node["name"] = "n" + std::to_string(n);
  }
  nlohmann::json& map = json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"];
  const auto name = [&](const char* bone, int joint) {
    if (joint >= 0) map[bone] = {{"node", joint}};
  };
  name("hips", body.bones.pelvis);
  name("head", body.bones.head);
  for (const auto& [side, s] :
       {std::pair{std::size_t{0}, std::string("left")}, {std::size_t{1}, std::string("right")}}) {
    name((s + "UpperArm").c_str(), body.bones.arms[side].upper);
    name((s + "LowerArm").c_str(), body.bones.arms[side].lower);
    name((s + "Hand").c_str(), body.bones.arms[side].end);
    name((s + "UpperLeg").c_str(), body.bones.legs[side].upper);
    name((s + "LowerLeg").c_str(), body.bones.legs[side].lower);
    name((s + "Foot").c_str(), body.bones.legs[side].end);
  }
  json["extensionsUsed"].push_back("VRMC_vrm_animation");
  const auto bytes = document.buffers.at(0);
  write_glb(folder_ / "moves.vrma", json, {bytes.begin(), bytes.end()});
  EXPECT_GE(read_humanoid(read_gltf_document(folder_ / "moves.vrma")).size(), 12u);

  const OpenedCharacter opened = open_with_motions(
      sample_file("sumo.glb"), {}, std::vector{motion_request((folder_ / "moves.vrma").string() + "@1")});
  const Clip& own = sumo.clips[0];
  const Clip& carried = opened.character.clips.at(static_cast<std::size_t>(opened.motions.at(0).first));
  EXPECT_TRUE(opened.carried.contains(opened.motions[0].first));
  double moved = 0;
  for (double t = own.start; t <= own.end; t += (own.end - own.start) / 7) {
    const Pose a = sample(sumo.skeleton, &own, t), b = sample(opened.character.skeleton, &carried, t);
    const Pose rest = sample(sumo.skeleton, nullptr, 0);
    for (const int joint : {body.bones.arms[0].upper, body.bones.arms[1].lower, body.bones.legs[0].end}) {
      const auto j = static_cast<std::size_t>(joint);
      EXPECT_GT(std::abs(dot(orientation_of(a.world[j]), orientation_of(b.world[j]))), 1 - 1e-6) << t;
      moved = std::max(moved, 1 - std::abs(dot(orientation_of(a.world[j]), orientation_of(rest.world[j]))));
    }
  }
  EXPECT_GT(moved, 1e-3);  // there was something to carry over
}

TEST_F(CarriedMotion, BonesNamedByHand) {
  const MotionMap map =
      parse_motion_map(R"({"motion": {"leftUpperLeg": "LeftUpLeg"}, "character": {"head": "hed"}})", "m.json");
  EXPECT_EQ(map.motion.size(), 1u);
  const Character sumo = read_character(sample_file("sumo.glb"));
  try {
    joints_of(map.character, sumo.skeleton, map, "sumo.glb");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hed"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("sumo.glb"), std::string::npos);
  }
  for (const char* broken :
       {"[]", "{", R"({"hero": {}})", R"({"motion": []})", R"({"motion": {"leg": "a"}})", R"({"motion": {"hips": 3}})"})
    EXPECT_THROW(parse_motion_map(broken, "m.json"), Error) << broken;
}

// All motion capture that is there onto ten bodies: feet stand, knees bend forward.
TEST_F(CarriedMotion, EveryBvhOntoTenBipeds) {
  const fs::path all = characters();
  if (!fs::exists(all / "bvh")) GTEST_SKIP() << "Not tested: " << (all / "bvh").string() << " is not there.";
  std::vector<MotionRequest> motions;
  for (const auto& entry : fs::recursive_directory_iterator(all / "bvh"))
    if (entry.path().extension() == ".bvh") motions.push_back({entry.path(), ""});
  std::sort(motions.begin(), motions.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  ASSERT_GT(motions.size(), 5u);
  for (const char* name :
       {"vrm/godette_vrm/Godette_vrm_v4.vrm", "gltf/kaykit_knight/Knight.glb", "gltf/mannequiny/mannequiny.glb",
        "gltf/cesium_man/CesiumMan.glb", "gltf/quat_king/King.glb", "more/mage.glb", "more/modular_women_scifi.glb",
        "more/modular_men_adventurer.glb", "cases/rpm_feminine_tpose.glb", "cases/gdq_sophia.glb"}) {
    const OpenedCharacter opened = open_with_motions(all / name, {}, motions);
    const CharacterBody body = character_body(opened.character, read_humanoid(*opened.document));
    const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, {0, 1, 0});
    for (const auto& [index_of_clip, report] : opened.carried) {
      const Clip& clip = opened.character.clips[static_cast<std::size_t>(index_of_clip)];
      EXPECT_LT(report.slide, 0.01) << name << " " << clip.name;
      for (double t = clip.start; t <= clip.end; t += 0.1) {
        const Pose pose = sample(opened.character.skeleton, &clip, t);
        for (const LimbBones& leg : body.bones.legs) {
          if (leg.end < 0) continue;
          const auto at = [&](int joint) { return pose.world[static_cast<std::size_t>(joint)].translation; };
          const auto thigh = static_cast<std::size_t>(leg.upper);
          const Vec3 left = rotate(orientation_of(pose.world[thigh]),
                                   rotate(conjugate(body.reference.rotation[thigh]), frames.axes.column(0)));
          const Vec3 normal = cross(at(leg.end) - at(leg.lower), at(leg.lower) - at(leg.upper));
          // Mocap has knees that are bent backwards by up to ten degrees.
          EXPECT_LT(dot(normal, left), 0.18 * 0.25 * frames.leg_length * frames.leg_length)
              << name << " " << clip.name << " " << t;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew::test
