// Low-frequency modes: an oscillator's known answers, what bones excite and what they do not, and the run-time against
// the library.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sinew/deform/surface/fit/fit_modes.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/surface_modes.h"
#include "tests/deform/surface/surface_motions.h"
#include "tests/runtime/mode_bodies.h"

namespace sinew {
namespace {

// One bone, and one mode that a push along x drives with all of it: G = (0 | e_x).
SurfaceModel one_mode(double frequency, double damping_ratio, double step) {
  SurfaceModel model = test::tube(12, 8, 1);
  model.step = step;
  model.reach = 100;
  SurfaceMode mode;
  mode.frequency = frequency;
  mode.damping_ratio = damping_ratio;
  mode.shape.assign(model.rest.size(), Vec3{1, 0, 0});
  mode.drive = {{Mat3::zero(), {1, 0, 0}}};
  model.modes = {mode};
  return model;
}

std::vector<double> walked(const SurfaceModel& model, std::size_t frames, const std::function<Affine(double)>& bone) {
  std::vector<std::vector<Affine>> bones;
  for (std::size_t k = 0; k < frames; ++k)
    bones.emplace_back(model.bones.size(), bone(static_cast<double>(k) * model.step));
  std::vector<double> q;
  for (const std::vector<double>& coordinates : mode_coordinates(model, bones)) q.push_back(coordinates[0]);
  return q;
}

TEST(SurfaceModes, AConstantAccelerationEndsAtForceOverStiffness) {
  for (const double step : {1.0 / 30, 1.0 / 60, 1.0 / 144})
    for (const double frequency : {0.5, 3.0, 7.0}) {
      const SurfaceModel model = one_mode(frequency, 0.5, step);
      const auto frames = static_cast<std::size_t>(20 / step);
      // Seen from a frame that is turned, so that the push is along the bone's own x.
      const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7));
      const std::vector<double> q = walked(model, frames, [&](double t) {
        return Affine{turn, turn * Vec3{0.5 * 2 * t * t, 0.3 * t, 0}};
      });
      const double w = 2 * std::numbers::pi * frequency;
      EXPECT_NEAR(q.back(), -2 / (w * w), 1e-6 / (w * w)) << frequency << " Hz at steps of " << step;
    }
}

// A bone at rest that goes on at 1 m/s kicks the mode, which from then on is the free oscillator, at any step.
TEST(SurfaceModes, FreeVibrationHasItsFrequencyAndDecayAtEveryStep) {
  const double frequency = 2.3, ratio = 0.05, w = 2 * std::numbers::pi * frequency;
  for (const double step : {1.0 / 30, 1.0 / 60, 1.0 / 144, 1.0 / 1000}) {
    const SurfaceModel model = one_mode(frequency, ratio, step);
    const auto frames = static_cast<std::size_t>(3 / step);
    const double kick = 4 * step;
    const std::vector<double> q = walked(model, frames, [&](double t) {
      return Affine{Mat3::identity(), {std::max(0.0, t - kick), 0, 0}};
    });
    const double damped = w * std::sqrt(1 - ratio * ratio);
    // The impulse response, whose size the recurrence has to second order in w h.
    const double size = mode_recurrence(model.modes[0], step).force / step / std::sin(damped * step) * damped;
    EXPECT_NEAR(size, 1, 0.1 * w * w * step * step + 2 * ratio * w * step);
    for (std::size_t k = 5; k < frames; ++k) {
      const double t = static_cast<double>(k) * step - kick;
      EXPECT_NEAR(q[k], -size * std::exp(-ratio * w * (t - step)) * std::sin(damped * t) / damped, 1e-9)
          << step << ' ' << t;
    }
  }
}

TEST(SurfaceModes, RestAndConstantVelocityExciteNothing) {
  SurfaceModel model = test::tube(25, 16);
  test::add_modes(model);
  std::vector<std::vector<Affine>> bones;
  const Affine bend = test::turned({1, 0.2, 0}, 0.8, {0, 0.5, 0});
  for (int k = 0; k < 200; ++k) {
    const Vec3 there = 0.05 * k * Vec3{1, -2, 0.5};
    bones.push_back({Affine{Mat3::identity(), there}, Affine{bend.linear, bend.translation + there}});
  }
  for (const std::vector<double>& coordinates : mode_coordinates(model, bones))
    for (const double q : coordinates) EXPECT_LT(std::abs(q), 1e-9);
}

