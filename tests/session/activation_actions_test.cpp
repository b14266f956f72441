// Muscles whose activation users hold, as actions.
#include <gtest/gtest.h>

#include <optional>

#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/session/session.h"
#include "sinew/session/take_json.h"
#include "tests/base/refusal.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

class ActivationActions : public testing::Test {
 protected:
  ActivationActions()
      : character_(test::two_bone_tube(16, 12, 1, 0.1, [](double height) { return height > 0.5 ? 1.0 : 0.0; })) {
    character_.file = "arm.glb";
    character_.metres_per_unit = 1;
    flesh_.values.tetrahedra = 400;
    flesh_.values.muscles = R"({"version": 1, "muscles": [{"name": "flexor", "radius": 0.05,
        "origin": {"joint": "lower", "place": [0, 0.1, 0.03]}, "insertion": {"joint": "upper", "place": [0, 0.9, 0.03]},
        "activation": 0.25}]})";
    scene_ = cook(flesh_, {character_});
    session_.emplace(character_, scene_);
  }

  void go_on(double seconds) {
    for (const double end = session_->elapsed() + seconds; session_->elapsed() < end - 1e-9;) session_->step();
  }
  double now() { return session_->moment_at(session_->elapsed()).activation[0]; }
  double largest() {
    std::vector<Vec3> from_rig(scene_.surface->rest.positions.size());
    session_->displacements(session_->moment_at(session_->elapsed()), 0, from_rig);
    double most = 0;
    for (const Vec3& u : from_rig) most = std::max(most, norm(u));
    return most;
  }
  static Action held(std::optional<double> value, double seconds = 0, const std::string& name = "flexor") {
    Action action;
    action.kind = Action::Kind::activation;
    action.name = name;
    action.value = value;
    action.seconds = seconds;
    return action;
  }

  Character character_;
  FleshMethod flesh_;
  Scene scene_;
  std::optional<Session> session_;
};

TEST_F(ActivationActions, AHeldMuscleGoesThereAndIsGivenBack) {
  EXPECT_EQ(now(), 0.25);
  session_->act(held(1, 0.2));
  go_on(0.1);
  EXPECT_NEAR(now(), 0.625, 1e-9) << "half of the way";
  go_on(0.4);
  EXPECT_EQ(now(), 1);
  const double flexed = largest();
  session_->act(held({}, 0.1));
  go_on(0.05);
  EXPECT_NEAR(now(), 0.625, 1e-9);
  go_on(0.6);
  EXPECT_EQ(now(), 0.25);
  EXPECT_GT(flexed, 1.5 * largest());
}

TEST_F(ActivationActions, ATakeRepeatsThemAndStatesKeepThem) {
  session_->act(held(0.9, 0.1));
  go_on(0.05);
  const SessionState state = session_->save();
  const Take take = take_from_json(take_json(session_->take()), "take.json");
  go_on(0.2);
  const double end = largest();
  session_->load(state, HUGE_VAL);
  go_on(0.2);
  EXPECT_EQ(largest(), end);
  session_.emplace(character_, scene_);
  session_->repeat(take);
  go_on(0.25);
  EXPECT_EQ(largest(), end);
}

// A scene with another muscle of that name goes on with the activation that is held, and one without any forgets it.
TEST_F(ActivationActions, AChangedSceneKeepsWhatIsHeld) {
  session_->act(held(0.9));
  go_on(0.05);
  FleshMethod other = flesh_;
  other.values.activation = R"({"version": 1, "muscles": [{"name": "flexor", "activation": 0.5}]})";
  const Scene changed = cook(other, {character_});
  session_->change(changed);
  EXPECT_EQ(now(), 0.9);
  session_->act(held({}));
  go_on(0.01);
  EXPECT_EQ(now(), 0.5);
  session_->act(held(0.7));
  other.values.muscles.clear();
  other.values.activation.clear();
  const Scene without = cook(other, {character_});
  session_->change(without);
  go_on(0.05);
  EXPECT_TRUE(session_->moment_at(session_->elapsed()).activation.empty());
}

TEST_F(ActivationActions, RefusalsAreSentences) {
  const auto said = [&](const Action& action) {
    return test::refusal(ErrorKind::usage, [&] { session_->act(action); });
  };
  EXPECT_NE(said(held(1, 0, "biceps")).find("no muscle 'biceps'"), std::string::npos);
  EXPECT_NE(said(held(1.5)).find("activation"), std::string::npos);
  EXPECT_NE(said(held(NAN)).find("activation"), std::string::npos);
  EXPECT_TRUE(session_->take().empty());
  flesh_.values.muscles.clear();
  const Scene without = cook(flesh_, {character_});
  session_.emplace(character_, without);
  EXPECT_NE(said(held(1)).find("no muscles"), std::string::npos);
}

}  // namespace
}  // namespace sinew
