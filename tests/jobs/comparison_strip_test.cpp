#include "sinew/jobs/pictures/comparison_strip.h"

#include <gtest/gtest.h>

#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

constexpr int cell = 60;

// Two frames of the tube in its first clip, all vertices moved_by by `offset` metres.
Recording moved_by(const Character& character, const Vec3& offset) {
  Track track = character_track(character, &character.clips[0]);
  const auto rig = track.positions_at;
  track.positions_at = [rig, offset](double seconds) {
    std::vector<Vec3> positions = rig(seconds);
    for (Vec3& x : positions) x += offset;
    return positions;
  };
  const std::vector<double> times{0.1, 0.6};
  return recording_of(character, 0, track, times);
}

ComparisonStripOptions small_cells() {
  ComparisonStripOptions options;
  options.cell = {cell, cell, 1};
  options.times = {0.1, 0.6};
  return options;
}

// Pixels that are clearly red, in one of the rows.
int red_pixels(const Image& sheet, int row) {
  int count = 0;
  for (int y = row * cell; y < (row + 1) * cell; ++y)
    for (int x = 0; x < sheet.width; ++x) count += sheet.pixel(x, y)[0] > sheet.pixel(x, y)[2] + 40;
  return count;
}

TEST(ComparisonStrip, DisplacementsAreThoseOfTheTrack) {
  const Character character = test::tube_character(0.01);
  const Recording recording = moved_by(character, {0.02, 0, -0.01});
  ASSERT_EQ(recording.parts.size(), 1u);
  const std::vector<float>& d = recording.parts[0].displacement;
  ASSERT_EQ(d.size(), 2 * 3 * character.parts[0].surface.positions.size());
  for (std::size_t k = 0; k < d.size(); k += 3) {
    EXPECT_NEAR(d[k], 0.02, 1e-7);
    EXPECT_NEAR(d[k + 1], 0, 1e-7);
    EXPECT_NEAR(d[k + 2], -0.01, 1e-7);
  }
}

TEST(ComparisonStrip, WhatIsFarFromTheReferenceIsRed) {
  Character character = test::tube_character();
  character.parts[0].base_color = {0.2, 0.3, 0.9};
  character.parts[0].colors.assign(character.parts[0].surface.positions.size(),
                                   {1, 1, 1});  // COLOR_0, which distances replace
  const ShownMotion flesh{"flesh", moved_by(character, {0.03, 0, 0})}, near{"model", flesh.recording};
  const Image sheet = comparison_strip(character, flesh, {near}, small_cells());
  EXPECT_EQ(sheet.width, 2 * cell);
  EXPECT_GT(sheet.height, 3 * cell);
  EXPECT_GT(red_pixels(sheet, 0), 100);  // the rig, 3 % of the height away
  EXPECT_EQ(red_pixels(sheet, 1), 0);    // flesh, in the character's own colour
  EXPECT_EQ(red_pixels(sheet, 2), 0);    // what is the same
}

TEST(ComparisonStrip, TheCameraGoesAlongOverTheGround) {
  const Character character = test::tube_character();
  Character travelling = character;
  for (Channel& channel : travelling.clips[0].channels)
    if (channel.path == ChannelPath::translation)
      for (std::size_t k = 0; k < channel.times.size(); ++k) channel.values[3 * k + 2] += 20 * channel.times[k];
  const auto strip = [](const Character& of) {
    return comparison_strip(of, {"flesh", moved_by(of, {0, 0.02, 0})}, {}, small_cells());
  };
  const Image here = strip(character), there = strip(travelling);
  ASSERT_EQ(here.rgb.size(), there.rgb.size());
  int different = 0;
  for (std::size_t k = 0; k < here.rgb.size(); ++k) different += std::abs(here.rgb[k] - there.rgb[k]) > 2;
  EXPECT_LT(different, 30);  // edges that rounding moves across a pixel's middle
}

TEST(ComparisonStrip, OtherCharactersTracksAreRefused) {
  const Character character = test::tube_character();
  Track track = character_track(character, nullptr);
  track.name = "other.pc2";
  track.points += 1;
  const std::vector<double> times{0};
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { recording_of(character, -1, track, times); }).find("other.pc2"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
