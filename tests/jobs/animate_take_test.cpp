// What was done live is baked again.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>

#include "sinew/bake/output/compare.h"
#include "sinew/bake/output/point_cache.h"
#include "sinew/base/file.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"
#include "sinew/session/pose_changes.h"
#include "sinew/session/take_json.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A take of two pokes, the second of which is still acting when a run is stopped.
AnimateJob taken(const fs::path& folder, const std::string& output) {
  AnimateJob job;
  job.input = test::sample_file("tube.glb");
  job.output = folder / output;
  test::flesh(job.method).tetrahedra = 800;
  job.end = 0.6;
  job.take = folder / "take.json";
  Action poke;
  poke.point = {0.1, 0.9, 0};
  poke.force = {-40, 0, 10};
  poke.radius = 0.1;
  poke.seconds = 0.1;
  Action longer = poke;
  longer.force = {0, 0, 60};
  longer.seconds = 0.4;
  write_text_file(job.take, take_json({{0.05, poke}, {0.15, longer}}));
  return job;
}

TEST(AnimateTake, ActsAndResumesToTheSameBytes) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = taken(folder, "whole.glb");
  animate_file(job);
  AnimateJob calm = job;
  calm.take.clear();
  calm.output = folder / "calm.glb";
  animate_file(calm);
  EXPECT_NE(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "calm.glb"));
  job.output = folder / "resumed.glb";
  job.checkpoint = folder / "state";
  job.resume = true;
  int frames = 0;
  const AnimateResult stopped = animate_file(
      job, [&](const ProgressReport& report) { return !report.activity.starts_with("simulating") || ++frames < 9; });
  ASSERT_FALSE(stopped.complete);
  ASSERT_TRUE(fs::exists(job.checkpoint));
  ASSERT_TRUE(animate_file(job).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
  // Another take is another run.
  write_text_file(job.take, take_json({}));
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { animate_file(job); }).find("another character, clip or settings"),
            std::string::npos);
}

