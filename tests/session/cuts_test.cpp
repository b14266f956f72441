// Across a cut of its rig flesh is carried along, under every method that steps.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/bake/bake.h"
#include "sinew/bake/quality.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/methods.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/cook/light_methods.h"
#include "tests/rig/cut_clips.h"

namespace sinew {
namespace {

using namespace test;

// The same swing three times: whole, with a teleport that turns it as well, and in keys that hold.
Character cut_tube() {
  Character character = tube_character();
  character.clips = {sampled_swing(30, 2), sampled_swing(30, 2)};
  character.clips[1].name = "cut";
  teleport(character.clips[1], 1, {3, 1, -2});
  return character;
}

Scene tetrahedra(const Character& character) {
  const FleshSettings settings = quick_settings();
  return flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
}

Scene lattice(const Character& character) {
  FleshSettings settings = quick_settings();
  settings.lattice.file = auto_lattice;
  settings.lattice.cells = 60;
  CookedFlesh cooked = prepare_flesh(character, settings);
  cooked.lattice =
      prepare_lattice(cooked, build_lattice(character, cooked.surface, {settings.lattice.cells}).lattice, settings);
  return flesh_scene(std::make_shared<const CookedFlesh>(std::move(cooked)), settings);
}

Scene springs(const Character& character) { return test::light_scene(character, "springs"); }

// Per frame: the largest displacement, metres.
std::vector<double> largest_of_frames(const BakeResult& result) {
  const PartRecording& part = result.recording.parts.at(0);
  const auto width = 3 * static_cast<std::size_t>(part.vertices);
  std::vector<double> largest(result.recording.times.size(), 0.0);
  for (std::size_t k = 0; k < part.displacement.size(); k += 3)
    largest[k / width] =
        std::max(largest[k / width],
                 double(std::hypot(part.displacement[k], part.displacement[k + 1], part.displacement[k + 2])));
  return largest;
}

void expect_carried(const Character& character, const Scene& scene) {
  const BakeResult whole = bake(character, scene, nullptr, options_for(0)),
                   cut = bake(character, scene, nullptr, options_for(1));
  const std::vector<double> usual = largest_of_frames(whole), across = largest_of_frames(cut);
  const double most = *std::max_element(usual.begin(), usual.end());
  for (std::size_t f = 0; f < 30; ++f)
    EXPECT_NEAR(across[f], usual[f], 1e-6 + 1e-3 * most) << scene.method << " before the cut, frame " << f;
  EXPECT_LT(frame_difference(cut, 29, cut, 30), 0.1 * most)
      << scene.method << " across it, where the frames turn a little";
  // As if the frame of the cut had not been there: of the same swing, a thirtieth of a second later.
  for (std::size_t f = 31; f < across.size(); ++f) EXPECT_LT(across[f], 1.15 * most) << scene.method << ", frame " << f;
  ASSERT_EQ(cut.report.cuts.size(), 1u);
  ASSERT_FALSE(cut.notes.empty());
  EXPECT_NE(cut.notes[0].find("counts as a cut"), std::string::npos);
  EXPECT_TRUE(whole.report.cuts.empty());
}

TEST(Cuts, TetrahedraAreCarriedAlong) {
  const Character character = cut_tube();
  expect_carried(character, tetrahedra(character));
}

TEST(Cuts, LatticesAreCarriedAlong) {
  const Character character = cut_tube();
  expect_carried(character, lattice(character));
}

TEST(Cuts, SpringsAreCarriedAlong) {
  const Character character = cut_tube();
  expect_carried(character, springs(character));
}

// The cut neither stiffens nor softens what the look asks for.
TEST(Cuts, TheAmountOfMotionKnowsNothingOfThem) {
  const Character both = cut_tube();
  Character alone = both;
  alone.clips.pop_back();
  const FleshSettings settings = look_settings();
  const double with = prepare_flesh(both, settings).material.sag, without = prepare_flesh(alone, settings).material.sag;
  EXPECT_NEAR(with, without, 0.1 * without);
}

// Keys that hold are shown as they are, and physics sees the motion that they stand for.
TEST(Cuts, HeldKeysGiveTheSmoothSwing) {
  Character character = cut_tube();
  character.clips = {sampled_swing(480, 2), sampled_swing(30, 2, Interpolation::step),
                     sampled_swing(12, 2, Interpolation::step)};
  const Scene scene = tetrahedra(character);
  const std::vector<double> smooth = largest_of_frames(bake(character, scene, nullptr, options_for(0)));
  const double most = *std::max_element(smooth.begin(), smooth.end());
  const std::vector<double> dense = largest_of_frames(bake(character, scene, nullptr, options_for(1)));
  for (std::size_t f = 0; f < smooth.size(); ++f) EXPECT_NEAR(dense[f], smooth[f], 0.05 * most) << f;
  const std::vector<double> sparse = largest_of_frames(bake(character, scene, nullptr, options_for(2)));
  const double whipped = *std::max_element(sparse.begin(), sparse.end());
  EXPECT_LT(whipped, 1.3 * most);
  EXPECT_GT(whipped, 0.7 * most);
}

// The swing while a scale grows from `from` to one, at two a second, until one second: at once where it is a step.
Clip growing(double from, Interpolation interpolation) {
  Clip clip = sampled_swing(30, 2);
  const bool at_once = interpolation == Interpolation::step;
  clip.channels.push_back({1,
                           ChannelPath::scale,
                           interpolation,
                           {0, 0.5 + from / 2, at_once ? 0.75 : 1.0},
                           3,
                           {from, from, from, from, from, from, 1, 1, 1}});
  return clip;
}

// Who appears by a scale that goes from nothing to one, at once or in a while, has flesh from there on, at its size,
// and in equilibrium: while growing it moves no farther than by the swing. Growth that ends at once, at 2 m/s at the
// end of the tube, throws flesh, and that of someone who was there all along alike.
TEST(Cuts, FleshBeginsWhereTheCharacterAppears) {
  for (const Interpolation interpolation : {Interpolation::step, Interpolation::linear}) {
    Character character = cut_tube();
    const bool at_once = interpolation == Interpolation::step;
    character.clips = {sampled_swing(30, 2), growing(0, interpolation), growing(0.25, Interpolation::linear)};
    const Scene scene = tetrahedra(character);
    const auto played = [&](int clip) { return largest_of_frames(bake(character, scene, nullptr, options_for(clip))); };
    const std::vector<double> usual = played(0), there = played(2);
    const double most = *std::max_element(usual.begin(), usual.end()),
                 thrown = at_once ? 0 : *std::max_element(there.begin() + 31, there.end());
    const BakeResult appearing = bake(character, scene, nullptr, options_for(1));
    const std::vector<double> shown = largest_of_frames(appearing);
    for (std::size_t f = 0; f < 15; ++f) EXPECT_EQ(shown[f], 0) << f;
    for (std::size_t f = 15; f < shown.size(); ++f) {
      const double size = at_once ? 1.0 : std::min(1.0, static_cast<double>(f - 15) / 15);
      EXPECT_LT(shown[f], 0.1 * size + 1e-9) << f;
      // A swing begins from rest there, so that it goes farther than one that has gone on for long.
      if (at_once || f < 31)
        EXPECT_LT(shown[f], 1.5 * most) << f;
      else
        EXPECT_NEAR(shown[f], there[f], 0.1 * thrown) << f;
    }
    const Quality quality = measure_quality(character, appearing.recording, appearing.report.cuts);
    EXPECT_GT(quality.seen, 0.5 * most) << "of the size at rest, a metre";
    EXPECT_LT(quality.largest, std::max(1.5 * most, 1.1 * thrown));
  }
}

TEST(Cuts, ARunIsResumedAcrossOne) {
  const Character character = cut_tube();
  const Scene scene = tetrahedra(character);
  Session straight(character, scene, whole(character.clips[1])), resumed(character, scene, whole(character.clips[1]));
  while (straight.elapsed() < 0.98) straight.step();
  resumed.load(straight.save(), 100);
  for (int k = 0; k < 30; ++k) {
    straight.step();
    resumed.step();
  }
  std::vector<Vec3> a(scene.surface->rest.positions.size()), b(a.size());
  straight.surface(a);
  resumed.surface(b);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace sinew
