// The rig reference against known answers: rest, rigid motion, equilibria in accelerated frames, a dense
// solution of the same equations, energy.
#include "sinew/deform/tetrahedra/rig_reference.h"

#include <functional>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "tests/deform/bars.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

using Motion = std::function<std::vector<Affine>(double)>;  // time to bones

std::unique_ptr<BodyMotion> run(const std::shared_ptr<const FleshBody>& body, const Motion& motion, int steps) {
  std::unique_ptr<BodyMotion> flesh = rig_reference_flesh(body);
  const auto pose = [&](int step) { return motion(step * flesh->step()); };
  play(*flesh, pose, steps);
  return flesh;
}

double relative_difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return (a - b).norm() / b.norm(); }

TEST(RigReference, StandingStillIsTheRigToTheLastBit) {
  Bar bar;
  bar.mass_damping = 3;
  bar.stiffness_damping = 0.002;
  const auto body = cooked_bar(bar);
  const Affine placed = turned_about({0.1, 0.2, 0.3}, to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7)));
  const std::vector<Affine> pose = bar_pose(bar, placed, 1.2);
  const auto flesh = run(
      body, [&](double) { return pose; }, 50);
  for (const Vec3& u : flesh->local_displacements()) EXPECT_EQ(u, Vec3{});
}

TEST(RigReference, InTheBindPoseTheSurfaceIsTheRigsToTheLastBit) {
  const Bar bar;
  const auto body = cooked_bar(bar);
  const auto flesh = run(
      body, [&](double) { return bar_pose(bar, moved({})); }, 20);
  for (const Vec3& u : flesh->local_displacements()) EXPECT_EQ(u, Vec3{});
  VertexFrames frames;
  predict_frames(body->description.mesh.positions, body->description.influences, bar_pose(bar, moved({})), frames);
  std::vector<Vec3> surface(body->description.embedding.points.size(), Vec3{1, 1, 1});
  surface_displacement(*body, frames, flesh->local_displacements(), surface);
  for (const Vec3& d : surface) EXPECT_EQ(d, Vec3{});
}

TEST(RigReference, SteadyTranslationLeavesNoTrace) {
  Bar bar;
  bar.mass_damping = 20;  // damping acts relative to the goal: it must not slow this
  bar.stiffness_damping = 0.01;
  const auto flesh = run(
      cooked_bar(bar),
      [&](double t) {
        return bar_pose(bar, moved({3 * t, -2 * t, t}), 0.8);
      },
      240);
  EXPECT_LT(largest_norm(flesh->local_displacements()), 1e-9);
}

// A goal that falls freely takes its flesh's weight away: u = S^-1 M g upward, as static gravity pointing
// up would leave it.
TEST(RigReference, FreeFallIsStaticLift) {
  Bar bar;
  bar.mass_damping = 8;
  bar.stiffness_damping = 0.004;
  const auto body = cooked_bar(bar);
  const auto flesh = run(
      body,
      [&](double t) {
        return bar_pose(bar, moved({0, -4.905 * t * t, 0}));
      },
      1200);
  Eigen::VectorXd lift = Eigen::VectorXd::Zero(dense_mass(*body).size());
  for (Eigen::Index k = 1; k < lift.size(); k += 3) lift[k] = 9.81 * dense_mass(*body)[k];
  const Eigen::VectorXd expected = test::solved(dense(body->stiffness), lift);
  EXPECT_LT(relative_difference(free_displacement(*body, *flesh), expected), 1e-6);
}

TEST(RigReference, DampingDoesNotChangeTheLagBehindSteadyAcceleration) {
  Bar weak, strong;
  weak.mass_damping = 6, weak.stiffness_damping = 0.004;
  strong.mass_damping = 40, strong.stiffness_damping = 0.02;
  const Motion motion = [&](double t) { return bar_pose(weak, moved({2 * t * t, 0, 0})); };
  const auto first = cooked_bar(weak), second = cooked_bar(strong);
  const Eigen::VectorXd a = free_displacement(*first, *run(first, motion, 2400)),
                        b = free_displacement(*second, *run(second, motion, 2400));
  EXPECT_LT(relative_difference(a, b), 1e-5);
}

