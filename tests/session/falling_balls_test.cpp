// Balls that fall: Galileo's parabola, bounces, rolling, rest on ground and flesh, momentum, and the same bits again.
#include "sinew/session/falling_balls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/methods.h"
#include "sinew/files/settings_json.h"
#include "sinew/mesh/surface_centroid.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

constexpr Vec3 down{0, -9.81, 0};

ColliderSettings falling_ball(const Vec3& place, double radius, double density = 500) {
  ColliderSettings ball;
  ball.point = place;
  ball.radius = radius;
  ball.density = density;
  ball.falls = true;
  return ball;
}

// A ball alone, over a ground.
struct Flight {
  explicit Flight(ColliderSettings setting) : ball(falling_balls({&setting, 1})[0]) { state.place = setting.point; }

  void run(double seconds, double step) {
    for (int k = 0; k < std::lround(seconds / step); ++k) fly(ball, {environment, down, step}, state);
  }
  double energy() const {
    return 0.5 * dot(state.velocity, state.velocity) + 0.2 * ball.radius * ball.radius * dot(state.spin, state.spin) -
           down.y * state.place.y;
  }

  Ball ball;
  BallState state;
  Environment environment;
};

TEST(FallingBalls, FallAsGalileoSays) {
  Flight flight(falling_ball({0, 2, 0}, 0.1));
  flight.state.velocity = {1, 0.5, 0};
  flight.run(0.6, 1.0 / 240);
  EXPECT_NEAR(flight.state.place.y, 2 + 0.5 * 0.6 - 0.5 * 9.81 * 0.36, 1e-12);
  EXPECT_NEAR(flight.state.place.x, 0.6, 1e-12);
  EXPECT_NEAR(flight.ball.mass, 500 * 4.0 / 3 * std::numbers::pi * 1e-3, 1e-12);
}

TEST(FallingBalls, AnElasticBounceKeepsTheEnergyAndReturnsWhereItBegan) {
  ColliderSettings setting = falling_ball({0, 1.1, 0}, 0.1);
  setting.bounce = 1;
  for (const double step : {1.0 / 60, 1.0 / 240}) {
    Flight flight(setting);
    flight.environment.ground = 0;
    const double energy = flight.energy(), period = 2 * std::sqrt(2 / 9.81);
    double highest = 0;
    for (int k = 0; k < std::lround(5 * period / step); ++k) {
      flight.run(step, step);
      ASSERT_NEAR(flight.energy(), energy, 1e-9 * energy) << k;
      if (k * step > 4 * period) highest = std::max(highest, flight.state.place.y);
    }
    EXPECT_NEAR(highest, 1.1, 9.81 * step * step);
  }
}

TEST(FallingBalls, BouncesLoseSpeedUntilTheBallRestsAtItsRadius) {
  Flight flight(falling_ball({0, 1, 0}, 0.1));
  flight.environment.ground = 0.25;
  flight.run(4, 1.0 / 120);
  EXPECT_NEAR(flight.state.place.y, 0.35, 1e-12);
  EXPECT_EQ(flight.state.velocity, Vec3{});
}

// A sphere that begins to slide rolls once friction has taken two sevenths of its speed (Coriolis 1835), and rolls on.
TEST(FallingBalls, ASlidingBallRollsWithFiveSeventhsOfItsSpeed) {
  Flight flight(falling_ball({0, 0.1, 0}, 0.1));
  flight.environment.ground = 0;
  flight.environment.friction = 0.3;
  flight.state.velocity = {2, 0, 0};
  flight.run(2, 1.0 / 240);
  EXPECT_NEAR(flight.state.velocity.x, 2 * 5.0 / 7, 1e-9);
  EXPECT_NEAR(flight.state.spin.z, -flight.state.velocity.x / 0.1, 1e-7);
  // And down a slope, with 5/7 of the acceleration of what slides without friction.
  Flight slope(falling_ball({0, 0, 0}, 0.1));
  const double angle = 0.3;
  const Vec3 normal{std::sin(angle), std::cos(angle), 0};
  slope.environment.colliders.planes.push_back({-0.1 * normal, normal});
  slope.environment.friction = 0.5;
  slope.run(1, 1.0 / 240);
  EXPECT_NEAR(norm(slope.state.place), 0.5 * 5.0 / 7 * 9.81 * std::sin(angle), 0.01);
}

