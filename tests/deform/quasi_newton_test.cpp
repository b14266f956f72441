// Steps of nonlinear elasticity against known answers: rest, rigid motion, the linear step where motion is small,
// static equilibrium, energy. tests/studies/truth_study_test.cpp compares them with Newton's method.
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"

#include <functional>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

using Motion = std::function<std::vector<Affine>(double)>;  // time to bones

const Affine placed = turned_about({0.1, 0.2, 0.3}, to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7)));

Bar damped() {
  Bar bar{.along = 8, .across = 2};
  bar.mass_damping = 3;
  bar.stiffness_damping = 0.002;
  return bar;
}

QuasiNewton exact() {
  QuasiNewton how;
  how.tolerance = 1e-9;
  how.most_iterations = 200;
  how.precision = TissuePrecision::doubles;
  return how;
}

std::unique_ptr<BodyMotion> run(std::unique_ptr<BodyMotion> flesh, const Motion& motion, int steps) {
  play(
      *flesh, [&](int step) { return motion(step * flesh->step()); }, steps);
  return flesh;
}

// The second bone swings by `bend` radians.
Motion swinging(const Bar& bar, double bend) {
  return [=](double t) { return bar_pose(bar, placed, bend * std::sin(9 * t)); };
}

double largest_difference(const BodyMotion& a, const BodyMotion& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.local_displacements().size(); ++v)
    most = std::max(most, distance(a.local_displacements()[v], b.local_displacements()[v]));
  return most;
}

TEST(QuasiNewton, StandingStillIsTheRigToTheLastBitInOneIteration) {
  const Bar bar = damped();
  const auto flesh = run(
      quasi_newton_flesh(cooked_bar(bar), {}), [&](double) { return bar_pose(bar, placed, 1.2); }, 50);
  for (const Vec3& u : flesh->local_displacements()) EXPECT_EQ(u, Vec3{});
  EXPECT_EQ(flesh->statistics().iterations, 1);
}

TEST(QuasiNewton, SteadyTranslationLeavesNoTrace) {
  const Bar bar = damped();
  const auto flesh = run(
      quasi_newton_flesh(cooked_bar(bar), {}),
      [&](double t) {
        return bar_pose(bar, moved({3 * t, -2 * t, t}), 0.8);
      },
      240);
  EXPECT_LT(largest_norm(flesh->local_displacements()), 1e-7);
}

// A body that moves as a whole, without bending: strains stay as small as the motion, and the linear step is the limit.
TEST(QuasiNewton, SmallMotionIsTheLinearStep) {
  const Bar bar = damped();
  const auto body = cooked_bar(bar);
  double difference[2];
  for (const int k : {0, 1}) {
    const double amplitude = k == 0 ? 1e-4 : 1e-5;
    const Motion shaken = [&](double t) {
      return bar_pose(bar, moved({0, amplitude * std::sin(20 * t), amplitude * std::sin(13 * t)}));
    };
    const auto flesh = run(quasi_newton_flesh(body, exact()), shaken, 60),
               linear = run(rig_reference_flesh(body), shaken, 60);
    difference[k] = largest_difference(*flesh, *linear) / largest_norm(linear->local_displacements());
  }
  EXPECT_LT(difference[0], 1e-3);
  EXPECT_NEAR(difference[1] / difference[0], 0.1, 0.02) << "the error falls with the amplitude";
}

// Forces that balanced a loosely solved step would carry its residual into the next one, with the wrong sign.
TEST(QuasiNewton, LooselySolvedStepsRememberTheForcesThatAct) {
  Bar bar{.along = 8, .across = 2};
  const auto body = cooked_bar(bar);
  QuasiNewton how;
  how.tolerance = 0.3;
  const auto flesh = run(quasi_newton_flesh(body, how), swinging(bar, 1), 60);
  Snapshot snapshot;
  flesh->save(snapshot);
  const Eigen::VectorXd u = free_displacement(*body, *flesh);
  const auto numbers = static_cast<std::size_t>(u.size());
  const std::span<const double> remembered = std::span(snapshot.numbers).subspan(3 * numbers, numbers);
  const auto forces = tissue_forces(*body, how.shape, how.law, TissuePrecision::doubles);
  VertexFrames frames;
  predict_frames(body->description.mesh.positions, body->description.influences, swinging(bar, 1)(60 * flesh->step()),
                 frames);
  forces->set_pose(frames);
  std::vector<double> still(numbers), gradient(numbers);
  forces->find({u.data(), numbers}, still, gradient);
  double off = 0, largest = 0;
  for (std::size_t f = 0; f < body->free_vertex.size(); ++f) {
    const Vec3 acts = -(frames.rotation[static_cast<std::size_t>(body->free_vertex[f])] *
                        Vec3{gradient[3 * f], gradient[3 * f + 1], gradient[3 * f + 2]});
    off = std::max(off, distance(acts, {remembered[3 * f], remembered[3 * f + 1], remembered[3 * f + 2]}));
    largest = std::max(largest, norm(acts));
  }
  EXPECT_LT(off, 1e-4 * largest) << "to the rounding of floats";
}

