// Which skeleton a character without skin weights is bound to, and which it is not.
#include "sinew/character/adopt_skeleton.h"

#include <gtest/gtest.h>

#include <string>

#include "sinew/base/error.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

// A hip that is a node, a body on it, and two legs on nodes of their own.
Character of_parts(bool legs_are_keyed) {
  Character character;
  character.file = "walker.glb";
  const char* names[] = {"hip", "body", "leg-left", "leg-right"};
  for (int j = 0; j < 4; ++j) {
    Joint joint;
    joint.name = names[j];
    joint.parent = j == 0 ? -1 : 0;
    joint.rest.translation = {j == 2 ? -0.1 : j == 3 ? 0.1 : 0.0, j == 1 ? 0.5 : 0.0, 0};
    character.skeleton.joints.push_back(joint);
    character.skeleton.parents_first.push_back(j);
    if (j == 0) continue;
    Part part;
    part.name = names[j];
    part.joint = part.mesh = j;
    part.surface = test::upright_tube(4, 6, 0.5, 0.1);
    character.parts.push_back(part);
  }
  Clip clip{"walk", {{0, ChannelPath::translation, Interpolation::linear, {0, 1}, 3, {0, 0, 0, 0, 0.1, 0}}}, 0, 1};
  const double turned = legs_are_keyed ? 0.2 : 0.0;
  for (const int leg : {2, 3})
    clip.channels.push_back({leg,
                             ChannelPath::rotation,
                             Interpolation::linear,
                             {0, 1},
                             4,
                             {0, 0, 0, 1, turned, 0, 0, std::sqrt(1 - turned * turned)}});
  character.clips.push_back(clip);
  return character;
}

TEST(AdoptSkeleton, PartsOnKeyedNodesAreRefusedByName) {
  Character character = of_parts(true);
  try {
    adopt_skeleton(character);
    FAIL() << "their motion would be lost";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find("walker.glb"), std::string::npos);
    EXPECT_NE(sentence.find("'leg-left', 'leg-right'"), std::string::npos);
    EXPECT_EQ(sentence.find("'body'"), std::string::npos);
  }
}

TEST(AdoptSkeleton, NobodyIsToldOfAMethodThatRefusesThem) {
  EXPECT_FALSE(has_skeleton_to_adopt(of_parts(true)));
  EXPECT_TRUE(has_skeleton_to_adopt(of_parts(false)));
}

TEST(AdoptSkeleton, PartsThatOnlyTheSkeletonMovesAreBound) {
  Character character = of_parts(false);
  EXPECT_NO_THROW(adopt_skeleton(character));
  for (const Part& part : character.parts) EXPECT_GE(part.skin, 0);
}

}  // namespace
}  // namespace sinew