TEST(FallingBalls, TwoThatMeetExchangeTheirMomentum) {
  std::vector<ColliderSettings> settings{falling_ball({-0.3, 0, 0}, 0.1, 300), falling_ball({0.3, 0, 0}, 0.1, 900)};
  settings[0].bounce = settings[1].bounce = 1;
  FallingBalls balls(settings);
  Environment environment;
  for (const ColliderSettings& each : settings)
    environment.colliders.capsules.push_back(sphere_collider(each.point, each.radius));
  balls.follow(environment, 0);
  std::vector<double> numbers = balls.numbers();
  numbers[4] = 2;  // the light one moves towards the other
  balls.load(numbers);
  for (int k = 0; k < 240; ++k) {
    environment.balls.clear();
    balls.fly({}, 1.0 / 240, environment);
  }
  EXPECT_NEAR(balls.states()[0].velocity.x, -1, 1e-12);
  EXPECT_NEAR(balls.states()[1].velocity.x, 1, 1e-12);
  EXPECT_FALSE(refusal(ErrorKind::input, [&] { balls.load(std::vector<double>(19)); }).empty());
  EXPECT_FALSE(refusal(ErrorKind::input, [&] { balls.load(std::vector<double>(20, NAN)); }).empty());
}

// The six faces of the pad: a corner, and two sides whose cross product points outwards.
constexpr Vec3 faces[6][3] = {
    {{-0.3, 0.2, -0.3}, {0, 0, 0.6}, {0.6, 0, 0}}, {{-0.3, 0, -0.3}, {0.6, 0, 0}, {0, 0, 0.6}},
    {{-0.3, 0, 0.3}, {0.6, 0, 0}, {0, 0.2, 0}},    {{-0.3, 0, -0.3}, {0, 0.2, 0}, {0.6, 0, 0}},
    {{0.3, 0, -0.3}, {0, 0.2, 0}, {0, 0, 0.6}},    {{-0.3, 0, -0.3}, {0, 0, 0.6}, {0, 0.2, 0}}};

// A brick of flesh that no bone holds, on a floor at y = 0, and a ball over its middle.
struct Pad {
  explicit Pad(const ColliderSettings& ball, const Vec3& toss = {}, bool floor = true) {
    character.file = "pad";
    character.skeleton.joints.resize(1);
    character.skeleton.joints[0].name = "pad";
    character.skeleton.parents_first = {0};
    Part part;
    part.name = "pad";
    part.joint = part.mesh = part.primitive = 0;
    for (const auto& [corner, along, up] : faces) {
      const auto place = [&](double u, double v) { return corner + u * along + v * up; };
      append(part.surface, sheet(8, place));
    }
    character.parts.push_back(part);
    method.values.free_body = method.values.weight = true;
    method.values.tetrahedra = 400;
    method.values.damping = 0.5;
    if (floor) method.values.ground = 0;
    method.values.toss = toss;
    method.values.colliders = {ball};
    scene = cook(method, {character});
    session.emplace(character, scene);
  }

  const BallState& ball() const { return session->falling().states()[0]; }
  Vec3 middle() {
    std::vector<Vec3> surface(scene.surface->rest.positions.size());
    session->surface(surface);
    return surface_centroid(scene.surface->rest, surface);
  }

  Character character;
  FleshMethod method;
  Scene scene;
  std::optional<Session> session;
};

TEST(FallingBallsOnFlesh, RestWithTheirWeightInADentOfTheirOwn) {
  Pad pad(falling_ball({0, 0.32, 0}, 0.1, 900));
  const double weight = 9.81 * 900 * 4.0 / 3 * std::numbers::pi * 1e-3;
  double force = 0;
  int steps = 0;
  while (pad.session->elapsed() < 2) {
    pad.session->step();
    if (pad.session->elapsed() < 1.6 || pad.session->deformer().statistics().balls.empty()) continue;
    force += pad.session->deformer().statistics().balls[0].impulse.y / pad.session->traits().step;
    ++steps;
  }
  ASSERT_GT(steps, 0);
  EXPECT_NEAR(force / steps, weight, 0.05 * weight);
  EXPECT_LT(norm(pad.ball().velocity), 0.02);
  EXPECT_LT(pad.ball().place.y, 0.299);  // it dents the pad, which is 0.2 m high
  EXPECT_GT(pad.ball().place.y, 0.2);
}

// Ball and pad meet in the air: what one loses the other gains.
TEST(FallingBallsOnFlesh, MomentumIsKept) {
  Pad pad(falling_ball({0, 0.6, 0}, 0.1, 2000), {0, 3, 0}, false);
  const double ball = 2000 * 4.0 / 3 * std::numbers::pi * 1e-3, flesh = 0.6 * 0.6 * 0.2 * pad.method.values.density;
  const auto expected = [&](double t) { return 3 * flesh - 9.81 * t * (flesh + ball); };
  double pushed = 0;
  while (pad.session->elapsed() < 0.8) {
    pad.session->step();
    if (const auto balls = pad.session->deformer().statistics().balls; !balls.empty()) pushed += balls[0].impulse.y;
  }
  const double begin = pad.session->elapsed();
  const Vec3 from = pad.middle();
  pad.session->advance(0.4);
  const double seconds = pad.session->elapsed() - begin, speed = (pad.middle().y - from.y) / seconds;
  const double middle = begin + 0.5 * seconds;
  const double momentum = flesh * speed + ball * (pad.ball().velocity.y + 9.81 * (pad.session->elapsed() - middle));
  EXPECT_GT(pushed, 0.5 * ball);
  EXPECT_NEAR(momentum - expected(middle), 0, 0.03 * 3 * flesh);
}

