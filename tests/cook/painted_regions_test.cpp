// Regions of the blended linearisation as they are painted: weights that sum to one, and what they do to the motion.
#include "sinew/cook/lattice/painted_regions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_cook.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

constexpr std::size_t first_region = field("region_1");

FleshSettings blended_settings() {
  FleshSettings settings = quick_settings(Reference::elastic);
  settings.lattice.file = auto_lattice;
  settings.lattice.linearization = Linearization::blended;
  return settings;
}

// The tube that bends on a joint which stands still.
Character bending_tube() {
  Character character = tube_character();
  for (Clip& clip : character.clips) clip.channels.resize(1);
  return character;
}

// Paints `value(y)` on the tube at height y, 0 to 1.
template <class Value>
void paint_region(std::size_t region, const Value& value, Character& character) {
  for (Part& part : character.parts) {
    part.fields[first_region + region].clear();
    for (const Vec3& x : part.surface.positions) part.fields[first_region + region].push_back(value(x.y));
  }
}

void paint_evenly(std::size_t region, double value, Character& character) {
  paint_region(
      region, [value](double) { return value; }, character);
}

const ControlLattice& lattice_to_paint() {
  static const ControlLattice lattice = [] {
    const Character character = tube_character();
    return build_lattice(character, simulation_surface(character), {60}).lattice;
  }();
  return lattice;
}

LatticeDescription described(const Character& character, const FleshSettings& settings) {
  return prepare_lattice_base(prepare_flesh(character, settings), lattice_to_paint(), settings).description;
}

BakeResult bake_with_regions(const Character& character, const FleshSettings& settings, double seconds) {
  CookedFlesh scene = prepare_flesh(character, settings);
  scene.lattice = prepare_lattice(scene, lattice_to_paint(), settings);
  BakeOptions options = options_for(0);
  options.end = seconds;
  return bake_flesh(character, scene, settings, options);
}

double weight_on(const Influences& influences, int bone) {
  double weight = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
    if (influences.joint[k] == bone) weight += influences.weight[k];
  return weight;
}

double largest_difference(const BakeResult& a, const BakeResult& b) {
  double most = 0;
  for (std::size_t frame = 0; frame < a.recording.times.size(); ++frame)
    most = std::max(most, frame_difference(a, frame, b, frame));
  return most;
}

TEST(PaintedRegions, WithoutPaintTheSkinDecides) {
  Character neutral = tube_character();
  paint_evenly(2, 0, neutral);
  EXPECT_TRUE(described(neutral, blended_settings()).regions.empty());
  EXPECT_EQ(values(bake_with_regions(neutral, blended_settings(), 0.1)),
            values(bake_with_regions(tube_character(), blended_settings(), 0.1)));
  // Other linearisations have no regions.
  FleshSettings warped = blended_settings();
  warped.lattice.linearization = Linearization::warped;
  paint_evenly(2, 1, neutral);
  EXPECT_TRUE(described(neutral, warped).regions.empty());
}

// A body that is one region is linear in the frame of its bone, which here stands still.
TEST(PaintedRegions, OneRegionThatStandsStillIsTheLinearizationAboutRest) {
  Character character = bending_tube();
  FleshSettings settings = blended_settings();
  settings.tolerance = 1e-9;
  const BakeResult by_skin = bake_with_regions(character, settings, 0.5);
  paint_evenly(0, 1, character);
  settings.lattice.region_bones = {"1=lower"};
  const BakeResult one = bake_with_regions(character, settings, 0.5);
  settings.lattice.region_bones.clear();
  settings.lattice.linearization = Linearization::linear;
  const BakeResult linear = bake_with_regions(character, settings, 0.5);
  const double moved = largest_value(linear);
  ASSERT_GT(moved, 0.01);
  EXPECT_LT(largest_difference(one, linear), 1e-5 * moved);
  EXPECT_GT(largest_difference(by_skin, linear), 0.01 * moved);
}

