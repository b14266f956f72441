// A hat on flesh that moves: from file to file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sinew/bake/accessory_motion.h"
#include "sinew/base/file.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/pictures/preview.h"
#include "tests/gltf/hat_file.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using test::HatFile;

class AnimateAccessories : public ::testing::Test {
 protected:
  AnimateJob job(const char* output) {
    AnimateJob job;
    job.input = folder_ / "hat.glb";
    job.output = folder_ / output;
    test::flesh(job.method).tetrahedra = 900;
    test::flesh(job.method).look = Look::lively;
    job.frames_per_second = 24;
    job.morphs.rms_error = 1e-4;
    job.loop = Loop::off;
    return job;
  }
  void SetUp() override { write_file(folder_ / "hat.glb", HatFile().glb()); }

  fs::path folder_ = test::scratch_files();
};

std::vector<Vec3> world(const Character& character, std::size_t part, int clip, double t) {
  return posed_positions(character, character.parts[part],
                         sample(character.skeleton, &character.clips[static_cast<std::size_t>(clip)], t));
}

// How far hat and skin inside come from where the rig has them to each other, over a clip: root mean square, file
// units.
double gap(const Character& rig, const Character& flesh, int clip) {
  double sum = 0;
  int count = 0;
  for (int frame = 0; frame <= 24; ++frame) {
    const double t = frame / 24.0;
    const std::vector<Vec3> skin[2] = {world(rig, 0, clip, t), world(flesh, 0, clip, t)},
                            hat[2] = {world(rig, 1, clip, t), world(flesh, 1, clip, t)};
    for (std::size_t k = 0; k < 24; ++k) {  // a ring of the tube and one of the hat around it, both of 24
      const std::size_t inside = 27 * 24 + k, around = 3 * 24 + k;
      sum += squared_norm((hat[1][around] - skin[1][inside]) - (hat[0][around] - skin[0][inside]));
      ++count;
    }
  }
  return std::sqrt(sum / count);
}

TEST_F(AnimateAccessories, TheHatStaysOnTheFlesh) {
  AnimateJob along = job("along.glb"), as_rigged = job("as_rigged.glb");
  as_rigged.accessories = false;
  const AnimateResult result = animate_file(along), without = animate_file(as_rigged);
  const Character rig = character_from(read_gltf_document(along.input)),
                  flesh = character_from(read_gltf_document(along.output)),
                  plain = character_from(read_gltf_document(as_rigged.output));
  EXPECT_LT(gap(rig, flesh, 0), 0.3 * gap(rig, plain, 0));
  ASSERT_FALSE(result.report.accessories.empty());
  EXPECT_EQ(result.report.accessories[0].node, "hat");
  EXPECT_EQ(result.report.accessories[0].bone, "upper");
  EXPECT_GT(result.report.accessories[0].largest, 0.005 * result.report.height);
  EXPECT_TRUE(without.report.accessories.empty());
  EXPECT_EQ(plain.skeleton.joints.size(), rig.skeleton.joints.size());
}

TEST_F(AnimateAccessories, AllClipsButThoseInWhichNothingMoves) {
  AnimateJob all = job("all.glb");
  all.clip = "all";
  animate_file(all);
  const Character rig = character_from(read_gltf_document(all.input)),
                  flesh = character_from(read_gltf_document(all.output));
  const auto moved = [&](int clip) {
    const auto& channels = flesh.clips[static_cast<std::size_t>(clip)].channels;
    return std::any_of(channels.begin(), channels.end(), [&](const Channel& channel) {
      return channel.joint >= static_cast<int>(rig.skeleton.joints.size());
    });
  };
  EXPECT_TRUE(moved(0));
  EXPECT_FALSE(moved(1));
  EXPECT_TRUE(moved(2));
  EXPECT_NE(world(flesh, 1, 0, 0.4), world(rig, 1, 0, 0.4));
  EXPECT_EQ(world(flesh, 1, 1, 0.4), world(rig, 1, 1, 0.4));
}

TEST_F(AnimateAccessories, ResumedRunsWriteTheSameFile) {
  animate_file(job("whole.glb"));
  AnimateJob stopped = job("resumed.glb");
  stopped.checkpoint = folder_ / "run.checkpoint";
  int reports = 0;
  const AnimateResult first = animate_file(stopped, [&](const ProgressReport& report) {
    return !report.activity.starts_with("simulating") || ++reports < 12;
  });
  ASSERT_TRUE(first.resumable);
  stopped.resume = true;
  ASSERT_TRUE(animate_file(stopped).complete);
  EXPECT_EQ(test::bytes_of(folder_ / "whole.glb"), test::bytes_of(folder_ / "resumed.glb"));
}

TEST_F(AnimateAccessories, PicturesShowThemWhereTheyAre) {
  const Character character = HatFile().character();
  Recording recording;
  recording.clip = 0;
  recording.times = {0.25};
  const Affine motion{to_matrix(axis_angle({0, 1, 0}, 0.3)), {0.1, 0.2, 0.3}};
  recording.accessories.push_back({{HatFile::hat, HatFile::feather}, HatFile::upper, {motion}, 1});
  const PictureScene rig = posed_scene(character, recording, 0, false),
                     flesh = posed_scene(character, recording, 0, true);
  ASSERT_EQ(flesh.meshes.size(), 5u);
  for (std::size_t p = 0; p < flesh.meshes.size(); ++p)
    for (std::size_t v = 0; v < flesh.meshes[p].surface.positions.size(); ++v) {
      const Vec3 x = rig.meshes[p].surface.positions[v];
      EXPECT_EQ(flesh.meshes[p].surface.positions[v], p == 1 || p == 2 ? motion * x : x);
    }
}

}  // namespace
}  // namespace sinew