TEST(RigReference, SagIsTheLinearSolution) {
  const Bar bar;
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::off;
  const auto body = cooked_bar(bar, dynamics);
  // Turned by 90 degrees: local axes are not the world's.
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, pi / 2));
  const auto flesh = run(
      body,
      [&](double) {
        return bar_pose(bar, {turn, {}});
      },
      0);
  Eigen::VectorXd weight = dense_mass(*body);
  const Vec3 local = transpose_times(turn, {0, -9.81, 0});
  for (Eigen::Index k = 0; k < weight.size(); ++k) weight[k] *= local[static_cast<std::size_t>(k % 3)];
  const Eigen::VectorXd expected = test::solved(dense(body->stiffness), weight);
  EXPECT_LT(relative_difference(free_displacement(*body, *flesh), expected), 1e-10);
  // And it stays there.
  const auto later = run(
      body,
      [&](double) {
        return bar_pose(bar, {turn, {}});
      },
      100);
  EXPECT_LT(relative_difference(free_displacement(*body, *later), expected), 1e-10);
}

TEST(RigReference, GravityInTheBindPoseSagsByTheChangeOfItsDirection) {
  const Bar bar;
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::bind;
  const auto body = cooked_bar(bar, dynamics);
  const auto upright = run(
      body,
      [&](double) {
        return bar_pose(bar, moved({1, 2, 3}));
      },
      10);
  EXPECT_LT(largest_norm(upright->local_displacements()), 1e-13);
  // Upside down: twice the sag of all gravity.
  const Mat3 over = to_matrix(axis_angle({0, 0, 1}, pi));
  const auto hanging = run(
      body,
      [&](double) {
        return bar_pose(bar, {over, {}});
      },
      0);
  Eigen::VectorXd twice = Eigen::VectorXd::Zero(dense_mass(*body).size());
  for (Eigen::Index k = 1; k < twice.size(); k += 3) twice[k] = 2 * 9.81 * dense_mass(*body)[k];
  EXPECT_LT(relative_difference(free_displacement(*body, *hanging), test::solved(dense(body->stiffness), twice)), 1e-9);
}

// In the frame of a goal that spins at omega, (S - omega^2 M P) u = omega^2 M P x, P across the axis.
Eigen::VectorXd spinning_equilibrium(const FleshBody& body, double omega) {
  Eigen::MatrixXd system = dense(body.stiffness);
  const Eigen::VectorXd mass = dense_mass(body);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(mass.size());
  for (Eigen::Index k = 0; k < mass.size(); ++k) {
    if (k % 3 == 1) continue;  // the axis is y
    system(k, k) -= omega * omega * mass[k];
    const auto vertex = static_cast<std::size_t>(body.free_vertex[static_cast<std::size_t>(k / 3)]);
    load[k] = omega * omega * mass[k] * body.description.mesh.positions[vertex][static_cast<std::size_t>(k % 3)];
  }
  return test::solved(system, load);
}

TEST(RigReference, SpinningSettlesAtTheCentrifugalEquilibriumToSecondOrder) {
  constexpr double omega = 6;
  Bar bar;
  bar.young = 2e5;
  bar.mass_damping = 15;
  bar.stiffness_damping = 0.002;
  double error[2];
  for (int i = 0; i < 2; ++i) {
    FleshDynamics dynamics;
    dynamics.step = i == 0 ? 1.0 / 120 : 1.0 / 240;
    const auto body = cooked_bar(bar, dynamics);
    const auto flesh = run(
        body,
        [&](double t) {
          return bar_pose(bar, {to_matrix(axis_angle({0, 1, 0}, omega * t)), {}});
        },
        static_cast<int>(std::lround(4 / dynamics.step)));
    error[i] = relative_difference(free_displacement(*body, *flesh), spinning_equilibrium(*body, omega));
  }
  EXPECT_LT(error[1], 1e-3);  // (omega h)^2 = 6e-4
  EXPECT_GT(error[0] / error[1], 3.6);
  EXPECT_LT(error[0] / error[1], 4.4);
}