// What pushes one way excites only what moves that way: the orthogonal mode of a tube rests.
TEST(SurfaceModes, AModeAcrossThePushRests) {
  SurfaceModel model = test::tube(25, 16, 1);
  test::add_modes(model);
  std::vector<std::vector<Affine>> bones;
  for (int k = 0; k < 120; ++k) bones.push_back({Affine{Mat3::identity(), {0.05 * std::sin(0.2 * k), 0, 0}}});
  double along = 0, across = 0;
  for (const std::vector<double>& q : mode_coordinates(model, bones)) {
    along = std::max(along, std::abs(q[0]));
    across = std::max({across, std::abs(q[1]), std::abs(q[2])});
  }
  EXPECT_GT(along, 0.02);
  EXPECT_LT(across, 1e-9);
}

// The virtual work of the force of inertia, vertex by vertex: where all of a vertex is one bone's, exactly.
TEST(SurfaceModes, ForceIsTheWorkOfInertia) {
  SurfaceModel model = test::tube(25, 16, 1);
  test::add_modes(model);
  const double h = model.step;
  const auto pose = [](double t) {
    Affine bone = test::turned({1, 2, 0.5}, 0.7 * std::sin(5 * t), {0, 0.2, 0});
    bone.translation += Vec3{0.1 * t * t, std::sin(t), 0};
    return bone;
  };
  const std::vector<Affine> before{pose(0.3 - h)}, now{pose(0.3)}, next{pose(0.3 + h)};
  for (const SurfaceMode& mode : model.modes) {
    double work = 0, mass = 0;
    for (std::size_t i = 0; i < model.rest.size(); ++i) {
      const Vec3& x = model.rest[i];
      const Vec3 a = (next[0] * x - 2.0 * (now[0] * x) + before[0] * x) * (1 / (h * h));
      work -= dot(now[0].linear * mode.shape[i], a);
      mass += squared_norm(mode.shape[i]);
    }
    EXPECT_NEAR(mode_force(mode, before, now, next, h), work / mass, 1e-9 * std::abs(work / mass) + 1e-12);
  }
}

TEST(SurfaceModes, DeviationThatIsAModeIsFoundAsThatMode) {
  SurfaceModel model = test::tube(25, 16);
  test::add_modes(model);
  const std::vector<Affine> bones = test::swinging(model, 0.4, 0.5);
  PosedSurface posed;
  pose_surface(model, bones, posed);
  const std::vector<double> wanted{0.01, -0.02, 0.005, 0.03};
  std::vector<Vec3> moved(model.rest.size()), position = posed.goal;
  mode_displacements(model, bones, wanted, moved);
  // The linear parts of blended bones shrink at the joint, twice: there and back.
  for (std::size_t i = 0; i < position.size(); ++i) position[i] += moved[i];
  const std::vector<double> found = mode_deviation(model, bones, posed.goal, position);
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 0.15 * std::abs(wanted[k]) + 1e-3);
}

struct Difference {
  double largest = 0, moved = 0;  // share of the height; metres
};

Difference runtime_against_library(const SurfaceModel& source, std::size_t frames) {
  const std::vector<std::byte> file = cook_runtime_file(source);
  const SurfaceModel model = read_runtime_file(file, "model");
  const SurfaceMotion motion = test::swinging_motion(model, frames, 0, 0.5);
  const test::RuntimeModel runtime(file);
  const test::RuntimeBody body(runtime);
  std::vector<std::vector<Affine>> bones = motion.bones;
  for (auto& pose : bones)
    for (Affine& bone : pose) {
      for (double& v : bone.linear.m) v = static_cast<double>(static_cast<float>(v));
      for (std::size_t k = 0; k < 3; ++k)
        bone.translation[k] = static_cast<double>(static_cast<float>(bone.translation[k]));
    }
  PosedSurface now, next;
  pose_surface(model, bones[0], now);
  SurfaceState state = rest_in_goal(model, bones[0], now, now), after;
  test::must(sinew_body_reset(body.body, test::to_bones(bones[0]).data(), nullptr));
  ModeState modes;
  Difference difference;
  std::vector<Vec3> moved(model.rest.size());
  for (std::size_t k = 1; k < frames; ++k) {
    std::vector<double> deviation;
    if (model.mode_coupling > 0) deviation = mode_deviation(model, bones[k - 1], now.goal, state.position);
    step_modes(model, bones[k < 2 ? 0 : k - 2], bones[k - 1], bones[k], deviation, modes);
    pose_surface(model, bones[k], next);
    step_surface(model, now, next, state, after);
    std::swap(state, after);
    std::swap(now, next);
    test::must(sinew_body_step(body.body, test::to_bones(bones[k]).data()));
    mode_displacements(model, bones[k], modes.now, moved);
    const std::vector<Vec3> positions = body.positions();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      difference.largest =
          std::max(difference.largest, distance(positions[i], state.position[i] + moved[i]) / model.height);
      difference.moved = std::max(difference.moved, norm(moved[i]));
    }
  }
  return difference;
}

