// What is said of belts and grabs over a clip: one sentence, and a failure where they do not do what was asked for.
#include "sinew/bake/held_notes.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

BakeResult said(const std::vector<HeldRecord>& records, double height) {
  BakeResult result;
  result.report.name = "Walk";
  report_constraint_errors(records, height, result);
  return result;
}

TEST(HeldNotes, AThousandStepsAreOneSentence) {
  std::vector<HeldRecord> records;
  for (int step = 0; step < 1000; ++step) {
    const std::vector<ConstraintError> constraint_errors{
        {"waist", true, step % 2 == 0 ? 0.001 : 0.003, step == 600 ? 0.02 : 0.01}, {"hand", false, 0, 0}};
    add_constraint_errors(constraint_errors, 0.01 * step, records);
  }
  ASSERT_EQ(records.size(), 2u);
  EXPECT_NEAR(records[0].constraint_error.mean, 0.002, 1e-12);
  const BakeResult result = said(records, 1.7);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(
      result.notes[0],
      "Walk: belt 'waist' is 2 mm from its size on average, 20 mm where it is farthest, at 6.00 s; the cells there "
      "cannot follow it more closely.");
  EXPECT_TRUE(result.failures.empty());
}

TEST(HeldNotes, WhatIsMetIsNotMentioned) {
  std::vector<HeldRecord> records;
  add_constraint_errors(std::vector<ConstraintError>{{"waist", true, 1e-6, 1e-5}}, 0, records);
  const BakeResult result = said(records, 1.7);
  EXPECT_TRUE(result.notes.empty());
  EXPECT_TRUE(result.failures.empty());
}

// As a share of the height: what is nothing for an elephant is a failure for a mouse.
TEST(HeldNotes, FarOffIsAFailure) {
  std::vector<HeldRecord> records;
  add_constraint_errors(std::vector<ConstraintError>{{"left", false, 0.004, 0.004}, {"right", false, 0.004, 0.004}}, 0,
                        records);
  EXPECT_TRUE(said(records, 3).failures.empty());
  const BakeResult mouse = said(records, 0.1);
  EXPECT_TRUE(mouse.notes.empty());
  ASSERT_EQ(mouse.failures.size(), 1u);
  EXPECT_NE(mouse.failures[0].find("grab 'left' is 4 mm from where it should be"), std::string::npos);
  EXPECT_NE(mouse.failures[0].find("'right'"), std::string::npos);
}

}  // namespace
}  // namespace sinew