TEST(PaintedRegions, WeightsAreThoseOfThePaintAndSumToOne) {
  Character character = tube_character();
  FleshSettings settings = blended_settings();
  settings.lattice.region_bones = {"1=lower", "4=upp*"};
  paint_region(
      0, [](double y) { return 1 - y; }, character);
  paint_region(
      3, [](double y) { return y; }, character);
  const LatticeDescription both = described(character, settings);
  // Twice as much of both is divided by its sum.
  paint_region(
      0, [](double y) { return std::min(1.0, 2 - 2 * y); }, character);
  paint_region(
      3, [](double y) { return std::min(1.0, 2 * y); }, character);
  const LatticeDescription more = described(character, settings);
  // Where one region is painted, the skin decides the rest.
  for (Part& part : character.parts) part.fields[first_region].clear();
  paint_region(
      3, [](double y) { return 0.5 * y; }, character);
  const LatticeDescription half = described(character, settings);
  ASSERT_EQ(both.regions.size(), both.influences.size());
  for (std::size_t f = 0; f < both.regions.size(); ++f) {
    const double y = std::clamp(both.place[f].y, 0.0, 1.0);
    for (const LatticeDescription* d : {&both, &more, &half}) {
      double sum = 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(d->regions[f].count); ++k) sum += d->regions[f].weight[k];
      EXPECT_NEAR(sum, 1, 1e-12);
    }
    // Paint on the skin is carried inside smoothly.
    EXPECT_NEAR(weight_on(both.regions[f], 1), y, 0.03) << y;
    EXPECT_NEAR(weight_on(more.regions[f], 1), std::min(1.0, 2 * y) / (std::min(1.0, 2 * y) + std::min(1.0, 2 - 2 * y)),
                0.03)
        << y;
    EXPECT_NEAR(weight_on(half.regions[f], 1), 0.5 * y + (1 - 0.5 * y) * weight_on(half.influences[f], 1), 0.03) << y;
  }
}

TEST(PaintedRegions, ARegionHasTheBoneOfMostOfItsFlesh) {
  Character character = tube_character();
  paint_region(
      1, [](double y) { return y > 0.3 ? 1.0 : 0.0; }, character);
  const LatticeDescription upper = described(character, blended_settings());
  for (std::size_t f = 0; f < upper.regions.size(); ++f) {
    const double y = upper.place[f].y, weight = weight_on(upper.regions[f], 1);
    EXPECT_TRUE(y > 0.5 ? weight > 0.99 : y < 0.1 ? weight < 0.05 : true) << y << " " << weight;
  }
}

TEST(PaintedRegionsDeterminism, ThreadsDoNotChangeABit) {
  Character character = tube_character();
  paint_region(
      0, [](double y) { return y > 0.6 ? 0.7 : 0.2; }, character);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.push_back(values(bake_with_regions(character, blended_settings(), 0.2)));
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(PaintedRegions, BonesThatAreNotThereAreRefusedInASentence) {
  FleshSettings settings = blended_settings();
  settings.lattice.region_bones = {"2=wing"};
  EXPECT_NE(refusal(ErrorKind::usage, [&] { described(tube_character(), settings); }).find("'wing'"),
            std::string::npos);
  for (const char* text : {"", "1", "1=", "0=lower", "5=lower", "lower", "lower=1"}) {
    settings.lattice.region_bones = {text};
    EXPECT_NE(first_complaint(settings_of(settings)), "") << text;
  }
  settings.lattice.region_bones = {"1=lower", "2=upper", "1=upper"};
  EXPECT_NE(first_complaint(settings_of(settings)).find("region 1 has two bones"), std::string::npos);
  settings.lattice.region_bones = {"1=lower"};
  EXPECT_EQ(first_complaint(settings_of(settings)), "");
  settings.lattice.linearization = Linearization::warped;
  EXPECT_NE(first_complaint(settings_of(settings)).find("blended"), std::string::npos);
}

TEST(PaintedRegions, WhatDoesNothingIsSaid) {
  FleshSettings settings = blended_settings();
  settings.lattice.region_bones = {"1=lower", "3=upper"};
  Fields painted;
  painted[first_region] = {0, 0.5};
  painted[first_region + 2] = {0, 0};
  std::vector<std::string> notes = notes_on_regions(painted, settings.lattice);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("region 3 is not painted"), std::string::npos);
  settings.lattice.region_bones.clear();
  EXPECT_TRUE(notes_on_regions(painted, settings.lattice).empty());
  settings.lattice.linearization = Linearization::warped;
  ASSERT_EQ(notes_on_regions(painted, settings.lattice).size(), 1u);
  painted[first_region].clear();
  EXPECT_TRUE(notes_on_regions(painted, settings.lattice).empty());

  // The cook passes them on.
  Character character = tube_character();
  paint_evenly(1, 1, character);
  const Scene scene = FleshCook().prepare(quick_settings(Reference::rig), {character});
  ASSERT_FALSE(scene.report.warnings.empty());
  EXPECT_NE(scene.report.warnings.back().find("Painted regions do nothing"), std::string::npos);
}

}  // namespace
}  // namespace sinew
