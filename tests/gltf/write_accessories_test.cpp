// Accessories in written files: they are where the flesh that they sit on takes them, by nodes that nothing else
// notices.
#include "sinew/gltf/write/write_accessories.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/anatomy/accessories.h"
#include "sinew/bake/accessory_motion.h"
#include "sinew/bake/output/compare.h"
#include "sinew/gltf/write/write_gltf.h"
#include "tests/base/scratch.h"
#include "tests/gltf/hat_file.h"

namespace sinew {
namespace {

using Json = nlohmann::json;
using test::HatFile;

constexpr double metres = 0.4, height = 0.4;  // of a unit, and of the tube: two units at half scale

// World, metres: turns about an axis beside the origin and shifts.
Affine rigid_motion(double t) {
  const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, 0.5, -0.3}), 0.2 * std::sin(5 * t)));
  return {turn, Vec3{0.03 * std::sin(9 * t), 0.01, 0.02 * std::cos(7 * t)}};
}

using Motion = Affine (*)(double);

// What is shown of the whole skin is the rig's own surface, moved.
Recording recorded(const Character& character, int clip, Motion motion) {
  Recording recording;
  recording.clip = clip;
  const Clip* played = clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(clip)];
  for (int frame = 0; frame <= 20; ++frame) recording.times.push_back(0.05 * frame);
  for (const int index : simulated_parts(character)) {
    PartRecording& part = recording.parts.emplace_back();
    part.part = index;
    part.vertices = static_cast<int>(character.parts[static_cast<std::size_t>(index)].surface.positions.size());
    for (const double t : recording.times)
      for (const Vec3& x : rig_surface(character, std::vector<int>{index}, sample(character.skeleton, played, t)))
        for (std::size_t k = 0; k < 3; ++k) part.displacement.push_back(static_cast<float>((motion(t) * x - x)[k]));
  }
  recording.accessories = accessory_motions(character, simulation_surface(character), recording, height);
  return recording;
}

// The part with that mesh, wherever its node is.
const Part& part_called(const Character& character, const std::string& name) {
  const auto found =
      std::find_if(character.parts.begin(), character.parts.end(), [&](const Part& part) { return part.name == name; });
  EXPECT_NE(found, character.parts.end()) << name;
  return *found;
}

std::vector<Vec3> world(const Character& character, const std::string& part, int clip, double t) {
  const Clip* played = clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(clip)];
  std::vector<Vec3> result =
      posed_positions(character, part_called(character, part), sample(character.skeleton, played, t));
  for (Vec3& x : result) x *= metres;
  return result;
}

class WriteAccessories : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  // Writes the recordings of clips, and reads what comes out.
  void write(const HatFile& file, const std::vector<int>& clips, Motion motion, bool follow = true) {
    const GltfDocument document = file.document();
    before_ = character_from(document);
    before_.metres_per_unit = metres;
    std::vector<Recording> recordings;
    for (const int clip : clips) {
      recordings.push_back(recorded(before_, clip, motion));
      if (!follow) recordings.back().accessories.clear();
    }
    write_gltf_with_flesh(document, before_, recordings, {}, path_);
    const GltfDocument written = read_gltf_document(path_);
    json_ = *written.json;
    after_ = character_from(written);
  }

  // Largest distance over the frames of a clip between where a part is and where `motion` takes it from where it was.
  double largest_error(const std::string& part, int clip, Motion motion) const {
    double largest = 0;
    for (int frame = 0; frame <= 20; ++frame) {
      const double t = 0.05 * frame;
      const std::vector<Vec3> by_rig = world(before_, part, clip, t), shown = world(after_, part, clip, t);
      EXPECT_EQ(by_rig.size(), shown.size());
      for (std::size_t v = 0; v < by_rig.size(); ++v)
        largest = std::max(largest, distance(shown[v], motion(t) * by_rig[v]));
    }
    return largest;
  }

  std::filesystem::path path_ = test::scratch_path("hat.glb");
  Character before_, after_;
  Json json_;
};

Affine no_motion(double) { return {}; }

TEST_F(WriteAccessories, AHatGoesAlongExactly) {
  const HatFile file;
  write(file, {0}, rigid_motion);
  for (const char* part : {"hat", "feather"}) EXPECT_LT(largest_error(part, 0, rigid_motion), 1e-6 * height) << part;
  EXPECT_GT(largest_error("hat", 0, no_motion), 0.01 * height);
  // What hangs on no bone stays, and so does everything in clips that were not recorded.
  EXPECT_EQ(largest_error("lamp", 0, no_motion), 0);
  for (const char* part : {"hat", "feather", "rod"}) EXPECT_LT(largest_error(part, 2, no_motion), 1e-12) << part;
}

TEST_F(WriteAccessories, EveryClipHasItsKeys) {
  const HatFile file;
  write(file, {0, 1, 2}, rigid_motion);
  for (const int clip : {0, 1, 2}) EXPECT_LT(largest_error("hat", clip, rigid_motion), 1e-6 * height) << clip;
}

