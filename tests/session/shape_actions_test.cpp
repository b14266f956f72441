// Controls of force rigs that users hold, and rigs that they switch off, as actions.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/session/session.h"
#include "sinew/shape/guide.h"
#include "tests/base/scratch.h"
#include "tests/rig/cut_clips.h"

namespace sinew {
namespace {

using namespace test;

class ShapeActions : public testing::Test {
 protected:
  ShapeActions() : character_(plain_tube()) {
    const SimulationSurface surface = simulation_surface(character_);
    const Bone& bone = surface.bones.back();
    std::string text = R"({"version": 1, "character": {"name": "tube", "height": HEIGHT, "bones": BONES},
      "controls": [{"name": "swell", "value": 0}],
      "rigs": [{"name": "swollen", "template": "radial", "guide": "bone", "bone": "BONE", "controls": ["swell"],
                "samples": [{"at": 0, "displacement": 0, "radius": 0.15},
                            {"at": 1, "displacement": 0.02, "radius": 0.15}]}]})";
    const auto put = [&](const std::string& word, const std::string& value) {
      text.replace(text.find(word), word.size(), value);
    };
    put("HEIGHT", std::to_string(standing_height(surface)));
    put("BONES", std::to_string(surface.bones.size()));
    put("\"BONE\"", "\"" + bone.name + "\"");
    const std::filesystem::path rigs = scratch_path("shapes.json");
    write_file(rigs, std::as_bytes(std::span(text)));
    flesh_.values.tetrahedra = 1000;
    flesh_.values.shapes = rigs.string();
    scene_ = cook(flesh_, {character_});
    session_.emplace(character_, scene_);
  }

  double largest() {
    std::vector<Vec3> from_rig(scene_.surface->rest.positions.size());
    session_->displacements(session_->moment_at(session_->elapsed()), 0, from_rig);
    double most = 0;
    for (const Vec3& u : from_rig) most = std::max(most, norm(u));
    return most;
  }
  void settle() {
    const double end = session_->elapsed() + 2;
    while (session_->elapsed() < end) session_->step();
  }
  static Action held(std::optional<double> value, double seconds = 0) {
    Action action;
    action.kind = Action::Kind::control;
    action.name = "swell";
    action.value = value;
    action.seconds = seconds;
    return action;
  }
  static Action share(double value) {
    Action action = held(value);
    action.kind = Action::Kind::rig;
    action.name = "swollen";
    return action;
  }

  Character character_;
  FleshMethod flesh_;
  Scene scene_;
  std::optional<Session> session_;
};

TEST_F(ShapeActions, AHeldControlShapesTheFleshUntilItIsReleased) {
  ASSERT_EQ(scene_.shapes->controls().size(), 1u);
  EXPECT_EQ(scene_.shapes->controls()[0].most, 1);
  EXPECT_LT(largest(), 1e-6);
  session_->act(held(1, 0.3));
  session_->step();
  EXPECT_LT(largest(), 0.002) << "it goes there in 0.3 s";
  settle();
  const double whole = largest();
  EXPECT_NEAR(whole, 0.02, 0.001);
  session_->act(share(0.5));
  settle();
  EXPECT_GT(largest(), 0.3 * whole);
  EXPECT_LT(largest(), 0.8 * whole);
  session_->act(share(1));
  session_->act(held({}));
  settle();
  EXPECT_LT(largest(), 1e-3);
}

TEST_F(ShapeActions, ATakeRepeatsThemAndStatesKeepThem) {
  session_->act(held(1, 0.1));
  for (int k = 0; k < 30; ++k) session_->step();
  const SessionState state = session_->save();
  for (int k = 0; k < 30; ++k) session_->step();
  const double end = largest();
  const Take take = session_->take();
  session_->load(state, HUGE_VAL);
  for (int k = 0; k < 30; ++k) session_->step();
  EXPECT_EQ(largest(), end);
  session_.emplace(character_, scene_);
  session_->repeat(take);
  for (int k = 0; k < 60; ++k) session_->step();
  EXPECT_EQ(largest(), end);
}

// Capell (2004), section 6.8, figure 6.8d: a belt beside rigs. The ring keeps its shape, and flesh swells on both
// sides.
TEST_F(ShapeActions, ABeltHoldsWhatForcesSwell) {
  const BoneSegment& segment = main_segment(scene_.surface->bones.back());
  const Vec3 middle = 0.5 * (segment.head + segment.tail), along = normalized(segment.tail - segment.head);
  // Largest displacements of the skin within 1.5 cm of the belt's plane, and 5 to 10 cm from it.
  const auto swollen = [&] {
    session_->act(held(1));
    settle();
    std::vector<Vec3> from_rig(scene_.surface->rest.positions.size());
    session_->displacements(session_->moment_at(session_->elapsed()), 0, from_rig);
    double near = 0, beside = 0;
    for (std::size_t v = 0; v < from_rig.size(); ++v) {
      const double away = std::abs(dot(scene_.surface->rest.positions[v] - middle, along));
      if (away < 0.015) near = std::max(near, norm(from_rig[v]));
      if (away > 0.05 && away < 0.1) beside = std::max(beside, norm(from_rig[v]));
    }
    return std::pair(near, beside);
  };
  const auto [free_near, free_beside] = swollen();
  ASSERT_GT(free_near, 0.01);
  BeltSettings belt;
  belt.point = middle;
  belt.normal = along;
  belt.width = 0.03;
  belt.joint = scene_.surface->bones.back().name;
  flesh_.values.belts = {belt};
  scene_ = cook(flesh_, {character_});
  session_.emplace(character_, scene_);
  const auto [near, beside] = swollen();
  EXPECT_LT(near, 0.2 * free_near);
  EXPECT_GT(beside, 0.3 * free_beside);
  EXPECT_GT(beside, 2 * near);
}

// Another scene's rigs are known by their names, not their places.
TEST_F(ShapeActions, WhatIsHeldFollowsItsName) {
  session_->act(share(0));
  session_->act(held(1));
  settle();
  EXPECT_LT(largest(), 1e-3) << "the rig is off";
  std::string text = read_text_file(flesh_.values.shapes);
  text.replace(text.find("\"swollen\""), 9, "\"other\"");
  const std::filesystem::path rigs = scratch_path("other.json");
  write_file(rigs, std::as_bytes(std::span(text)));
  flesh_.values.shapes = rigs.string();
  const Scene other = cook(flesh_, {character_});
  session_->change(other);
  settle();
  EXPECT_GT(largest(), 0.01) << "the other rig is on, and the control still held";
  flesh_.values.shapes.clear();
  const Scene without = cook(flesh_, {character_});
  const SessionState state = session_->save();
  session_->change(without);
  session_->load(state, HUGE_VAL);
  session_->step();
}

TEST_F(ShapeActions, AReleasedControlGoesBackInItsTime) {
  session_->act(held(1));
  settle();
  const double whole = largest();
  session_->act(held({}, 1));
  for (int k = 0; k < 60; ++k) session_->step();  // a quarter of a second
  EXPECT_GT(largest(), 0.5 * whole);
  settle();
  EXPECT_LT(largest(), 1e-3);
}

TEST_F(ShapeActions, UnknownNamesAreSaid) {
  Action action = held(1);
  action.name = "smile";
  EXPECT_THROW(session_->act(action), Error);
  EXPECT_THROW(session_->act(share(2)), Error);
  flesh_.values.shapes.clear();
  const Scene without = cook(flesh_, {character_});
  Session session(character_, without);
  EXPECT_THROW(session.act(held(1)), Error);
}

}  // namespace
}  // namespace sinew