// The generalised-alpha equations as they stand in the headers, solved densely in world coordinates with
// forces evaluated anew in every step.
class DenseReference {
 public:
  DenseReference(const FleshBody& body, const Motion& motion)
      : body_(body), motion_(motion), stiffness_(dense(body.stiffness)), mass_(dense_mass(body)) {
    damping_ = body.uniform_damping()
                   ? Eigen::MatrixXd(body.description.mass_damping * Eigen::MatrixXd(mass_.asDiagonal()) +
                                     body.description.stiffness_damping * stiffness_)
                   : dense(body.damping);
    const double h = body.method.step;
    set_pose(h);
    const Eigen::VectorXd next = goal_;
    set_pose(0);
    position_ = goal_;
    velocity_ = (next - goal_) / h;
    acceleration_ = force_ = u_ = previous_ = Eigen::VectorXd::Zero(mass_.size());
  }

  void step(int number) {
    const GeneralizedAlpha& m = body_.method;
    const double h = m.step;
    set_pose(number * h);
    // Unknown p: M ((1 - am) (p - p~) / (beta h^2) + am a) = (1 - af) f(p) + af f, f(p) = -R (S u + D (3 u - 4 u_n +
    // u_{n-1}) / 2h) + f_ext.
    const Eigen::VectorXd predictor = position_ + h * velocity_ + h * h * (0.5 - m.beta) * acceleration_;
    const Eigen::MatrixXd slope = rotation_ * (stiffness_ + 1.5 / h * damping_) * rotation_.transpose();
    const Eigen::VectorXd constant = rotation_ * damping_ * (4 * u_ - previous_) / (2 * h) + outside();
    const Eigen::MatrixXd system =
        (1 - m.alpha_m) / (m.beta * h * h) * Eigen::MatrixXd(mass_.asDiagonal()) + (1 - m.alpha_f) * slope;
    const Eigen::VectorXd b = (1 - m.alpha_m) / (m.beta * h * h) * mass_.cwiseProduct(predictor) -
                              m.alpha_m * mass_.cwiseProduct(acceleration_) + m.alpha_f * force_ +
                              (1 - m.alpha_f) * (constant + slope * goal_);
    const Eigen::VectorXd position = test::solved(system, b);
    const Eigen::VectorXd acceleration = (position - predictor) / (m.beta * h * h);
    velocity_ += h * ((1 - m.gamma) * acceleration_ + m.gamma * acceleration);
    acceleration_ = acceleration;
    position_ = position;
    force_ = constant - slope * (position - goal_);
    previous_ = u_;
    u_ = rotation_.transpose() * (position - goal_);
  }

  const Eigen::VectorXd& displacement() const { return u_; }

 private:
  void set_pose(double time) {
    VertexFrames frames;
    predict_frames(body_.description.mesh.positions, body_.description.influences, motion_(time), frames);
    rotation_ = Eigen::MatrixXd::Zero(mass_.size(), mass_.size());
    goal_.resize(mass_.size());
    for (std::size_t f = 0; f < body_.free_vertex.size(); ++f) {
      const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
      for (std::size_t r = 0; r < 3; ++r) {
        goal_[static_cast<Eigen::Index>(3 * f + r)] = frames.goal[v][r];
        for (std::size_t c = 0; c < 3; ++c)
          rotation_(static_cast<Eigen::Index>(3 * f + r), static_cast<Eigen::Index>(3 * f + c)) =
              frames.rotation[v](r, c);
      }
    }
  }

  // Gravity, less what the rest shape holds of it.
  Eigen::VectorXd outside() const {
    Eigen::VectorXd gravity(mass_.size());
    for (Eigen::Index k = 0; k < gravity.size(); ++k)
      gravity[k] = body_.dynamics.gravity[static_cast<std::size_t>(k % 3)];
    if (body_.dynamics.gravity_in_rest == GravityInRest::pose) return Eigen::VectorXd::Zero(mass_.size());
    Eigen::VectorXd felt = gravity;
    if (body_.dynamics.gravity_in_rest == GravityInRest::bind) felt -= rotation_ * gravity;
    return mass_.cwiseProduct(felt);
  }

  const FleshBody& body_;
  Motion motion_;
  Eigen::MatrixXd stiffness_, damping_, rotation_;
  Eigen::VectorXd mass_, goal_, position_, velocity_, acceleration_, force_, u_, previous_;
};

Bar tiny_bar() {
  Bar bar;
  bar.along = 6;
  bar.across = 2;
  bar.mass_damping = 2;
  bar.stiffness_damping = 0.003;
  return bar;
}

