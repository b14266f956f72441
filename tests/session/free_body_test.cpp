// Free bodies: a body that no bone holds moves as mechanics says, whatever frame it is computed in.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/mesh/surface_centroid.h"
#include "sinew/session/floating_frame.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

FleshSettings free_settings() {
  FleshSettings settings;
  settings.free_body = true;
  settings.tetrahedra = 1500;
  return settings;
}

// A brick on y = 0, without a skeleton.
Character brick(const Vec3& sides) {
  Character character;
  character.file = "brick";
  character.skeleton.joints.resize(1);
  character.skeleton.joints[0].name = "brick";
  character.skeleton.parents_first = {0};
  Part part;
  part.name = "brick";
  part.joint = part.mesh = part.primitive = 0;
  part.surface = box({-0.5 * sides.x, 0, -0.5 * sides.z}, {0.5 * sides.x, sides.y, 0.5 * sides.z});
  character.parts.push_back(part);
  return character;
}

class FreeBody : public ::testing::Test {
 protected:
  FreeBody() : character_(tube_character()) {}

  void let_go(const FleshSettings& settings) {
    method_.values = settings;
    scene_ = cook(method_, {character_});
    session_ = std::make_unique<Session>(character_, scene_);
    surface_.resize(scene_.surface->rest.positions.size());
  }

  void run(double seconds) { session_->advance(seconds); }

  const std::vector<Vec3>& surface() {
    session_->surface(surface_);
    return surface_;
  }
  Vec3 middle() { return surface_centroid(scene_.surface->rest, surface()); }
  double lowest() {
    double least = HUGE_VAL;
    for (const Vec3& x : surface()) least = std::min(least, x.y);
    return least;
  }
  // Runs for so many seconds. The farthest that the surface was below the floor every 0.1 s, metres; 0: never.
  double deepest_below(double floor, double seconds) {
    double deepest = 0;
    for (int k = 0; k < std::lround(10 * seconds); ++k) {
      run(0.1);
      deepest = std::max(deepest, floor - lowest());
    }
    return deepest;
  }
  double scene_height() const {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const Part& part : character_.parts)
      for (const Vec3& x : part.surface.positions) least = std::min(least, x.y), most = std::max(most, x.y);
    return most - least;
  }
  double box_floor(double side) const {
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const Vec3& x : scene_.surface->rest.positions) low = min(low, x), high = max(high, x);
    return 0.5 * (low.y + high.y) - 0.5 * side;
  }
  double extent() {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const Vec3& x : surface()) least = std::min(least, x.y), most = std::max(most, x.y);
    return most - least;
  }

  Character character_;
  FleshMethod method_;
  Scene scene_;
  std::unique_ptr<Session> session_;
  std::vector<Vec3> surface_;
};

TEST_F(FreeBody, WithoutWeightStaysWhereItIs) {
  let_go(free_settings());
  const std::vector<Vec3> before = surface();
  run(1);
  double farthest = 0;
  for (std::size_t v = 0; v < before.size(); ++v) farthest = std::max(farthest, distance(before[v], surface()[v]));
  EXPECT_LT(farthest, 1e-9);
}

TEST_F(FreeBody, FallsAsGalileoSays) {
  FleshSettings settings = free_settings();
  settings.weight = true;
  settings.toss = {1, 3, -0.5};
  let_go(settings);
  const Vec3 start = middle();
  for (const double t : {0.25, 0.5, 1.0}) {
    run(t - session_->displayed_time());
    const Vec3 wanted = start + t * settings.toss + Vec3{0, -0.5 * 9.81 * t * t, 0};
    EXPECT_LT(distance(middle(), wanted), 1e-4) << t;
  }
  EXPECT_NEAR(extent(), scene_.height, 1e-3 * scene_.height);  // no force acts within a body that falls
}