TEST_F(WriteAccessories, TheTreeGrowsByOneNodeForWhatMovesAsOne) {
  const HatFile file;
  write(file, {0}, rigid_motion);
  // The feather hangs on the hat, and needs none.
  ASSERT_EQ(json_["nodes"].size(), file.json["nodes"].size() + 2);
  std::set<std::string> names;
  for (std::size_t i = 0; i < json_["nodes"].size(); ++i) {
    const Json& node = json_["nodes"][i];
    EXPECT_TRUE(names.insert(node["name"]).second) << node["name"];
    if (i >= file.json["nodes"].size() || i == HatFile::upper) continue;
    for (const char* key : {"name", "translation", "rotation", "scale", "children", "skin"})
      EXPECT_EQ(node.value(key, Json()), file.json["nodes"][i].value(key, Json())) << i << ' ' << key;
  }
  const std::size_t first = file.json["nodes"].size();
  EXPECT_EQ(json_["nodes"][HatFile::upper]["children"], Json({first, first + 1}));
  EXPECT_EQ(json_["nodes"][first]["children"], Json({HatFile::hat}));
  EXPECT_EQ(json_["nodes"][first + 1]["children"], Json({HatFile::rod}));
}

TEST_F(WriteAccessories, AsTheRigHasThemTheTreeIsTheSame) {
  const HatFile file;
  write(file, {0}, rigid_motion, false);
  ASSERT_EQ(json_["nodes"].size(), file.json["nodes"].size());
  for (std::size_t i = 0; i < json_["nodes"].size(); ++i)
    EXPECT_EQ(json_["nodes"][i].value("children", Json()), file.json["nodes"][i].value("children", Json()));
  EXPECT_EQ(largest_error("hat", 0, no_motion), 0);
}

TEST_F(WriteAccessories, WhereNothingMovesNothingIsAdded) {
  const HatFile file;
  write(file, {0}, no_motion);
  EXPECT_EQ(json_["nodes"].size(), file.json["nodes"].size());
  EXPECT_EQ(json_["animations"][0]["channels"].size(), 2u);
}

TEST_F(WriteAccessories, TheRestPoseGetsAClip) {
  HatFile file;
  file.json.erase("animations");
  write(file, {-1}, rigid_motion);
  ASSERT_EQ(after_.clips.size(), 1u);
  for (int frame = 0; frame <= 20; ++frame) {
    const double t = 0.05 * frame;
    const std::vector<Vec3> by_rig = world(before_, "hat", -1, 0), shown = world(after_, "hat", 0, t);
    for (std::size_t v = 0; v < by_rig.size(); ++v)
      EXPECT_LT(distance(shown[v], rigid_motion(t) * by_rig[v]), 1e-6 * height);
  }
}

// A second skin has its joint on the hat: the joint must stay where it is, and the mesh moves alone.
TEST_F(WriteAccessories, JointsBelowAMeshAreLeftAlone) {
  HatFile file;
  const std::size_t plume = file.json["nodes"].size();
  file.json["nodes"].push_back({{"name", "plume"}, {"translation", {0, 0.5, 0}}});
  file.json["nodes"].push_back({{"name", "plume skin"}, {"mesh", 0}, {"skin", 1}});
  file.json["nodes"][HatFile::hat]["children"].push_back(plume);
  file.json["nodes"][HatFile::armature]["children"].push_back(plume + 1);
  file.json["skins"].push_back({{"joints", {plume, HatFile::lower}}});
  write(file, {0}, rigid_motion);
  EXPECT_LT(largest_error("hat", 0, rigid_motion), 1e-6 * height);
  EXPECT_LT(largest_error("feather", 0, rigid_motion), 1e-6 * height);
  for (const double t : {0.0, 0.3, 0.7}) {
    const Pose in = sample(before_.skeleton, &before_.clips[0], t), out = sample(after_.skeleton, &after_.clips[0], t);
    for (const std::size_t node :
         {plume, static_cast<std::size_t>(HatFile::hat), static_cast<std::size_t>(HatFile::upper)})
      EXPECT_EQ(in.world[node], out.world[node]) << node;
  }
  EXPECT_FALSE(json_["nodes"][HatFile::hat].contains("mesh"));
}

// Under a frame that scales axes differently no translation and rotation moves a mesh as a rigid body in the world; its
// middle is moved exactly, and the rest by what a turn of 0.2 radians and a tenth of a scale make of its reach.
TEST_F(WriteAccessories, UnderUnevenScalesTheMiddleIsExact) {
  HatFile file;
  file.json["nodes"][HatFile::upper]["scale"] = {1.1, 1, 1};
  write(file, {0}, rigid_motion);
  EXPECT_LT(largest_error("hat", 0, rigid_motion), 0.01 * height);
  EXPECT_GT(largest_error("hat", 0, no_motion), 0.1 * height);
  for (int frame = 0; frame <= 20; ++frame) {
    const double t = 0.05 * frame;
    const auto middle = [&](const Character& character) {
      const std::vector<Vec3> x = world(character, "hat", 0, t);
      return (x[x.size() - 2] + x[x.size() - 1]) * 0.5;  // of the two poles
    };
    EXPECT_LT(distance(middle(after_), rigid_motion(t) * middle(before_)), 1e-6 * height);
  }
}

}  // namespace
}  // namespace sinew
