// The controls that rig-space physics is given: patterns of names, and refusals.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/cook/rig_space/choose_controls.h"
#include "tests/bake/rig_space_scenes.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

TEST(CookedRigSpace, FreesWhatPatternsName) {
  const Character character = tube_character();
  const CharacterRig rig(character, simulation_surface(character));
  const auto names = [&](std::vector<std::string> patterns) {
    std::vector<std::string> result;
    for (const int i : chosen_parameters(rig.parameters(), patterns).parameters)
      result.push_back(rig.parameters()[at(i)].name);
    return result;
  };
  const std::vector<std::string> upper{"upper.translation.x", "upper.translation.y", "upper.translation.z",
                                       "upper.rotation.x",    "upper.rotation.y",    "upper.rotation.z"};
  EXPECT_EQ(names({"upper"}), upper);
  EXPECT_EQ(names({"upp*", "upper.rotation.x"}), upper);
  EXPECT_EQ(names({"*.translation.y"}),
            (std::vector<std::string>{"mesh.translation.y", "lower.translation.y", "upper.translation.y"}));
  EXPECT_EQ(names({"*"}).size(), 12u);  // of joints that carry skin
  // Sizes are asked for by name.
  EXPECT_EQ(names({"upper.scale"}), std::vector<std::string>{"upper.scale"});
  EXPECT_EQ(names({"upper.scale.*"}).size(), 3u);
  EXPECT_EQ(chosen_parameters(rig.parameters(), std::vector<std::string>{"upper", "belly*", "tail"}).unmatched,
            (std::vector<std::string>{"belly*", "tail"}));
}

// All that is wrong with what is to be free, in one message.
TEST(CookedRigSpace, RefusesAllAtOnce) {
  const Character character = tube_character();
  const std::string words = refusal(ErrorKind::usage, [&] {
    cooked(character, quick({"upper.scale*", "belly", "mesh.rotation.x", "tail*"}));
  });
  for (const char* part : {"'belly', 'tail*'", "'upper.scale'", "'mesh.rotation.x'"})
    EXPECT_NE(words.find(part), std::string::npos) << part << " in " << words;
  // A tube of two bones is no character with ears.
  const std::string none = refusal(ErrorKind::usage, [&] { cooked(character, quick({"auto"})); });
  EXPECT_NE(none.find("hangs in flesh"), std::string::npos);
  EXPECT_NE(none.find("'upper'"), std::string::npos);
}

}  // namespace
}  // namespace sinew
