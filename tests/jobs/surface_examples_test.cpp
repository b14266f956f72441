#include "sinew/jobs/fit/surface_examples.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

// Times x 3 values of one vertex, by a function of time.
SurfaceOffsets offsets_by(const std::vector<double>& times, const std::function<Vec3(double)>& at) {
  SurfaceOffsets offsets;
  offsets.times = times;
  for (const double t : times) {
    const Vec3 d = at(t);
    offsets.offset.insert(offsets.offset.end(),
                          {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
  }
  return offsets;
}

std::vector<double> evenly(double spacing, std::size_t count) {
  std::vector<double> times;
  for (std::size_t k = 0; k < count; ++k) times.push_back(spacing * static_cast<double>(k));
  return times;
}

TEST(SurfaceExamples, StepsThatAreFramesHaveTheirValues) {
  const SurfaceOffsets offsets = offsets_by(evenly(1.0 / 60, 30), [](double t) {
    return Vec3{std::sin(40 * t), std::cos(70 * t), t};
  });
  EXPECT_EQ(at_steps(offsets, 1, 1.0 / 60, 30), offsets.offset);
  const std::vector<float> every_second = at_steps(offsets, 1, 1.0 / 30, 15);
  for (std::size_t k = 0; k < 45; ++k) EXPECT_EQ(every_second[k], offsets.offset[6 * (k / 3) + k % 3]);
}

// Catmull and Rom's curve through evenly spaced points goes through parabolas, but for the first and last piece.
TEST(SurfaceExamples, ParabolasAreMetBetweenEvenFrames) {
  const auto parabola = [](double t) { return Vec3{3 * t * t - t + 0.5, -t * t, 2 * t}; };
  const SurfaceOffsets offsets = offsets_by(evenly(1.0 / 30, 31), parabola);
  const double step = 1.0 / 144;
  const std::vector<float> values = at_steps(offsets, 1, step, 144);
  int interior = 0;
  for (std::size_t k = 0; k < 144; ++k) {
    const double t = static_cast<double>(k) * step;
    if (t < 1.0 / 30 || t > 29.0 / 30) continue;
    ++interior;
    const Vec3 d = parabola(t);
    EXPECT_NEAR(values[3 * k], d.x, 1e-6);
    EXPECT_NEAR(values[3 * k + 1], d.y, 1e-6);
    EXPECT_NEAR(values[3 * k + 2], d.z, 1e-6);
  }
  EXPECT_GT(interior, 100);
}

// The largest offset of any vertex decides, not the mean.
TEST(SurfaceExamples, WhatHardlyMovesIsSaid) {
  SurfaceExample example;
  example.motion.name = "idle";
  example.offset.assign(300, 0);
  EXPECT_NE(note_on_stillness(example, 2).find("'idle'"), std::string::npos);
  example.offset[151] = 0.0019f;
  EXPECT_NE(note_on_stillness(example, 2).find("0.095 %"), std::string::npos) << note_on_stillness(example, 2);
  example.offset[151] = 0.0021f;
  EXPECT_EQ(note_on_stillness(example, 2), "");
}

TEST(SurfaceExamples, StraightLinesAreMetBetweenUnevenFramesAndEndsHold) {
  const auto line = [](double t) { return Vec3{t, -2 * t, 1}; };
  const SurfaceOffsets offsets = offsets_by({0, 0.1, 0.15, 0.4, 0.41, 0.7, 1}, line);
  const std::vector<float> values = at_steps(offsets, 1, 0.013, 100);
  for (std::size_t k = 0; k < 100; ++k) {
    const Vec3 d = line(std::min(0.013 * static_cast<double>(k), 1.0));
    EXPECT_NEAR(values[3 * k], d.x, 1e-6) << k;
    EXPECT_NEAR(values[3 * k + 1], d.y, 1e-6) << k;
  }
}

TEST(SurfaceExamples, OneFrameIsHeld) {
  const SurfaceOffsets offsets = offsets_by({0}, [](double) { return Vec3{1, 2, 3}; });
  EXPECT_EQ(at_steps(offsets, 1, 0.01, 3), (std::vector<float>{1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

// The tube with its first vertex split in two.
Character with_seam() {
  Character character = test::tube_character();
  Part& part = character.parts[0];
  const int copy = static_cast<int>(part.surface.positions.size());
  part.surface.positions.push_back(part.surface.positions[0]);
  part.influences.push_back(part.influences[0]);
  bool first = true;
  for (Triangle& t : part.surface.triangles)
    for (int& v : t)
      if (v == 0 && first) {
        v = copy;
        first = false;
      }
  return character;
}

TEST(SurfaceExamples, CopiesAtASeamAreAveraged) {
  const Character character = with_seam();
  const SimulationSurface surface = simulation_surface(character);
  const std::vector<int>& vertex_of = surface.vertex_of.at(0);
  ASSERT_EQ(vertex_of.front(), vertex_of.back());
  Recording recording;
  recording.times = {0.5, 0.6};
  recording.parts.push_back({0, static_cast<int>(vertex_of.size()), std::vector<float>(6 * vertex_of.size())});
  for (std::size_t k = 0; k < recording.parts[0].displacement.size(); ++k)
    recording.parts[0].displacement[k] = static_cast<float>(k);
  const SurfaceOffsets offsets = offsets_of(surface, recording);
  EXPECT_EQ(offsets.times.size(), 2u);
  EXPECT_EQ(offsets.times[0], 0);
  EXPECT_NEAR(offsets.times[1], 0.1, 1e-12);
  const std::size_t n = surface.rest.positions.size();
  ASSERT_EQ(offsets.offset.size(), 6 * n);
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t v = 0; v < vertex_of.size(); ++v) {
      const float first = static_cast<float>(3 * (f * vertex_of.size() + v));
      const float seam =
          (static_cast<float>(3 * f * vertex_of.size()) + static_cast<float>(3 * ((f + 1) * vertex_of.size() - 1))) / 2;
      const bool split = v == 0 || v + 1 == vertex_of.size();
      EXPECT_FLOAT_EQ(offsets.offset[3 * (f * n + static_cast<std::size_t>(vertex_of[v]))], split ? seam : first);
    }
}

TEST(SurfaceExamples, MotionsAreTheBonesAtEveryStep) {
  const Character character = test::tube_character();
  const SimulationSurface surface = simulation_surface(character);
  BakeOptions options = test::options_for(0);
  options.begin = 0.2;
  options.end = 0.7;
  const SurfaceMotion motion = sample_motion(character, surface, options, 1.0 / 60);
  EXPECT_EQ(motion.name, "swing");
  ASSERT_EQ(motion.bones.size(), 31u);
  const std::vector<Affine> expected =
      bone_transforms(character, surface, sample(character.skeleton, &character.clips[0], 0.2 + 12.0 / 60));
  for (std::size_t b = 0; b < expected.size(); ++b) {
    EXPECT_LE(distance(motion.bones[12][b].translation, expected[b].translation), 1e-12);
    EXPECT_LE(frobenius_norm(motion.bones[12][b].linear - expected[b].linear), 1e-12);
  }
}

// A track that is the rig's own surface and something on top.
Track track_of(const Character& character, double length, double fps, const Vec3& offset) {
  Track track;
  track.name = "example.pc2";
  track.start = 0;
  track.end = length;
  for (int k = 0; k <= static_cast<int>(std::lround(length * fps)); ++k) track.times.push_back(k / fps);
  const std::vector<int> parts = simulated_parts(character);
  track.points = rig_surface(character, parts, sample(character.skeleton, nullptr, 0)).size();
  track.positions_at = [&character, parts, offset](double t) {
    std::vector<Vec3> x = rig_surface(character, parts, sample(character.skeleton, &character.clips[0], t));
    for (Vec3& p : x) p += offset;
    return x;
  };
  return track;
}

TEST(SurfaceExamples, OffsetsOfATrackAreFromTheRig) {
  const Character character = with_seam();
  const SimulationSurface surface = simulation_surface(character);
  const BakeOptions options = test::options_for(0);
  const SurfaceOffsets offsets =
      offsets_of(character, surface, options, track_of(character, 1, 30, {0.01, 0.02, -0.03}), 1.0 / 60);
  EXPECT_EQ(offsets.times.size(), 31u);
  ASSERT_EQ(offsets.offset.size(), 31 * 3 * surface.rest.positions.size());
  for (std::size_t k = 0; k < offsets.offset.size(); k += 3) {
    EXPECT_NEAR(offsets.offset[k], 0.01, 1e-7);
    EXPECT_NEAR(offsets.offset[k + 1], 0.02, 1e-7);
    EXPECT_NEAR(offsets.offset[k + 2], -0.03, 1e-7);
  }
}

TEST(SurfaceExamples, WhatIsNotAnExampleOfThisClipIsRefused) {
  const Character character = test::tube_character();
  const SimulationSurface surface = simulation_surface(character);
  const BakeOptions options = test::options_for(0);
  const auto sentence = [&](ErrorKind kind, const Track& track) {
    return test::refusal(kind, [&] { offsets_of(character, surface, options, track, 1.0 / 60); });
  };
  Track other = track_of(character, 1, 30, {});
  other.points += 1;
  const std::string points = sentence(ErrorKind::usage, other);
  EXPECT_NE(points.find("example.pc2"), std::string::npos);
  EXPECT_NE(points.find("points"), std::string::npos);
  EXPECT_NE(sentence(ErrorKind::usage, track_of(character, 0.6, 30, {})).find("--range"), std::string::npos);
  Track empty = track_of(character, 1, 30, {});
  empty.times = {0};
  sentence(ErrorKind::usage, empty);
  EXPECT_NE(sentence(ErrorKind::input, track_of(character, 1, 30, {std::nan(""), 0, 0})).find("not a number"),
            std::string::npos);
}

TEST(SurfaceExamples, AClipThatLeavesAllNumbersIsRefused) {
  Character character = test::tube_character();
  for (double& v : character.clips[0].channels[1].values) v *= 1e308;
  for (double& v : character.clips[0].channels[1].values) v *= 1e10;
  const SimulationSurface surface = simulation_surface(character);
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { sample_motion(character, surface, test::options_for(0), 1.0 / 60); })
                .find("swing"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