// A run is stopped while stiffness and gravity are on their way.
TEST(AnimateTake, ChangesOfTissueResumeToTheSameBytes) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = taken(folder, "whole.glb");
  test::flesh(job.method).keys =
      R"({"clips": {"*": {"stiffness": [[0, 1], [0.5, 3]], "damping": [[0.2, 1], [0.6, 2]]}}})";
  Action stiffness;
  stiffness.kind = Action::Kind::stiffness;
  stiffness.stiffness = 0.4;
  stiffness.seconds = 0.3;
  Action gravity;
  gravity.kind = Action::Kind::gravity;
  gravity.gravity = {5, -9.81, 0};
  gravity.seconds = 0.25;
  write_text_file(job.take, take_json({{0.1001, gravity}, {0.1303, stiffness}}));  // between two steps
  animate_file(job);
  job.output = folder / "resumed.glb";
  job.checkpoint = folder / "state";
  job.resume = true;
  int frames = 0;
  const AnimateResult stopped = animate_file(
      job, [&](const ProgressReport& report) { return !report.activity.starts_with("simulating") || ++frames < 9; });
  ASSERT_FALSE(stopped.complete);
  ASSERT_TRUE(animate_file(job).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
  test::flesh(job.method).keys.clear();
  job.checkpoint.clear();
  job.resume = false;
  animate_file(job);
  EXPECT_NE(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
}

// A hand that holds on, is dragged and lets go, in the midst of which a run is stopped.
TEST(AnimateTake, GrabsResumeToo) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = taken(folder, "whole.glb");
  test::flesh(job.method).lattice.file = auto_lattice;
  test::flesh(job.method).lattice.cells = 60;
  Action grab;
  grab.kind = Action::Kind::grab;
  grab.name = "hand";
  grab.point = {0.1, 0.9, 0};
  grab.target = {0.25, 0.95, 0};
  Action drag = grab;
  drag.kind = Action::Kind::drag;
  drag.target = {0.2, 0.8, 0.1};
  Action release;
  release.kind = Action::Kind::release;
  release.name = "hand";
  write_text_file(job.take, take_json({{0.1, grab}, {0.24, drag}, {0.45, release}}));
  animate_file(job);
  job.output = folder / "resumed.glb";
  job.checkpoint = folder / "state";
  job.resume = true;
  int frames = 0;
  const AnimateResult stopped = animate_file(
      job, [&](const ProgressReport& report) { return !report.activity.starts_with("simulating") || ++frames < 10; });
  ASSERT_FALSE(stopped.complete);
  ASSERT_TRUE(animate_file(job).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
}

// A joint that was turned and a character that was carried move so in the written clip.
TEST(AnimateTake, WhatWasPosedMovesTheWrittenClip) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = taken(folder, "whole.glb");
  const Character before = open_rigged_character(job.input).character;
  const int tip = before.skins.at(0).joints.back();
  Action turn;
  turn.kind = Action::Kind::turn;
  turn.name = action_name(before.skeleton, tip);
  turn.rotation = {0, 0, 70};
  turn.seconds = 0.2;
  Action carry;
  carry.kind = Action::Kind::carry;
  carry.target = {0, 0, 0.5};
  carry.seconds = 0.2;
  write_text_file(job.take, take_json({{0.05, turn}, {0.15, carry}}));
  animate_file(job);

  const Character after = open_rigged_character(folder / "whole.glb").character;
  const Clip& clip = after.clips.at(0);
  for (const double time : {0.0, 0.5}) {
    const Pose was = sample(before.skeleton, &before.clips.at(0), time), is = sample(after.skeleton, &clip, time);
    const Vec3 carried = is.world[0].translation - was.world[0].translation;
    EXPECT_LT(norm(carried * after.metres_per_unit - (time > 0 ? carry.target : Vec3{})), 1e-6);
  }
  const Pose pose = sample(after.skeleton, &clip, 0.5);
  const int parent = after.skeleton.joints[static_cast<std::size_t>(tip)].parent;
  const Affine local =
      inverse(pose.world[static_cast<std::size_t>(parent)]) * pose.world[static_cast<std::size_t>(tip)];
  const Quat wanted = rest_rotation(before.skeleton.joints[static_cast<std::size_t>(tip)]) *
                      rotation_exponential(turn.rotation * (std::numbers::pi / 180));
  EXPECT_NEAR(std::abs(dot(to_transform(local).rotation, wanted)), 1, 1e-6);

  // Morph targets move the posed rig to where the flesh was, as a point cache has it.
  AnimateJob cached = job;
  cached.output = folder / "whole.pc2";
  animate_file(cached);
  const Track written = character_track(after, &clip), moved = read_point_cache(cached.output, job.frames_per_second);
  EXPECT_LT(compare(moved, written, moved.times).rms, 1e-3 * written.height);
  AnimateJob resumed = job;
  resumed.output = folder / "resumed.glb";
  resumed.checkpoint = folder / "state";
  resumed.resume = true;
  int frames = 0;
  ASSERT_FALSE(animate_file(resumed, [&](const ProgressReport& report) {
                 return !report.activity.starts_with("simulating") || ++frames < 9;
               }).complete);
  ASSERT_TRUE(animate_file(resumed).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
}

TEST(AnimateTake, WhatCannotBeIsASentence) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = taken(folder, "out.glb");
  job.clip = "all";
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { animate_file(job); }).find("--take: a take is of one clip"),
            std::string::npos);
  job.clip.clear();
  job.method = MixedMethod();
  write_text_file(job.take,
                  R"({"take": 1, "actions": [{"elapsed": 0.1, "do": "grab", "name": "hand", "target": [0, 1, 0]}]})");
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { animate_file(job); }).find("points that are held"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "out.glb"));
}

}  // namespace
}  // namespace sinew