// The natural shape at rest: a bar that hangs from its end comes to rest where the forces of its tissue carry it.
TEST(QuasiNewton, RestIsInEquilibrium) {
  Bar bar = damped();
  bar.core_along_axis = false;
  bar.young = 3e5;
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::off;
  const auto body = cooked_bar(bar, dynamics);
  for (const NaturalShape shape : {NaturalShape::goal, NaturalShape::rest}) {
    QuasiNewton how = exact();
    how.shape = shape;
    const std::vector<Affine> pose = bar_pose(bar, moved({}));
    const auto flesh = quasi_newton_flesh(body, how);
    flesh->reset({0, pose}, {flesh->step(), pose});
    const auto forces = tissue_forces(*body, shape, how.law);
    VertexFrames frames;
    predict_frames(body->description.mesh.positions, body->description.influences, pose, frames);
    forces->set_pose(frames);
    const Eigen::VectorXd u = free_displacement(*body, *flesh);
    EXPECT_GT(u.lpNorm<Eigen::Infinity>(), 0.1 * bar.width) << "it sags far";
    std::vector<double> still(static_cast<std::size_t>(u.size())), gradient(still.size());
    forces->find({u.data(), still.size()}, still, gradient);
    double missing = 0, weight = 0;
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      const double pull = k % 3 == 1 ? -9.81 * dense_mass(*body)[static_cast<Eigen::Index>(k)] : 0;
      missing = std::max(missing, std::abs(pull - gradient[k]));
      weight = std::max(weight, std::abs(pull));
    }
    EXPECT_LT(missing, 1e-4 * weight);
    // ... and stays there.
    for (int k = 1; k <= 60; ++k) flesh->advance({k * flesh->step(), pose});
    EXPECT_LT((free_displacement(*body, *flesh) - u).lpNorm<Eigen::Infinity>(), 1e-5 * bar.width);
  }
}

// Kinetic energy and that of the tissue, joules.
double whole_energy(const FleshBody& body, const BodyMotion& flesh, TissueForces& forces) {
  const FleshState state = state_of(body, flesh);
  std::vector<double> still(state.displacement.size()), gradient(still.size());
  double energy = forces.find(state.displacement, still, gradient);
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    energy += 0.5 * body.mass[v] * squared_norm(state.velocity[f]);
    for (std::size_t k = 3 * f; k < 3 * f + 3; ++k)
      energy += 0.5 * body.bone_spring[v] * state.displacement[k] * state.displacement[k];
  }
  return energy;
}