void compare_with_dense_reference(const std::shared_ptr<const FleshBody>& body, const Motion& motion) {
  const std::unique_ptr<BodyMotion> flesh = rig_reference_flesh(body);
  const double h = flesh->step();
  const std::vector<Affine> first = motion(0), second = motion(h);
  flesh->reset({0, first}, {h, second});
  DenseReference reference(*body, motion);
  for (int step = 1; step <= 30; ++step) {
    const std::vector<Affine> bones = motion(step * h);
    flesh->advance({step * h, bones});
    reference.step(step);
    const Eigen::VectorXd u = free_displacement(*body, *flesh);
    ASSERT_LT((u - reference.displacement()).cwiseAbs().maxCoeff(), 1e-12) << "step " << step;
  }
  EXPECT_GT(free_displacement(*body, *flesh).cwiseAbs().maxCoeff(), 1e-3);  // there was something to compare
}

Motion swinging(const Bar& bar) {
  return [bar](double t) {
    return bar_pose(bar, {to_matrix(axis_angle(normalized(Vec3{1, 1, 0}), 3 * t)), {0.2 * std::sin(20 * t), 0, 0}},
                    std::sin(12 * t));
  };
}

TEST(RigReference, AStepSolvesTheStatedEquations) {
  const Bar bar = tiny_bar();
  compare_with_dense_reference(cooked_bar(bar), swinging(bar));
}

// Gravity is balanced at the start in the bind pose only.
TEST(RigReference, AStepSolvesTheStatedEquationsUnderGravity) {
  const Bar bar = tiny_bar();
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::bind;
  dynamics.spectral_radius = 0.3;
  dynamics.step = 1.0 / 100;
  compare_with_dense_reference(cooked_bar(bar, dynamics), swinging(bar));
}

TEST(RigReference, AStepSolvesTheStatedEquationsWithPaintedDamping) {
  const Bar bar = tiny_bar();
  FleshDescription description = bar_description(bar);
  for (std::size_t t = 0; t < description.mesh.tetrahedra.size(); ++t) description.damping.push_back(t % 3 ? 0.5 : 4);
  description.bone_stiffness.assign(description.mesh.tetrahedra.size(), 3e5);
  const auto body = cook_flesh(assemble_flesh(std::move(description)), {});
  ASSERT_FALSE(body->uniform_damping());
  compare_with_dense_reference(body, swinging(bar));
}

TEST(RigReference, PaintedDampingOfOneIsUniformDamping) {
  for (Element element : {Element::patch, Element::linear}) {
    Bar bar = tiny_bar();
    bar.element = element;
    FleshDescription description = bar_description(bar);
    description.bone_stiffness.assign(description.mesh.tetrahedra.size(), 3e5);
    FleshDescription painted = description;
    painted.damping.assign(painted.mesh.tetrahedra.size(), 1.0);
    const auto a = cook_flesh(assemble_flesh(std::move(description)), {}),
               b = cook_flesh(assemble_flesh(std::move(painted)), {});
    ASSERT_TRUE(a->uniform_damping());
    ASSERT_FALSE(b->uniform_damping());
    const Eigen::VectorXd u = free_displacement(*a, *run(a, swinging(bar), 100)),
                          v = free_displacement(*b, *run(b, swinging(bar), 100));
    EXPECT_GT(u.norm(), 1e-3);
    EXPECT_LT((u - v).norm(), 1e-10 * u.norm());
  }
}

TEST(RigReference, UndampedEnergyIsConserved) {
  Bar bar;
  bar.along = 8;
  bar.across = 2;
  FleshDynamics dynamics;
  dynamics.spectral_radius = 1;
  const auto body = cooked_bar(bar, dynamics);
  // The goal stands; the flesh starts with the speed of a goal that moved until then.
  const std::unique_ptr<BodyMotion> flesh = rig_reference_flesh(body);
  const std::vector<Affine> pose = bar_pose(bar, moved({}), 0.6),
                            moving = bar_pose(bar, moved({0.002, 0.003, -0.001}), 0.6);
  flesh->reset({0, pose}, {flesh->step(), moving});
  const double start = mechanical_energy(*body, *flesh);
  ASSERT_GT(start, 1e-3);
  double lowest = start, highest = start;
  for (int step = 1; step <= 10000; ++step) {
    flesh->advance({step * flesh->step(), pose});
    const double energy = mechanical_energy(*body, *flesh);
    lowest = std::min(lowest, energy);
    highest = std::max(highest, energy);
  }
  EXPECT_GT(lowest, (1 - 1e-6) * start);
  EXPECT_LT(highest, (1 + 1e-6) * start);
}

