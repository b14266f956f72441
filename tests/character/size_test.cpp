// What a file's unit is taken to be.
#include "sinew/character/size.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// A skinned quad of this height and width on a joint of this scale, and a taller prop without a skin.
Character figure(double height, double scale, double width) {
  Character character;
  character.file = "figure.glb";
  character.skeleton.joints.resize(1);
  character.skeleton.joints[0].rest.scale = {scale, scale, scale};
  character.skeleton.parents_first = {0};
  character.skins.push_back({"skin", {0}, {Affine{}}});
  Part body;
  body.joint = 0;
  body.skin = 0;
  body.surface.positions = {{0, 1, 0}, {width, 1, 0}, {width, 1 + height, 0}, {0, 1 + height, 0}};
  body.surface.triangles = {{0, 1, 2}, {0, 2, 3}};
  body.influences.assign(4, Influences{1, {0}, {1.0}});
  Part prop = body;
  prop.skin = -1;
  prop.influences.clear();
  prop.surface.positions[2].y = 100 * height;
  character.parts = {body, prop};
  return character;
}

Character figure(double height, double scale = 1) { return figure(height, scale, 0.5 * height); }

double unit_of(double height) { return decide_size(figure(height), {}, {}).metres_per_unit; }

TEST(Size, PlausibleHeightsAreMetres) {
  for (const double height : {0.3, 1.7, 10.0}) EXPECT_EQ(unit_of(height), 1) << height;
  // A spider, a hand, a giant and a tyrannosaur of 30 m from snout to tail: glTF means metres, and they may.
  for (const double height : {0.03, 0.07, 0.212, 12.0, 20.0}) EXPECT_EQ(unit_of(height), 1) << height;
  EXPECT_EQ(decide_size(figure(14.7, 1, 30.9), {}, {}).metres_per_unit, 1);
  EXPECT_EQ(decide_size(figure(11, 1, 49.6), {}, {}).metres_per_unit, 1);
  EXPECT_EQ(decide_size(figure(0.01, 1, 0.4), {}, {}).metres_per_unit, 1);  // a flatfish
}

TEST(Size, UnusualOnesAreRemarkedUpon) {
  const auto sentence = [](double height) { return decide_size(figure(height), {}, {}).sentence; };
  EXPECT_EQ(sentence(1.7), "The character is 1.7 m high.");
  EXPECT_EQ(sentence(14.7), "The character is 14.7 m high, as its file says (--height or --unit says otherwise).");
  EXPECT_EQ(sentence(0.07), "The character is 0.07 m high, as its file says (--height or --unit says otherwise).");
}

TEST(Size, TheHeightIsTheOneThatTheSentenceTells) {
  for (const double height : {0.07, 1.7, 14.7, 62.0, 170.0, 0.017}) {
    const SizeDecision decision = decide_size(figure(height), {}, {});
    char told[32];
    std::snprintf(told, sizeof told, "%.3g m high", decision.height());
    EXPECT_NE(decision.sentence.find(told), std::string::npos) << decision.sentence;
  }
}

TEST(Size, OtherHeightsAreOfTheFirstUnitThatFits) {
  EXPECT_EQ(unit_of(80), 0.01);  // a fox in centimetres
  EXPECT_EQ(unit_of(170), 0.01);
  EXPECT_EQ(unit_of(1700), 0.001);  // a man in millimetres
  EXPECT_EQ(unit_of(25), 0.01);     // a cat
  EXPECT_EQ(unit_of(62), 0.01);
  EXPECT_EQ(decide_size(figure(5, 1, 150), {}, {}).metres_per_unit, 0.01);  // no snake is 150 m long
  EXPECT_EQ(unit_of(0.017), 100);
  EXPECT_EQ(unit_of(0.0017), 1000);
}

TEST(Size, AHeightThatFitsNothingIsAMans) {
  for (const double scale : {1e-6, 1e6}) {
    const SizeDecision decision = decide_size(figure(1, scale), {}, {});
    EXPECT_NEAR(decision.metres_per_unit * decision.height_in_units, 1.7, 1e-12);
  }
}

TEST(Size, HeightIsThatOfThePosedSkinAlone) { EXPECT_DOUBLE_EQ(decide_size(figure(2, 3), {}, {}).height_in_units, 6); }

TEST(Size, WhatIsGivenWins) {
  EXPECT_EQ(decide_size(figure(80), {}, 1.0).metres_per_unit, 1);
  EXPECT_DOUBLE_EQ(decide_size(figure(80), 2.0, {}).metres_per_unit, 0.025);
  EXPECT_THROW(decide_size(figure(80), 2.0, 1.0), Error);
  EXPECT_THROW(decide_size(figure(80), -1.0, {}), Error);
  EXPECT_THROW(decide_size(figure(80), {}, 0.0), Error);
}

TEST(Size, AFileThatShowsNothing) {
  Character nothing;
  EXPECT_EQ(decide_size(nothing, {}, {}).metres_per_unit, 1);
  EXPECT_THROW(decide_size(nothing, 1.7, {}), Error);
}

TEST(Size, Units) {
  EXPECT_EQ(parse_unit("m"), 1);
  EXPECT_EQ(parse_unit("cm"), 0.01);
  EXPECT_EQ(parse_unit("mm"), 0.001);
  EXPECT_EQ(parse_unit("in"), 0.0254);
  EXPECT_EQ(parse_unit("ft"), 0.3048);
  EXPECT_EQ(parse_unit("0.5"), 0.5);
  for (const char* text : {"", "furlong", "0", "-1", "nan", "inf", "1cm"})
    EXPECT_THROW(parse_unit(text), Error) << text;
}

}  // namespace
}  // namespace sinew
