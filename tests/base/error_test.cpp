// Errors carry their sentence and the exit code of the program.
#include "sinew/base/error.h"

#include <gtest/gtest.h>

#include <string>

namespace sinew {
namespace {

TEST(Error, KindsAreTheExitCodesOfTheContract) {
  EXPECT_EQ(static_cast<int>(ErrorKind::usage), 2);
  EXPECT_EQ(static_cast<int>(ErrorKind::input), 3);
  EXPECT_EQ(static_cast<int>(ErrorKind::simulation), 4);
}

TEST(Error, MakersGiveTheirKindAndTheSentenceAsItWasWritten) {
  const std::string sentence = "bear.glb: joint 3 ('knee') has zero length; move its child away from it.";
  EXPECT_EQ(usage_error(sentence).kind(), ErrorKind::usage);
  EXPECT_EQ(input_error(sentence).kind(), ErrorKind::input);
  EXPECT_EQ(simulation_error(sentence).kind(), ErrorKind::simulation);
  for (const Error& error : {usage_error(sentence), input_error(sentence), simulation_error(sentence)})
    EXPECT_EQ(error.what(), sentence);
}

TEST(Error, IsCaughtAsAStandardException) {
  try {
    throw input_error("empty.glb: holds nothing.");
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "empty.glb: holds nothing.");
    const auto* own = dynamic_cast<const Error*>(&error);
    ASSERT_NE(own, nullptr);
    EXPECT_EQ(own->kind(), ErrorKind::input);
  }
}

}  // namespace
}  // namespace sinew