// Thrown into oscillation by a motion that stops. Without damping, the trapezoidal rule's energy of a nonlinear body is
// not exactly constant, but has no drift; with damping it only falls.
TEST(QuasiNewton, EnergyNeitherDriftsNorRises) {
  for (const double damping : {0.0, 8.0}) {
    Bar bar{.along = 6, .across = 2};
    bar.mass_damping = damping;
    FleshDynamics dynamics;
    dynamics.spectral_radius = 1;
    const auto body = cooked_bar(bar, dynamics);
    QuasiNewton how = exact();
    how.law.stiffening = 0.3;
    const auto flesh = quasi_newton_flesh(body, how);
    const Motion stops = [&](double t) {
      return bar_pose(bar, moved({0, 0.02 * std::sin(30 * std::min(t, 0.05)), 0}), 0.9);
    };
    const std::vector<Affine> end = stops(1);
    flesh->reset({0, stops(0)}, {flesh->step(), stops(flesh->step())});
    int step = 1;
    for (; step * flesh->step() < 0.06; ++step) {
      const std::vector<Affine> bones = stops(step * flesh->step());
      flesh->advance({step * flesh->step(), bones});
    }
    VertexFrames frames;
    predict_frames(body->description.mesh.positions, body->description.influences, end, frames);
    const auto forces = tissue_forces(*body, NaturalShape::goal, how.law);
    forces->set_pose(frames);
    const double first = whole_energy(*body, *flesh, *forces);
    ASSERT_GT(first, 0);
    double least = first, most = first, last = first;
    for (const int stop = step + 2000; step < stop; ++step) {
      flesh->advance({step * flesh->step(), end});
      const double now = whole_energy(*body, *flesh, *forces);
      if (damping > 0) {
        EXPECT_LT(now, last + 1e-9 * first);
      }
      least = std::min(least, now), most = std::max(most, now), last = now;
    }
    if (damping > 0) {
      EXPECT_LT(last, 1e-6 * first);
    } else {
      EXPECT_GT(least, 0.9 * first);
      EXPECT_LT(most, 1.1 * first);
    }
  }
}

TEST(QuasiNewton, SnapshotsContinueWithTheSameBits) {
  const Bar bar = damped();
  const auto body = cooked_bar(bar);
  for (const NaturalShape shape : {NaturalShape::goal, NaturalShape::rest}) {
    QuasiNewton how;
    how.shape = shape;
    const Motion motion = swinging(bar, 0.8);
    const auto flesh = run(quasi_newton_flesh(body, how), motion, 20);
    Snapshot snapshot;
    flesh->save(snapshot);
    const auto other = quasi_newton_flesh(body, how);
    const std::vector<Affine> saved_at = motion(20 * flesh->step());
    other->load(snapshot, {20 * flesh->step(), saved_at});
    for (int step = 21; step <= 40; ++step) {
      const std::vector<Affine> bones = motion(step * flesh->step());
      flesh->advance({step * flesh->step(), bones});
      other->advance({step * flesh->step(), bones});
    }
    EXPECT_EQ(largest_difference(*flesh, *other), 0);
    EXPECT_GT(largest_norm(flesh->local_displacements()), 1e-3);
  }
}

TEST(QuasiNewtonDeterminism, ThreadsDoNotChangeABit) {
  Bar bar = damped();
  bar.along = 40;
  bar.across = 6;
  const auto body = cooked_bar(bar);
  std::vector<std::unique_ptr<BodyMotion>> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.push_back(run(quasi_newton_flesh(body, {}), swinging(bar, 0.8), 20));
  }
  set_thread_count(0);
  EXPECT_EQ(largest_difference(*results[0], *results[1]), 0);
  EXPECT_EQ(largest_difference(*results[0], *results[2]), 0);
}

// The step is the same for a character in centimetres: nothing in it has a length of its own.
TEST(QuasiNewton, DoesNotDependOnScale) {
  const Bar bar = damped();
  Bar large = bar;
  const double by = 100;
  large.length *= by, large.width *= by, large.blend *= by;
  large.young *= by * by;  // as stiff relative to its inertia: frequencies stay
  const auto flesh = run(quasi_newton_flesh(cooked_bar(bar), {}), swinging(bar, 0.8), 40);
  const Motion same = swinging(bar, 0.8);
  const auto scaled = run(
      quasi_newton_flesh(cooked_bar(large), {}),
      [&](double t) {
        std::vector<Affine> bones = same(t);
        for (Affine& bone : bones) bone.translation *= by;
        return bones;
      },
      40);
  double most = 0;
  for (std::size_t v = 0; v < flesh->local_displacements().size(); ++v)
    most = std::max(most, distance(by * flesh->local_displacements()[v], scaled->local_displacements()[v]));
  EXPECT_LT(most, 1e-6 * by * bar.length);
}

TEST(QuasiNewton, ACapOnIterationsIsTold) {
  const Bar bar = damped();
  QuasiNewton how;
  how.tolerance = 1e-12;
  how.most_iterations = 3;
  const auto flesh = run(quasi_newton_flesh(cooked_bar(bar), how), swinging(bar, 0.8), 10);
  EXPECT_EQ(flesh->statistics().iterations, 3);
  EXPECT_GT(flesh->statistics().residual, how.tolerance);
}

}  // namespace
}  // namespace sinew