// Balls are recognised by what they are, not by their place among the colliders.
TEST(FallingBalls, GoOnWhenAColliderBeforeThemIsRemoved) {
  ColliderSettings wall;
  wall.radius = 0.2;
  std::vector<ColliderSettings> settings{wall, falling_ball({0, 1, 0}, 0.1), falling_ball({0, 1, 0}, 0.1),
                                         falling_ball({2, 1, 0}, 0.1), falling_ball({2, 1, 0}, 0.1)};
  settings[4].joint = "hand";
  FallingBalls balls(settings);
  std::vector<double> numbers(balls.numbers().size());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = k % 10 == 0 ? 1 : static_cast<double>(k);
  balls.load(numbers);
  settings.erase(settings.begin());
  FallingBalls after(settings);
  after.take_over(balls);
  EXPECT_EQ(after.numbers(), numbers);
  // Without one of two that are alike, the other lies where the first did; the one on a joint is another one.
  settings.erase(settings.begin() + 1, settings.begin() + 3);
  FallingBalls fewer(settings);
  fewer.take_over(balls);
  ASSERT_EQ(fewer.states().size(), 2u);
  EXPECT_EQ(fewer.states()[0], balls.states()[0]);
  EXPECT_EQ(fewer.states()[1], balls.states()[3]);
  settings[0].bounce = 0.9;
  FallingBalls other(settings);
  other.take_over(balls);
  EXPECT_FALSE(other.has_begun(0));
}

TEST(FallingBallsOnFlesh, GiveTheSameBitsForAnyThreadsAndFromASavedState) {
  const Character tube = tube_character();
  FleshMethod method;
  method.values = quick_settings();
  method.values.colliders = {falling_ball({0.16, 0.86, 0}, 0.06)};
  const int threads = thread_count();
  for (const bool lattice : {false, true}) {
    if (lattice) {
      method.values.lattice.file = auto_lattice;
      method.values.lattice.cells = 60;
    }
    const Scene scene = cook(method, {tube});
    std::vector<double> there;
    std::vector<Vec3> surface(scene.surface->rest.positions.size()), surface_there;
    for (const int count : {1, 2, 4}) {
      set_thread_count(count);
      Session session(tube, scene, whole(tube.clips[0]));
      double pushed = 0;
      const auto run = [&](double until) {
        while (session.elapsed() < until) {
          session.step();
          for (const BallPush& push : session.deformer().statistics().balls) pushed += norm(push.impulse);
        }
        session.surface(surface);
        return session.falling().numbers();
      };
      run(0.15);
      const SessionState kept = session.save();
      const std::vector<double> balls = run(0.3);
      if (there.empty()) there = balls, surface_there = surface;
      EXPECT_GT(pushed, 0);
      EXPECT_EQ(balls, there) << count;
      EXPECT_EQ(surface, surface_there) << count;
      session.play(whole(tube.clips[0]));
      session.load(kept, 1000);
      EXPECT_EQ(run(0.3), there) << "from a saved state";
    }
    set_thread_count(threads);
  }
}

// Flesh on bones gives way only so far: the ball stays outside of the tube that it falls on.
TEST(FallingBallsOnFlesh, DoNotPassThroughFleshOnBones) {
  const Character tube = tube_character();
  FleshMethod method;
  method.values = quick_settings();
  method.values.colliders = {falling_ball({0.02, 1.2, 0}, 0.1, 4000)};
  const Scene scene = cook(method, {tube});
  Session session(tube, scene);
  std::vector<Vec3> surface(scene.surface->rest.positions.size());
  double pushed = 0, nearest = 1;
  while (session.elapsed() < 0.6) {
    session.step();
    for (const BallPush& push : session.deformer().statistics().balls) pushed += norm(push.impulse);
    session.surface(surface);
    for (const Vec3& x : surface) nearest = std::min(nearest, distance(x, session.falling().states()[0].place));
  }
  EXPECT_GT(pushed, 1);  // of 17 kg at 1.4 m/s and more
  EXPECT_GT(nearest, 0.5 * 0.1);
}

TEST(FallingBallsOnFlesh, MethodsThatCannotPushThemSaySo) {
  const Character tube = tube_character();
  MethodChoice springs = method_named("springs");
  read_table(
      springs->settings(),
      R"({"swing": ["upper"], "colliders": [{"shape": "sphere", "centre": [0, 1, 0], "radius": 0.1, "falls": true}]})",
      "settings");
  const Scene scene = cook(*springs, {tube});
  const std::string sentence = refusal(ErrorKind::usage, [&] { Session(tube, scene, {}); });
  EXPECT_NE(sentence.find("the method springs knows no balls that fall; flesh does"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace sinew
