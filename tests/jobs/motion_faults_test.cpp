// Motion that cannot be carried over is refused with its reason, and a skeleton with other axes is not taken for the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "sinew/base/error.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/motion/add_motions.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/check_bodies.h"
#include "tests/contract/glb.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/jobs/open_with_motions.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

class MotionFaults : public testing::Test {
 protected:
  const fs::path folder_ = scratch_files();
  const fs::path sumo_ = sample_file("sumo.glb");

  // A body of two legs, in a BVH of frames of `step` seconds; `other`: length of its other bones.
  fs::path legs(const std::string& name, double thigh, double shin, double step, int frames, double other = 20) const {
    std::string text =
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\n";
    for (const auto& [side, sign] : {std::pair{std::string("Left"), 0.5}, {std::string("Right"), -0.5}}) {
      text += "JOINT " + side + "UpLeg\n{\nOFFSET " + std::to_string(sign * other) + " 0 0\nCHANNELS 0\nJOINT " + side +
              "Leg\n{\nOFFSET 0 " + std::to_string(-thigh) + " 0\nCHANNELS 0\nJOINT " + side + "Foot\n{\nOFFSET 0 " +
              std::to_string(-shin) + " 0\nCHANNELS 0\n}\n}\n}\n";
    }
    text += "JOINT Spine\n{\nOFFSET 0 " + std::to_string(other) + " 0\nCHANNELS 0\nJOINT Head\n{\nOFFSET 0 " +
            std::to_string(2 * other) + " 0\nCHANNELS 0\n}\n}\n}\nMOTION\nFrames: " + std::to_string(frames) +
            "\nFrame Time: " + std::to_string(step) + "\n";
    for (int f = 0; f < frames; ++f) text += "0 80 " + std::to_string(f) + " 0 0 0\n";
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  // The sentence with which a motion is refused; empty if it is carried.
  static std::string refusal(const fs::path& character, const fs::path& motion) {
    try {
      open_with_motions(character, {}, std::vector{motion_request(motion.string())});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

using Json = nlohmann::json;

// A character whose scene hangs on one more node, with this scale.
fs::path scaled(const fs::path& from, const fs::path& path, const std::array<double, 3>& scale) {
  const GltfDocument document = read_gltf_document(from);
  Json json = *document.json;
  for (Json& scene : json["scenes"]) {
    json["nodes"].push_back(Json{{"name", "Scaled"}, {"scale", scale}, {"children", scene["nodes"]}});
    scene["nodes"] = Json::array({json["nodes"].size() - 1});
  }
  const auto bytes = document.buffers.at(0);
  write_glb(path, json, {bytes.begin(), bytes.end()});
  return path;
}

TEST_F(MotionFaults, LegsWithoutLengthAreRefused) {
  EXPECT_EQ(refusal(sumo_, legs("fine.bvh", 40, 40, 0.04, 5)), "");
  EXPECT_NE(refusal(sumo_, legs("legs.bvh", 0, 0, 0.04, 5)).find("legs.bvh: the bones of its legs have no length"),
            std::string::npos);
  EXPECT_NE(refusal(sumo_, legs("none.bvh", 0, 0, 0.04, 5, 0)).find("none.bvh: "), std::string::npos);
}

TEST_F(MotionFaults, AClipWithoutFiniteValuesIsNotAppended) {
  OpenedCharacter opened = open_rigged_character(sumo_, {});
  Clip clip = opened.character.clips.at(0);
  clip.channels.at(0).values.at(1) = NAN;
  EXPECT_THROW(append_clip(opened, clip), Error);
}

TEST_F(MotionFaults, MirroredAndUnevenSkeletonsAreRefused) {
  const fs::path walk = legs("walk.bvh", 40, 40, 0.04, 5);
  EXPECT_EQ(refusal(scaled(sumo_, folder_ / "even.glb", {2, 2, 2}), walk), "");
  const std::string mirrored = refusal(scaled(sumo_, folder_ / "mirrored.glb", {-1, 1, 1}), walk);
  EXPECT_NE(mirrored.find("mirrored.glb: node 'Scaled' mirrors"), std::string::npos) << mirrored;
  const std::string tall = refusal(scaled(sumo_, folder_ / "tall.glb", {1, 1.5, 1}), walk);
  EXPECT_NE(tall.find("tall.glb: node 'Scaled' stretches"), std::string::npos) << tall;
}

TEST_F(MotionFaults, AFrameTimeThatIsNotInSecondsIsNotedAndRefused) {
  const std::string hours = refusal(sumo_, legs("hours.bvh", 40, 40, 200000, 5));
  EXPECT_NE(hours.find("Frame Time"), std::string::npos) << hours;
  const OpenedCharacter opened =
      open_with_motions(sumo_, {}, std::vector{motion_request(legs("slow.bvh", 40, 40, 1.5, 3).string())});
  const std::vector<std::string> notes = notes_on_motions(opened);
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("Frame Time is 1.5 s") != std::string::npos;
  }));
}

TEST_F(MotionFaults, AnAtInTheNameOfAFolderIsNoClip) {
  const MotionRequest missing = motion_request("me@home/nosuch.bvh");
  EXPECT_EQ(missing.file, fs::path("me@home/nosuch.bvh"));
  EXPECT_EQ(missing.clip, "");
  EXPECT_EQ(motion_request("a/b.glb@Walk@fast").file, fs::path("a/b.glb"));
  EXPECT_EQ(motion_request("a/b.glb@Walk@fast").clip, "Walk@fast");
  EXPECT_EQ(motion_request("me@home/b.glb@Walk").file, fs::path("me@home/b.glb"));
}

TEST_F(MotionFaults, AClipIsLookedForInAllMotions) {
  AnimateJob job;
  job.input = sumo_;
  job.output = folder_ / "out.glb";
  job.motions = {legs("one.bvh", 40, 40, 0.04, 3).string(), legs("two.bvh", 40, 40, 0.04, 4).string()};
  test::flesh(job.method).tetrahedra = 300;
  job.clip = "two";
  const AnimateResult result = animate_file(job);
  ASSERT_EQ(result.report.clips.size(), 1u);
  EXPECT_EQ(result.report.clips[0].name, "two");
  job.clip = "three";
  EXPECT_THROW(animate_file(job), Error);

  // A clip of the character itself is found by its exact name, beside one motion or several.
  const std::string own = read_character(sumo_).clips.at(0).name;
  job.begin = 0;
  job.end = 0.1;
  job.clip = own;
  EXPECT_EQ(animate_file(job).report.clips.at(0).name, own);
  job.motions = {"test:nod"};
  EXPECT_EQ(animate_file(job).report.clips.at(0).name, own);
  job.clip = "nod";
  EXPECT_EQ(animate_file(job).report.clips.at(0).name, "nod");
  job.clip = "nonesuch";
  EXPECT_THROW(animate_file(job), Error);
}

TEST_F(MotionFaults, ABipedOntoABipedHasNoNoteAboutLimbs) {
  const OpenedCharacter opened =
      open_with_motions(sumo_, {}, std::vector{motion_request(legs("walk.bvh", 40, 40, 0.04, 3).string())});
  for (const std::string& note : notes_on_motions(opened)) {
    EXPECT_EQ(note.find("limb"), std::string::npos) << note;
    EXPECT_EQ(note.find("on four"), std::string::npos) << note;
  }
}

// The character with other axes at every joint, the same surface and no clips.
fs::path with_other_axes(const fs::path& from, const fs::path& path) {
  const GltfDocument document = read_gltf_document(from);
  const Character character = character_from(document);
  Json json = *document.json;
  json.erase("animations");
  const auto span = document.buffers.at(0);
  std::vector<std::byte> bytes(span.begin(), span.end());
  const std::vector<Joint>& joints = character.skeleton.joints;
  std::vector<char> is_joint(joints.size(), 0);
  for (const Json& joint : json["skins"][0]["joints"]) is_joint[joint.get<std::size_t>()] = 1;
  // World transforms before, and with other axes.
  const Pose pose = sample(character.skeleton, nullptr, 0);
  std::vector<Affine> turned = pose.world;
  std::vector<Mat3> turns(joints.size());
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (is_joint[j]) {
      turns[j] = to_matrix(normalized(Quat{normal(random), normal(random), normal(random), normal(random)}));
      turned[j].linear = turned[j].linear * turns[j];
    }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Json& node = json["nodes"][j];
    if (!is_joint[j]) continue;
    const Affine local =
        joints[j].parent < 0 ? turned[j] : inverse(turned[static_cast<std::size_t>(joints[j].parent)]) * turned[j];
    for (const char* member : {"translation", "rotation", "scale", "matrix"}) node.erase(member);
    const Quat turn = orientation_of(local);
    node["translation"] = {local.translation.x, local.translation.y, local.translation.z};
    node["rotation"] = {turn.x, turn.y, turn.z, turn.w};
  }
  const Json& accessor = json["accessors"][json["skins"][0]["inverseBindMatrices"].get<std::size_t>()];
  const Json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  const std::size_t begin = view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
  for (std::size_t k = 0; k < json["skins"][0]["joints"].size(); ++k) {
    std::array<float, 16> m{};
    std::memcpy(m.data(), bytes.data() + begin + 64 * k, 64);
    const Mat3 turn = turns[json["skins"][0]["joints"][k].get<std::size_t>()];
    for (std::size_t c = 0; c < 4; ++c) {
      const Vec3 v = transpose_times(turn, Vec3{m[4 * c], m[4 * c + 1], m[4 * c + 2]});
      for (std::size_t r = 0; r < 3; ++r) m[4 * c + r] = static_cast<float>(v[r]);
    }
    std::memcpy(bytes.data() + begin + 64 * k, m.data(), 64);
  }
  write_glb(path, json, bytes);
  return path;
}

