#include "sinew/shape/control_values.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/character/clip.h"

namespace sinew {
namespace {

// An upper arm along x, turned at rest, and an elbow below it whose bone goes along its own y.
Character arm_and_elbow() {
  Character character;
  character.file = "arm.glb";
  character.skeleton.joints.resize(3);
  character.skeleton.joints[0] = {"upper", -1, {{}, axis_angle({0, 0, 1}, 0.4), {2, 2, 2}}, {}, {}};
  character.skeleton.joints[1] = {"elbow", 0, {{0, 1, 0}, axis_angle(normalized(Vec3{1, 1, 0}), 0.3), {}}, {}, {}};
  character.skeleton.joints[2] = {"hand", 1, {{0, 1, 0}, {}, {1, 1, 1}}, {}, {}};
  character.skeleton.joints[1].rest.scale = {1, 1, 1};
  character.skeleton.parents_first = {0, 1, 2};
  return character;
}

ShapeFile rigs_with(const std::vector<std::string>& controls) {
  ShapeFile file{"shapes.json", {}, {}, {}};
  ShapeRig rig;
  rig.name = "flex";
  rig.controls = controls;
  file.rigs.push_back(rig);
  return file;
}

std::vector<double> values_in(const ControlValues& controls, Character character, const Quat& turn, double time = 0) {
  Joint& elbow = character.skeleton.joints[1];
  elbow.rest.rotation = elbow.rest.rotation * turn;
  std::vector<double> values(controls.size());
  controls.find(sample(character.skeleton, nullptr, 0), time, values);
  return values;
}

TEST(ControlValues, AJointsAngleIsThatFromRestRelativeToItsParent) {
  const ControlValues controls(rigs_with({"elbow", "elbow:swing", "elbow:twist", "elbow:x", "elbow:z"}), {},
                               arm_and_elbow(), {});
  EXPECT_NEAR(values_in(controls, arm_and_elbow(), {})[0], 0, 1e-6);
  const std::vector<double> bent = values_in(controls, arm_and_elbow(), axis_angle({1, 0, 0}, 0.5));
  const double degrees = 180 / std::numbers::pi;
  EXPECT_NEAR(bent[0], 0.5 * degrees, 1e-6);
  EXPECT_NEAR(bent[1], 0.5 * degrees, 1e-6);
  EXPECT_NEAR(bent[2], 0, 1e-6);
  EXPECT_NEAR(bent[3], 0.5 * degrees, 1e-6);
  EXPECT_NEAR(bent[4], 0, 1e-6);
  const std::vector<double> twisted = values_in(controls, arm_and_elbow(), axis_angle({0, 1, 0}, -0.8));
  EXPECT_NEAR(twisted[0], 0.8 * degrees, 1e-6);
  EXPECT_NEAR(twisted[1], 0, 1e-5);
  EXPECT_NEAR(twisted[2], -0.8 * degrees, 1e-6);
  const std::vector<double> both =
      values_in(controls, arm_and_elbow(), axis_angle({0, 0, 1}, 1.1) * axis_angle({0, 1, 0}, 0.6));
  EXPECT_NEAR(both[1], 1.1 * degrees, 1e-6);
  EXPECT_NEAR(both[2], 0.6 * degrees, 1e-6);
}

TEST(ControlValues, AbstractControlsAreHeldKeyedOrAtTheirValue) {
  ShapeFile file = rigs_with({"breathe", "smile", "frown"});
  file.controls = {
      {"breathe", 0, {{1, 0}, {2, 1}, {4, 0}}, true}, {"smile", 0.3, {}, false}, {"frown", 0, {{0, 1}}, false}};
  const HeldControl held[] = {held_control_from("frown=0.25")};
  const ControlValues controls(file, held, arm_and_elbow(), {});
  const auto at = [&](double time) { return values_in(controls, arm_and_elbow(), {}, time); };
  EXPECT_EQ(at(1.5)[0], 0.5);
  EXPECT_EQ(at(3)[0], 0.5);
  EXPECT_NEAR(at(4.5)[0], 0.5, 1e-12);
  EXPECT_NEAR(at(0)[0], 0.5, 1e-12) << "before the first key, in a loop of three seconds";
  EXPECT_EQ(at(0)[1], 0.3);
  EXPECT_EQ(at(0)[2], 0.25);
}

TEST(ControlValues, NumbersOfTheFileThatClipsMoveAreControls) {
  Character character = arm_and_elbow();
  character.skeleton.properties = {{"/nodes/1/extras/breathe", 0.5},
                                   {"/materials/0/emissiveFactor/1", 0},
                                   {"/nodes/0/extras/tense", 0},
                                   {"/nodes/2/extras/tense", 0}};
  Clip clip;
  clip.properties.push_back({{0}, {-1, ChannelPath::weights, Interpolation::linear, {0, 2}, 1, {0, 4}}});
  clip.properties.push_back({{1, 3}, {-1, ChannelPath::weights, Interpolation::step, {0, 1}, 2, {0, 1, 2, 3}}});
  const ControlValues controls(
      rigs_with({"breathe", "/materials/0/emissiveFactor/1", "/nodes/1/extras/breathe", "/nodes/2/extras/tense"}), {},
      character, {});
  std::vector<double> values(controls.size());
  const auto in = [&](const Clip* played) {
    controls.find(sample(character.skeleton, played, 1), 1, values);
    return values;
  };
  EXPECT_EQ(in(&clip), (std::vector<double>{2, 2, 2, 3}));
  EXPECT_EQ(in(nullptr), (std::vector<double>{0.5, 0, 0.5, 0}));
  EXPECT_TRUE(controls.is_posed(0));
  EXPECT_EQ(control_source("breathe", {}, character, {}), ControlSource::property);
  // A control of the rigs' file hides it.
  ShapeFile file = rigs_with({"breathe"});
  file.controls = {{"breathe", 0.75, {}, false}};
  const ControlValues hidden(file, {}, character, {});
  hidden.find(sample(character.skeleton, &clip, 1), 1, std::span(values).first(1));
  EXPECT_EQ(values[0], 0.75);
  for (const char* wrong : {"tense", "/nodes/1/extras/breath"}) try {
      ControlValues(rigs_with({wrong}), {}, character, {});
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << wrong;
    }
}

TEST(ControlValues, WhatDoesNotExistIsNamed) {
  try {
    ControlValues(rigs_with({"knee"}), {}, arm_and_elbow(), {});
    FAIL();
  } catch (const Error& error) {
    const std::string says = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(says.find("shapes.json: rig 'flex': arm.glb has no joint, morph target or custom property 'knee'"),
              std::string::npos)
        << says;
  }
  const HeldControl held[] = {{"smile", 1}};
  EXPECT_THROW(ControlValues(rigs_with({"elbow"}), held, arm_and_elbow(), {}), Error);
  for (const char* wrong : {"smile", "=1", "smile=", "smile=x", "smile=1x", "smile=nan", "smile=inf"})
    EXPECT_THROW(held_control_from(wrong), Error) << wrong;
}

}  // namespace
}  // namespace sinew