// Spins about the body's axis of symmetry: it keeps its angular velocity, after many turns too.
TEST_F(FreeBody, SpinsOn) {
  FleshSettings settings = free_settings();
  settings.spin = {0, 1.5, 0};
  let_go(settings);
  const Vec3 start = middle();
  std::size_t seen = 0;  // the vertex farthest from the axis
  for (std::size_t v = 0; v < surface().size(); ++v)
    if (std::hypot(surface_[v].x - start.x, surface_[v].z - start.z) >
        std::hypot(surface_[seen].x - start.x, surface_[seen].z - start.z))
      seen = v;
  const auto angle = [&] { return std::atan2(surface()[seen].x - middle().x, surface_[seen].z - middle().z); };
  const double from = angle();
  run(2);
  const double turned = std::remainder(angle() - from, 2 * std::numbers::pi);
  EXPECT_NEAR(turned, 0, 0.06 * 3 * 2 * std::numbers::pi);  // three whole turns
  // The axis is that of the surface's centroid; the centre of the lumped masses is within 0.1 % of the height of it.
  EXPECT_LT(distance(middle(), start), 2 * 2 * std::numbers::pi * 1.5 * 1e-3 * scene_.height);
}

TEST_F(FreeBody, ComesToRestOnTheFloorOfItsBox) {
  FleshSettings settings = free_settings();
  settings.weight = true;
  settings.box = 1.5 * scene_height();
  settings.spin = {0.2, 0, 0.3};
  let_go(settings);
  const double floor = box_floor(*settings.box);
  EXPECT_LT(deepest_below(floor, 5), 5e-3 * scene_.height);
  EXPECT_LT(lowest() - floor, 5e-3 * scene_.height);
  const std::vector<Vec3> then = surface();
  run(0.1);
  double fastest = 0;
  for (std::size_t v = 0; v < then.size(); ++v) fastest = std::max(fastest, distance(then[v], surface()[v]) / 0.1);
  EXPECT_LT(fastest, 0.01 * scene_.height);
}

TEST_F(FreeBody, MovesToTheSameBitsForAnyThreadsAndFromASavedState) {
  FleshSettings settings = free_settings();
  settings.weight = true;
  settings.box = 1.5 * scene_height();
  settings.toss = {1, 0, 0};
  settings.spin = {0, 0, 1};
  let_go(settings);
  run(0.4);
  const SessionState kept = session_->save();
  run(0.4);
  const std::vector<Vec3> there = surface();
  session_->load(kept, 1000);
  run(0.4);
  EXPECT_EQ(surface(), there);
  SessionState forged = kept;
  forged.floating->now.position.x = NAN;
  EXPECT_FALSE(refusal(ErrorKind::input, [&] { session_->load(forged, 1000); }).empty());
  forged.floating.reset();
  EXPECT_FALSE(refusal(ErrorKind::input, [&] { session_->load(forged, 1000); }).empty());

  const int threads = thread_count();
  set_thread_count(threads == 1 ? 2 : 1);
  let_go(settings);
  run(0.4);
  run(0.4);
  EXPECT_EQ(surface(), there);
  set_thread_count(threads);
}

// A brick on a slope, which is a plane y = 0 in a world that is turned: friction of a larger coefficient than the slope
// holds it, and it slides down by g (sin - mu cos) with a smaller one.
TEST_F(FreeBody, ABrickRestsOnASlopeOrSlidesDownAsCoulombSays) {
  character_ = brick({0.5, 0.1, 0.4});
  const double slope = 0.3, sine = slope / std::sqrt(1 + slope * slope), cosine = sine / slope;
  const auto slid = [&](double friction, double from, double seconds) {
    FleshSettings settings = free_settings();
    settings.weight = true;
    settings.friction = friction;
    settings.young = 1e6;
    settings.damping = 1;
    settings.gravity = 9.81 * Vec3{sine, -cosine, 0};
    settings.ground = 0;
    let_go(settings);
    run(from);
    const Vec3 there = middle();
    run(seconds);
    return middle().x - there.x;
  };
  // A brick that sticks creeps by a hundredth of the way without friction, since forces act over a step and friction at
  // its end.
  EXPECT_LT(std::abs(slid(0.5, 0.5, 0.5)), 0.015 * 0.5 * 9.81 * sine * 0.5 * 0.5);
  const double seconds = 0.3, along = 0.5 * 9.81 * seconds * seconds;
  EXPECT_NEAR(slid(0.1, 0, seconds), along * (sine - 0.1 * cosine), 0.04 * along * sine);
  EXPECT_NEAR(slid(0, 0, seconds), along * sine, 0.01 * along * sine);
}

FleshSettings free_lattice_settings() {
  FleshSettings settings = free_settings();
  settings.lattice.file = auto_lattice;
  settings.lattice.cells = 40;
  settings.weight = true;
  return settings;
}