TEST_F(MotionFaults, TheSameSkeletonWithOtherAxesMovesAlike) {
  const fs::path other = with_other_axes(sumo_, folder_ / "other.glb");
  const OpenedCharacter opened = open_with_motions(other, {}, std::vector{motion_request(sumo_.string() + "@1")});
  EXPECT_FALSE(opened.carried.empty());
  const Character sumo = read_character(sumo_);
  const CharacterBody body = character_body(sumo, {});
  const Clip& clip = sumo.clips.at(0);
  const Clip& carried = opened.character.clips.at(static_cast<std::size_t>(opened.motions.at(0).first));
  const double leg = anatomical_frames(body.bones, body.reference, {0, 1, 0}).leg_length;
  double moved = 0;
  for (double t = clip.start; t <= clip.end; t += (clip.end - clip.start) / 9) {
    const Pose a = sample(sumo.skeleton, &clip, t), b = sample(opened.character.skeleton, &carried, t);
    for (const int joint : {body.bones.arms[0].lower, body.bones.arms[1].end, body.bones.head}) {
      const auto j = static_cast<std::size_t>(joint);
      EXPECT_LT(distance(a.world[j].translation, b.world[j].translation), 0.02 * leg) << joint << " " << t;
      moved = std::max(moved, distance(a.world[j].translation, body.reference.position[j]) / leg);
    }
  }
  EXPECT_GT(moved, 0.1);
  // Onto itself its clips are copied.
  EXPECT_TRUE(open_with_motions(sumo_, {}, std::vector{motion_request(sumo_.string() + "@1")}).carried.empty());
}

}  // namespace
}  // namespace sinew::test
