// Balls that fall in the studio: let go by a switch, seen in frames, taken up again by a drag, and baked as the command
// line bakes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/file.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

Json ball_at(double x, double y, bool falls) {
  return Json::array({{{"shape", "sphere"}, {"centre", {x, y, 0}}, {"radius", 0.05}, {"falls", falls}}});
}

class StudioBalls : public StudioSession {
 protected:
  void put(const Json& colliders) { ask("set", {{"path", "colliders"}, {"value", colliders}}); }
  // In the next frame that shows the ball; a session that begins has it after its first step.
  double height_of_ball() {
    for (int k = 0; k < 2000; ++k)
      if (const ReadFrame frame = page_->frame(); !frame.balls.empty()) return frame.balls[0].y;
    return HUGE_VAL;
  }
  // The first frame that shows a ball lower than `height`.
  double falls_below(double height) {
    for (int k = 0; k < 2000; ++k)
      if (const ReadFrame frame = page_->frame(); !frame.balls.empty() && frame.balls[0].y < height)
        return frame.balls[0].y;
    return HUGE_VAL;
  }
};

TEST_F(StudioBalls, FallFromASwitchAndAreTakenUpByADrag) {
  ASSERT_TRUE(state()["method"]["can"]["balls"]);
  ask("set", {{"path", "ground"}, {"value", 0}});
  put(ball_at(1, 0.6, false));
  EXPECT_TRUE(page_->frame().balls.empty());
  put(ball_at(1, 0.6, true));
  EXPECT_LT(falls_below(0.4), 0.4);
  ask("set", {{"path", "damping"}, {"value", 0.4}});  // goes on where it is
  EXPECT_LT(height_of_ball(), 0.6);
  put(ball_at(1, 0.9, true));
  double highest = 0;
  for (int k = 0; k < 20; ++k) highest = std::max(highest, height_of_ball());
  EXPECT_GT(highest, 0.7);
  ask("method", {{"name", "linear"}});
  EXPECT_FALSE(state()["method"]["can"]["balls"]);
}

// The page drags a ball that has fallen by giving it the place where it lies, and then places nearby.
TEST_F(StudioBalls, DraggedFromWhereItLiesItDoesNotJump) {
  ask("set", {{"path", "ground"}, {"value", 0}});
  put(ball_at(1, 0.6, true));
  double held = falls_below(0.3);
  ASSERT_LT(held, 0.3);
  for (int k = 0; k < 5; ++k, held += 0.01) {
    put(ball_at(1, held, true));
    // It falls on from there, and is nowhere above.
    for (int frame = 0; frame < 3; ++frame) EXPECT_LT(height_of_ball(), held + 1e-3) << k;
  }
}

TEST_F(StudioBalls, GoOnWhenAColliderBeforeThemIsRemoved) {
  ask("set", {{"path", "ground"}, {"value", 0}});
  Json both = ball_at(-2, 0.5, false);
  both.push_back(ball_at(1, 0.6, true)[0]);
  put(both);
  ASSERT_LT(falls_below(0.2), 0.2);
  put(ball_at(1, 0.6, true));
  // It began 0.6 m up, and bounces less high than it fell.
  for (int frame = 0; frame < 10; ++frame) EXPECT_LT(height_of_ball(), 0.4);
}

TEST_F(StudioBalls, AreBakedAsTheCommandLineBakesThem) {
  ask("bake", {{"output", "without.glb"}, {"clip", "shake"}});
  page_->event("baked");
  put(ball_at(0.12, 1.2, true));
  ask("bake", {{"output", "ball.glb"}, {"clip", "shake"}});
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "line.glb";
  job.clip = "shake";
  FleshMethod method;
  read_table(method.settings(), read_text_file(folder_ / "ball.settings.json"), "settings");
  job.method = method;
  animate_file(job);
  EXPECT_EQ(read_text_file(folder_ / "line.glb"), read_text_file(folder_ / "ball.glb"));
  EXPECT_NE(read_text_file(folder_ / "without.glb"), read_text_file(folder_ / "ball.glb")) << "it hits the tube";
}

}  // namespace
