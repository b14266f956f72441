#include "sinew/shape/presets.h"

#include <gtest/gtest.h>

#include <map>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// A trunk, an arm with a forearm, and a head with a nose, each a cloud of skin around its bone.
SimulationSurface person(double scale) {
  SimulationSurface surface;
  const auto add_bone = [&](const char* name, int parent, const Vec3& head, const Vec3& tail, double around) {
    Bone bone;
    bone.name = name;
    bone.parent = parent;
    bone.segments = {{scale * head, scale * tail}};
    const int number = static_cast<int>(surface.bones.size());
    surface.bones.push_back(bone);
    const Vec3 x = normalized(tail - head), y = std::abs(x.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{0, 1, 0}, z = cross(x, y);
    const auto first = static_cast<int>(surface.rest.positions.size());
    for (int i = 0; i <= 4; ++i)
      for (int k = 0; k < 12; ++k) {
        const double angle = k * 0.5235987755982988;
        surface.rest.positions.push_back(
            scale * (head + 0.25 * i * (tail - head) + around * (std::cos(angle) * y + std::sin(angle) * z)));
        Influences on;
        on.count = 1;
        on.joint[0] = number;
        on.weight[0] = 1;
        surface.influences.push_back(on);
      }
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 12; ++k) {
        const int a = first + 12 * i + k, b = first + 12 * i + (k + 1) % 12;
        surface.rest.triangles.push_back({a, b, a + 12});
        surface.rest.triangles.push_back({b, b + 12, a + 12});
      }
  };
  add_bone("Chest", -1, {0, 1, 0}, {0, 1.4, 0}, 0.2);
  add_bone("upper_arm_l", 0, {0.25, 1.4, 0}, {0.55, 1.4, 0}, 0.06);
  add_bone("forearm_l", 1, {0.55, 1.4, 0}, {0.85, 1.4, 0}, 0.05);
  add_bone("Head", 0, {0, 1.5, 0}, {0, 1.75, 0}, 0.1);
  return surface;
}

TEST(Presets, AreForEveryoneWhoseBonesHaveNames) {
  const SimulationSurface surface = person(1);
  const std::map<std::string, std::size_t> pieces{{"breathing", 1},  {"biceps", 1},     {"chest_flex", 2},
                                                  {"smile", 2},      {"frown", 4},      {"nostrils", 2},
                                                  {"cheek_puff", 2}, {"double_chin", 1}};
  EXPECT_EQ(shape_presets().size(), pieces.size());
  for (const ShapePreset& preset : shape_presets()) {
    const std::vector<ShapeRig> rigs = preset_rigs(preset, "mine", {}, {}, surface);
    EXPECT_EQ(rigs.size(), pieces.at(preset.name)) << preset.name;
    for (const ShapeRig& rig : rigs) {
      EXPECT_TRUE(rig.by_displacement);
      EXPECT_EQ(rig.samples[0].eta[amplitude_parameter], 0) << "nothing at rest";
      EXPECT_STREQ(contradiction(rig.kind, rig.samples[1].eta), "");
      for (std::size_t k = 0; k < rig.samples[1].eta.size(); ++k)
        EXPECT_TRUE(parameters_of(rig)[k].range.holds(rig.samples[1].eta[k])) << rig.name;
    }
  }
  const ShapeRig biceps = preset_rigs(shape_preset("biceps"), "b", {}, {}, surface)[0];
  EXPECT_EQ(biceps.guide.bone, "upper_arm_l");
  EXPECT_EQ(biceps.controls, std::vector<std::string>{"forearm_l"});
}

TEST(Presets, ScaleWithTheCharacter) {
  const SimulationSurface one = person(1), two = person(2);
  for (const ShapePreset& preset : shape_presets()) {
    const std::vector<ShapeRig> a = preset_rigs(preset, "a", {}, {}, one), b = preset_rigs(preset, "a", {}, {}, two);
    for (std::size_t r = 0; r < a.size(); ++r) {
      const std::vector<ShapeParameter> rows = parameters_of(a[r]);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const bool length = k == amplitude_parameter || std::string(rows[k].unit.symbol) == "m";
        EXPECT_NEAR(b[r].samples[1].eta[k], (length ? 2 : 1) * a[r].samples[1].eta[k], 1e-9)
            << a[r].name << rows[k].name;
      }
    }
  }
}

TEST(Presets, TheForceOfASmileGoesUpAndOut) {
  for (const ShapeRig& rig : preset_rigs(shape_preset("smile"), "smile", {}, {}, person(1))) {
    const Affine frame = guide_frame(rig.guide, std::span(rig.samples[1].eta).subspan(2), person(1));
    const double side = rig.name == "smile_l" ? 1 : -1;
    EXPECT_LT(distance(frame.linear.column(1), normalized(Vec3{side * 0.5, 0.8, -0.3})), 1e-9);
    EXPECT_GT(side * frame.translation.x, 0);
  }
}

TEST(Presets, WhatIsMissingIsSaid) {
  SimulationSurface surface = person(1);
  for (Bone& bone : surface.bones) bone.name = "joint";
  EXPECT_THROW(preset_rigs(shape_preset("smile"), "smile", {}, {}, surface), Error);
  EXPECT_THROW(shape_preset("wink"), Error);
  EXPECT_EQ(preset_rigs(shape_preset("smile"), "s", Guide{GuideKind::bone, "joint", {}}, {}, surface).size(), 2u);
}

}  // namespace
}  // namespace sinew