// In a control lattice too, of a character whose bones would run through the cells; with levels of detail as well.
TEST_F(FreeBody, InALatticeFallsAsGalileoSaysAndToTheSameBits) {
  FleshSettings settings = free_lattice_settings();
  settings.toss = {1, 3, -0.5};
  std::vector<Vec3> there;
  const int threads = thread_count();
  for (const int count : {1, 2, 4}) {
    set_thread_count(count);
    let_go(settings);
    const Vec3 start = middle();
    for (const double t : {0.25, 0.5, 1.0}) {
      run(t - session_->displayed_time());
      const Vec3 wanted = start + t * settings.toss + Vec3{0, -0.5 * 9.81 * t * t, 0};
      EXPECT_LT(distance(middle(), wanted), 1e-4) << t;
    }
    EXPECT_NEAR(extent(), scene_.height, 1e-3 * scene_.height);
    if (there.empty()) there = surface();
    EXPECT_EQ(surface(), there) << count;
  }
  set_thread_count(threads);
  settings.lattice.levels = 2;
  settings.lattice.cells = 12;
  let_go(settings);
  const Vec3 start = middle();
  run(0.5);
  EXPECT_LT(distance(middle(), start + 0.5 * settings.toss + Vec3{0, -0.125 * 9.81, 0}), 1e-4);
}

TEST_F(FreeBody, InALatticeComesToRestOnTheFloorOfItsBox) {
  FleshSettings settings = free_lattice_settings();
  settings.box = 1.5 * scene_height();
  settings.spin = {0.2, 0, 0.3};
  let_go(settings);
  const double floor = box_floor(*settings.box);
  EXPECT_LT(deepest_below(floor, 3), 0.01 * scene_.height);
  EXPECT_LT(lowest() - floor, 5e-3 * scene_.height);
}

TEST_F(FreeBody, IsNotLetGoInARunningSession) {
  FleshSettings held;
  held.tetrahedra = 1500;
  let_go(held);
  FleshMethod falling;
  falling.values = free_settings();
  const Scene free = cook(falling, {character_});
  EXPECT_NE(refusal(ErrorKind::usage, [&] { session_->change(free); }).find("begin a new one"), std::string::npos);
}

TEST_F(FreeBody, IsRefusedWhereItCannotBe) {
  FleshSettings settings;
  settings.toss = {1, 0, 0};
  EXPECT_NE(refusal(ErrorKind::usage, [&] { let_go(settings); }).find("free_body"), std::string::npos);
  settings = free_settings();
  settings.reference = Reference::elastic;
  EXPECT_FALSE(refusal(ErrorKind::usage, [&] { let_go(settings); }).empty());
  settings = free_settings();
  settings.lattice.integrator = LatticeIntegrator::implicit_euler;
  EXPECT_NE(refusal(ErrorKind::usage, [&] { let_go(settings); }).find("implicit-euler"), std::string::npos);
  settings = free_settings();
  settings.box = 0.1 * scene_height();
  EXPECT_NE(refusal(ErrorKind::usage, [&] { let_go(settings); }).find("too narrow"), std::string::npos);
}

TEST(FloatingFrame, FollowsAScrewMotionExactly) {
  const std::vector<Vec3> shape{{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 3}, {0, 0, -3}};
  const Toss toss{{1, 2, 3}, {0.3, -0.4, 0.5}};
  const double h = 0.01;
  FloatingFrame frame(shape.size(), {}, toss, h);
  for (int step = 1; step <= 200; ++step) {
    const Affine placed = frame.at(h);
    const double t = step * h;
    const double turns = norm(toss.spin) * t;
    const Mat3 turned = to_matrix(axis_angle(normalized(toss.spin), 2 * std::numbers::pi * turns));
    std::vector<Vec3> goal, away;
    for (const Vec3& x : shape) {
      goal.push_back(placed * x);
      away.push_back(turned * x + t * toss.velocity - goal.back());
      EXPECT_LT(norm(away.back()), 1e-9) << step;
    }
    frame.step_to(h, goal, away);
  }
  const Affine between = frame.at(-0.5 * h);
  EXPECT_LT(norm(between.translation - 1.995 * toss.velocity), 1e-9);
  const FloatingFrame::State state = frame.state();
  EXPECT_EQ(FloatingFrame::state_of(FloatingFrame::numbers_of(state)), state);
  EXPECT_FALSE(refusal(ErrorKind::input, [&] { FloatingFrame::state_of(std::vector<double>(28)); }).empty());
}

}  // namespace
}  // namespace sinew