TEST(RigReference, SnapshotsContinueWithTheSameBits) {
  const Bar bar = tiny_bar();
  const auto body = cooked_bar(bar);
  const Motion motion = swinging(bar);
  const auto flesh = run(body, motion, 20);
  Snapshot snapshot;
  flesh->save(snapshot);
  const std::unique_ptr<BodyMotion> other = rig_reference_flesh(body);
  const std::vector<Affine> saved_at = motion(20 * flesh->step());
  other->load(snapshot, {20 * flesh->step(), saved_at});
  for (int step = 21; step <= 40; ++step) {
    const std::vector<Affine> bones = motion(step * flesh->step());
    flesh->advance({step * flesh->step(), bones});
    other->advance({step * flesh->step(), bones});
  }
  for (std::size_t v = 0; v < flesh->local_displacements().size(); ++v)
    ASSERT_EQ(flesh->local_displacements()[v], other->local_displacements()[v]);
  snapshot.numbers.pop_back();
  EXPECT_THROW(other->load(snapshot, {}), Error);
}

TEST(RigReferenceDeterminism, ThreadsDoNotChangeABit) {
  Bar bar = tiny_bar();
  bar.along = 40;
  bar.across = 6;
  const auto body = cooked_bar(bar);
  std::vector<std::vector<Vec3>> results;
  for (int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const auto flesh = run(body, swinging(bar), 20);
    results.emplace_back(flesh->local_displacements().begin(), flesh->local_displacements().end());
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// Its time is said by who runs the clip (bake/frame_loop.h).
TEST(RigReference, NumbersThatAreLostAreReportedWithTheirPlace) {
  const Bar bar = tiny_bar();
  const auto body = cooked_bar(bar);
  const auto flesh = run(body, swinging(bar), 3);
  std::vector<Affine> broken = bar_pose(bar, moved({std::nan(""), 0, 0}));
  try {
    flesh->advance({0.5, broken});
    FAIL() << "NaN passed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::simulation);
    EXPECT_NE(std::string(error.what()).find("free vertex 0 of the body"), std::string::npos) << error.what();
  }
}

// Time from a blow until the motion stays below a tenth of its largest swing.
double ring_down(const Bar& bar, double step) {
  FleshDynamics dynamics;
  dynamics.step = step;
  const auto body = cooked_bar(bar, dynamics);
  const std::unique_ptr<BodyMotion> flesh = rig_reference_flesh(body);
  // Shaken along y for half a second, then held.
  const Motion motion = [&](double t) {
    return bar_pose(bar, moved({0, 0.03 * std::sin(2 * pi * 4 * std::min(t, 0.5)), 0}));
  };
  const std::vector<Affine> first = motion(0), second = motion(step);
  flesh->reset({0, first}, {step, second});
  double largest_swing = 0, last_above = 0;
  for (int k = 1; k * step < 3; ++k) {
    const std::vector<Affine> bones = motion(k * step);
    flesh->advance({k * step, bones});
    const double swing = largest_norm(flesh->local_displacements());
    if (k * step <= 0.5) largest_swing = std::max(largest_swing, swing);
    if (swing > 0.1 * largest_swing) last_above = k * step;
  }
  return last_above - 0.5;
}

TEST(RigReference, RingDownDoesNotDependOnTheStep) {
  Bar bar;
  bar.mass_damping = 4;
  bar.stiffness_damping = 0.003;
  bar.young = 8e3;
  const double coarse = ring_down(bar, 1.0 / 240), fine = ring_down(bar, 1.0 / 480), finer = ring_down(bar, 1.0 / 960);
  EXPECT_GT(fine, 0.1);
  EXPECT_NEAR(coarse, fine, 0.05 * fine);
  EXPECT_NEAR(fine, finer, 0.05 * finer);
}

}  // namespace
}  // namespace sinew
