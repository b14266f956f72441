#include "sinew/shape/edit_shapes.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {
namespace {

ShapeRig bump(const std::string& name, const std::string& control) {
  ShapeRig rig;
  rig.name = name;
  rig.controls = {control};
  rig.guide = {GuideKind::bone, "root", {}};
  rig.samples = {{{0}, usual_parameters(rig)}};
  return rig;
}

class EditShapes : public testing::Test {
 protected:
  Character character_;
  SimulationSurface surface_;
  ShapeFile file_;

  void add(const ShapeRig& rig) { add_rigs(file_, {rig}, false, character_, surface_); }
};

TEST_F(EditShapes, ControlsThatNothingHasBecomeTheFilesAndGoWithTheirLastRig) {
  add(bump("a", "smile"));
  add(bump("b", "smile"));
  ASSERT_EQ(file_.controls.size(), 1u);
  remove_rig(file_, "a");
  EXPECT_EQ(file_.controls.size(), 1u) << "b has it still";
  replace_rig(file_, "b", bump("b", "frown"), character_, surface_);
  ASSERT_EQ(file_.controls.size(), 1u);
  EXPECT_EQ(file_.controls[0].name, "frown");
  remove_rig(file_, "b");
  EXPECT_TRUE(file_.controls.empty());
}

TEST_F(EditShapes, KeyedControlsOfOtherRigsStay) {
  file_.controls.push_back({"breathe", 0, {{0, 0}, {1, 1}}, true});
  add(bump("a", "smile"));
  remove_rig(file_, "a");
  ASSERT_EQ(file_.controls.size(), 1u) << "what drove no rig before stays too";
  EXPECT_EQ(file_.controls[0].keys.size(), 2u);
}

TEST_F(EditShapes, AReplacedRigStaysWhereItIsInTheList) {
  for (const char* name : {"a", "b", "c"}) add(bump(name, "smile"));
  replace_rig(file_, "b", bump("belly", "smile"), character_, surface_);
  EXPECT_EQ(file_.rigs[1].name, "belly");
  EXPECT_THROW(replace_rig(file_, "belly", bump("c", "smile"), character_, surface_), Error);
  EXPECT_THROW(rig_in(file_, "d"), Error);
}

TEST_F(EditShapes, ARigByItselfIsReadAsItWasWritten) {
  ShapeRig rig = bump("a", "smile");
  rig.by_displacement = true;
  rig.samples[0].eta[0] = 0.125;
  const std::string text = rig_json(rig);
  EXPECT_EQ(rig_json(rig_from_json(text, "rig")), text);
  EXPECT_THROW(rig_from_json("{\"name\": \"a\"}", "rig"), Error);
}

}  // namespace
}  // namespace sinew