TEST(SurfaceModes, RuntimeMovesAsTheLibrary) {
  for (const double coupling : {0.0, 0.7}) {
    SurfaceModel model = test::tube(25, 16);
    test::set_smooth_parameters(model);
    test::add_modes(model);
    model.mode_coupling = coupling;
    const Difference difference = runtime_against_library(model, 301);
    EXPECT_LT(difference.largest, 1e-5);
    EXPECT_GT(difference.moved, 0.05);
  }
}

TEST(SurfaceModes, StopAtTheModelsReach) {
  SurfaceModel model = test::tube(25, 16);
  test::set_smooth_parameters(model);
  test::add_modes(model);
  model.reach = 0.03;
  const Difference difference = runtime_against_library(model, 301);
  EXPECT_LT(difference.largest, 1e-5);
  EXPECT_LE(difference.moved, 0.0301);
  EXPECT_GT(difference.moved, 0.02);
}

// Examples that modes have made: among modes that did not, those that did are found, with what was put in.
TEST(SurfaceModes, AreFoundInAnExampleWithGainAndDamping) {
  SurfaceModel model = test::tube(25, 16);
  test::add_modes(model);
  const std::vector<SurfaceMode> candidates = model.modes;
  model.modes = {candidates[1], candidates[2]};
  for (Affine& bone : model.modes[1].drive) bone = {bone.linear * 0.6, bone.translation * 0.6};
  SurfaceExample example;
  example.motion = test::swinging_motion(model, 240, 0, 0.5);
  // As every example begins, moving along with its first step.
  const std::vector<std::vector<double>> coordinates = mode_coordinates(model, example.motion.bones);
  std::vector<Vec3> moved(model.rest.size());
  for (std::size_t t = 0; t < example.motion.bones.size(); ++t) {
    mode_displacements(model, example.motion.bones[t], coordinates[t], moved);
    for (const Vec3& d : moved)
      example.offset.insert(example.offset.end(),
                            {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
  }
  const ModeFit fit = fit_modes(model, candidates, std::span(&example, 1), 4);
  ASSERT_EQ(fit.modes.size(), 2u);
  EXPECT_GT(fit.removed, 0.99);
  EXPECT_NEAR(fit.modes[0].frequency, 2.9, 0.03);
  EXPECT_NEAR(fit.modes[0].damping_ratio, 0.1, 0.01);
  EXPECT_NEAR(fit.gain[0], 1, 0.05);
  EXPECT_NEAR(fit.modes[1].frequency, 4.3, 0.04);
  EXPECT_NEAR(fit.modes[1].damping_ratio, 0.02, 0.004);
  EXPECT_NEAR(fit.gain[1], 0.6, 0.05);

  SurfaceModel fitted = model;
  fitted.modes = fit.modes;
  SurfaceExample left = example;
  take_modes(fitted, left);
  double before = 0, after = 0;
  for (std::size_t k = 0; k < example.offset.size(); ++k) {
    before += static_cast<double>(example.offset[k]) * static_cast<double>(example.offset[k]);
    after += static_cast<double>(left.offset[k]) * static_cast<double>(left.offset[k]);
  }
  EXPECT_LT(after, 0.01 * before);
  EXPECT_NEAR(left.rig_sum, before, 1e-6 * before);  // frame 0 is at rest
  EXPECT_NEAR(surface_error(fitted, std::span(&left, 1), {}).goal_sum, before, 1e-6 * before);
}

TEST(SurfaceModes, NothingIsFoundWhereNothingMoves) {
  SurfaceModel model = test::tube(12, 8);
  test::add_modes(model);
  SurfaceExample example;
  example.motion = test::swinging_motion(model, 30);
  example.offset.assign(3 * model.rest.size() * 30, 0.0f);
  EXPECT_TRUE(fit_modes(model, model.modes, std::span(&example, 1), 4).modes.empty());
}

}  // namespace
}  // namespace sinew
