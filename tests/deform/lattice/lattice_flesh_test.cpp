// Flesh in control lattices: forces without deformation, momentum, energy, the equations of a step, rest, known
// answers, the same bits for any number of threads.
#include "sinew/deform/lattice/lattice_flesh.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/linalg/dense.h"

namespace sinew {
namespace {

using namespace test;

// A body with its elasticity, ready to be asked for forces.
struct Forces {
  std::shared_ptr<const LatticeBody> body;
  std::unique_ptr<LatticeElasticity> elasticity;
  ActiveFunctions active;
  LatticePose pose;

  explicit Forces(const LatticeBarOptions& options)
      : body(lattice_bar_body(options)), elasticity(lattice_elasticity(*body)) {
    active = active_functions(body->description.role,
                              std::vector<Activity>(body->description.role.size(), Activity::solved));
    elasticity->activate(active);
  }
  void take(const std::vector<Affine>& bones) {
    predict_pose(body->description, bones, pose);
    elasticity->set_pose(pose, pose.functions.goal);
  }
  std::vector<double> at(const std::vector<Vec3>& position) const {
    std::vector<double> residual(3 * active.unknowns(), 0.0);
    const std::vector<Vec3> nothing(position.size());
    elasticity->subtract_force(1, position, nothing, residual);
    return residual;
  }
  double scale() const {  // of forces: modulus times area times a strain of one
    return body->description.cells.stiffness.empty() ? 0 : 2e4 * bar_width * bar_width;
  }
};

double largest(const std::vector<double>& values) {
  double most = 0;
  for (double v : values) most = std::max(most, std::abs(v));
  return most;
}

struct FleshCase {
  const char* name;
  Linearization linearization;
  Warping warping;
};
const FleshCase every_linearization[] = {{"warped", Linearization::warped, Warping::element},
                                         {"vertex", Linearization::warped, Warping::vertex},
                                         {"quasi", Linearization::quasi, Warping::element},
                                         {"none", Linearization::none, Warping::element}};

LatticeBarOptions elastic_bar(const FleshCase& c, int levels) {
  LatticeBarOptions options;
  options.levels = levels;
  options.reference = LatticeReference::elastic;
  options.run.linearization = c.linearization;
  options.run.warping = c.warping;
  return options;
}

TEST(LatticeElasticity, RigidMotionOfAllBonesMeetsNoForce) {
  for (const double angle : {2.1, 3.141592653589793})
    for (const FleshCase& c : every_linearization)
      for (const int levels : {1, 2}) {
        Forces forces(elastic_bar(c, levels));
        forces.take(bar_pose(0, rigid_motion({1, 2, 3}, angle, {4, -3, 2})));
        // Products are in single precision, of differences that are not.
        EXPECT_LT(largest(forces.at(forces.pose.functions.goal)), 1e-6 * forces.scale()) << c.name << ' ' << levels;
      }
}

TEST(LatticeElasticity, LinearStrainTakesRotationForDeformation) {
  Forces forces(elastic_bar({"linear", Linearization::linear, Warping::element}, 1));
  forces.take(bar_pose(0, rigid_motion({0, 0, 1}, 0, {4, -3, 2})));
  EXPECT_LT(largest(forces.at(forces.pose.functions.goal)), 1e-6 * forces.scale());
  forces.take(bar_pose(0, rigid_motion({0, 0, 1}, 0.5, {})));
  EXPECT_GT(largest(forces.at(forces.pose.functions.goal)), 0.01 * forces.scale());
}

std::vector<Vec3> disturbed(const Forces& forces, double size) {
  std::vector<Vec3> position = forces.pose.functions.goal;
  for (std::size_t f = 0; f < position.size(); ++f) {
    if (forces.active.unknown[f] < 0) continue;
    const double k = static_cast<double>(f);
    position[f] += size * Vec3{std::sin(k), std::cos(1.3 * k), std::sin(2.1 * k + 1)};
  }
  return position;
}

// The force is the gradient of the energy where there is one.
TEST(LatticeElasticity, ForceIsTheGradientOfTheEnergy) {
  for (const FleshCase& c : every_linearization) {
    if (c.warping == Warping::vertex) continue;
    Forces forces(elastic_bar(c, 2));
    forces.take(bar_pose(1.2));
    const std::vector<Vec3> position = disturbed(forces, 0.004);
    const std::vector<double> force = forces.at(position);
    const double delta = 2e-4, size = largest(force);
    for (std::size_t u = 0; u < forces.active.unknowns(); u += 7)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto f = static_cast<std::size_t>(forces.active.unknown_function[u]);
        std::vector<Vec3> plus = position, minus = position;
        plus[f][k] += delta;
        minus[f][k] -= delta;
        const double slope = (forces.elasticity->energy(plus) - forces.elasticity->energy(minus)) / (2 * delta);
        EXPECT_NEAR(-slope, force[3 * u + k], 3e-3 * size) << c.name;
      }
  }
}

// A function of the coarsest level moves the body as a whole where all of them move: the forces on all coarse
// functions, driven ones included, sum to nothing. Their sum over the free ones is what the skeleton takes.
Eigen::MatrixXd dense_system(Forces& forces) {
  const auto n = static_cast<Eigen::Index>(3 * forces.active.unknowns());
  Eigen::MatrixXd matrix(n, n);
  std::vector<double> unit(static_cast<std::size_t>(n)), column(unit.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[static_cast<std::size_t>(k)] = 1;
    forces.elasticity->apply_system(unit, column);
    matrix.col(k) = Eigen::Map<Eigen::VectorXd>(column.data(), n);
  }
  return matrix;
}

TEST(LatticeElasticity, SystemsAreSymmetricAndDefiniteButForEquation510) {
  for (const FleshCase& c : every_linearization) {
    Forces forces(elastic_bar(c, 1));
    forces.take(bar_pose(2.3));
    const Eigen::MatrixXd a = dense_system(forces);
    const double skew = (a - a.transpose()).norm() / a.norm();
    if (c.warping == Warping::vertex) {
      EXPECT_FALSE(forces.elasticity->symmetric());
      EXPECT_GT(skew, 1e-3);
      continue;
    }
    EXPECT_TRUE(forces.elasticity->symmetric());
    EXPECT_LT(skew, 1e-6) << c.name;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (a + a.transpose()), Eigen::EigenvaluesOnly);
    EXPECT_GT(eigen.eigenvalues()[0], 0) << c.name;
  }
}

// One step by the equations as they are written, dense and in double precision, from matrices that are assembled anew.
class DenseSteps {
 public:
  DenseSteps(Forces& forces, const std::vector<Affine>& pose) : forces_(forces) {
    const LatticeDescription& d = forces.body->description;
    forces.take(pose);
    const std::size_t n = d.role.size();
    p_ = before_ = forces.pose.functions.goal;
    v_.assign(n, {});
    a_.assign(n, {});
    y_.assign(n, {});
    u_ = u1_ = std::vector<Vec3>(n);
    std::vector<int> slot(n);
    for (std::size_t f = 0; f < n; ++f) slot[f] = static_cast<int>(f);
    const SparseRows m = assemble_scalars(d.cells, d.cells.mass, slot, static_cast<int>(n));
    mass_ = dense(m);
    hold_ = dense(assemble_scalars(d.cells, d.cells.hold, slot, static_cast<int>(n)));
  }

  void advance(const std::vector<Affine>& pose) {
    forces_.take(pose);
    const LatticeDescription& d = forces_.body->description;
    const GeneralizedAlpha& g = forces_.body->method;
    const double h = g.step;
    const std::size_t n = d.role.size();
    std::vector<Vec3> x = forces_.pose.functions.goal;  // from there
    const auto of_path = [&](std::size_t f) { return (x[f] - 2.0 * p_[f] + before_[f]) / (h * h); };
    const auto inertial = [&](std::size_t f) {
      if (forces_.active.unknown[f] < 0) return g.force_factor() * (2.0 * of_path(f) - a_[f]) + g.alpha_f * y_[f];
      const Vec3 next = (x[f] - p_[f] - h * v_[f] - (h * h * (0.5 - g.beta)) * a_[f]) / (g.beta * h * h);
      return (1 - g.alpha_m) * next + g.alpha_m * a_[f];
    };
    std::vector<Vec3> rate(n);
    for (std::size_t f = 0; f < n; ++f)
      if (forces_.active.unknown[f] >= 0)
        rate[f] = (3.0 * (x[f] - forces_.pose.functions.goal[f]) -
                   forces_.pose.functions.rotation[f] * (4.0 * u_[f] - u1_[f])) /
                  (2 * h);
    std::vector<double> r(3 * forces_.active.unknowns(), 0.0);
    std::vector<Vec3> damped(n);
    for (std::size_t f = 0; f < n; ++f) damped[f] = d.stiffness_damping * rate[f];
    forces_.elasticity->subtract_force(g.force_factor(), x, damped, r);
    for (std::size_t u = 0; u < forces_.active.unknowns(); ++u) {
      const int row = forces_.active.unknown_function[u];
      Vec3 sum;
      for (std::size_t f = 0; f < n; ++f)
        sum += mass_(row, static_cast<Eigen::Index>(f)) *
                   (g.alpha_f * y_[f] - inertial(f) - g.force_factor() * d.mass_damping * rate[f]) -
               g.force_factor() * hold_(row, static_cast<Eigen::Index>(f)) *
                   (x[f] - forces_.pose.functions.goal[f] + damped[f]);
      for (std::size_t k = 0; k < 3; ++k) r[3 * u + k] += sum[k];
    }
    const Eigen::MatrixXd a = dense_system(forces_);
    const Eigen::VectorXd solved =
        a.fullPivLu().solve(Eigen::Map<Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size())));
    for (std::size_t u = 0; u < forces_.active.unknowns(); ++u)
      for (std::size_t k = 0; k < 3; ++k)
        x[static_cast<std::size_t>(forces_.active.unknown_function[u])][k] +=
            solved[static_cast<Eigen::Index>(3 * u + k)];
    for (std::size_t f = 0; f < n; ++f) {
      const Vec3 i = inertial(f);
      y_[f] = (i - g.alpha_f * y_[f]) / g.force_factor();
      const Vec3 next = forces_.active.unknown[f] < 0
                            ? of_path(f)
                            : (x[f] - p_[f] - h * v_[f] - (h * h * (0.5 - g.beta)) * a_[f]) / (g.beta * h * h);
      if (forces_.active.unknown[f] >= 0) v_[f] += h * ((1 - g.gamma) * a_[f] + g.gamma * next);
      a_[f] = next;
      before_[f] = p_[f];
      p_[f] = x[f];
      u1_[f] = u_[f];
      u_[f] = transpose_times(forces_.pose.functions.rotation[f], x[f] - forces_.pose.functions.goal[f]);
    }
  }

  const std::vector<Vec3>& displacements() const { return u_; }

 private:
  Forces& forces_;
  static Eigen::MatrixXd dense(const SparseRows& rows) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.rows()), rows.columns);
    for (std::size_t row = 0; row < rows.rows(); ++row)
      for (int k = rows.start[row]; k < rows.start[row + 1]; ++k)
        matrix(static_cast<Eigen::Index>(row), rows.column[static_cast<std::size_t>(k)]) =
            rows.value[static_cast<std::size_t>(k)];
    return matrix;
  }

  Eigen::MatrixXd mass_, hold_;
  std::vector<Vec3> p_, before_, v_, a_, y_, u_, u1_;
};

std::vector<Affine> swing(double time) {
  return bar_pose(0.9 * std::sin(9 * time) * std::sin(9 * time),
                  rigid_motion({0, 1, 1}, 0.5 * (1 - std::cos(7 * time)), {0.1 * (1 - std::cos(11 * time)), 0, 0}));
}

TEST(LatticeFlesh, StepsAreTheEquationsAsTheyAreWritten) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic})
    for (const int levels : {1, 2}) {
      LatticeBarOptions options;
      options.levels = levels;
      options.along = 2;
      options.reference = reference;
      options.mass_damping = 3;
      options.stiffness_damping = 0.004;
      options.dynamics.tolerance = 1e-9;
      options.dynamics.max_iterations = 400;
      const auto body = lattice_bar_body(options);
      const auto flesh = lattice_flesh(body);
      Forces forces(options);
      flesh->reset({0, swing(0)}, {flesh->step(), swing(0)});
      DenseSteps dense(forces, swing(0));
      double most = 0;
      for (int step = 1; step <= 30; ++step) {
        const double time = step * flesh->step();
        const std::vector<Affine> pose = swing(time);
        flesh->advance({time, pose});
        dense.advance(pose);
        const std::vector<Vec3>& expected = dense.displacements();
        for (std::size_t s = 0; s < expected.size(); ++s) {
          most = std::max(most, norm(expected[s]));
          ASSERT_LT(distance(flesh->local_displacements()[s], expected[s]), 2e-6) << step << ' ' << levels;
        }
      }
      EXPECT_GT(most, 0.01);  // it does move
    }
}

TEST(LatticeFlesh, RestIsRest) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic}) {
    LatticeBarOptions options;
    options.levels = 2;
    options.reference = reference;
    options.dynamics.gravity_in_rest = reference == LatticeReference::rig ? GravityInRest::pose : GravityInRest::bind;
    const auto flesh = lattice_flesh(lattice_bar_body(options));
    const std::vector<Affine> pose = bar_pose(0);
    flesh->reset({0, pose}, {flesh->step(), pose});
    for (int step = 1; step <= 240; ++step) flesh->advance({step * flesh->step(), pose});
    for (const Vec3& u : flesh->local_displacements()) EXPECT_LT(norm(u), 1e-12);
  }
}

// A bent elbow that stands still: the reset's equilibrium is where the steps stay.
TEST(LatticeFlesh, EquilibriumIsWhereStepsStay) {
  for (const Linearization linearization : {Linearization::warped, Linearization::none}) {
    LatticeBarOptions options;
    options.levels = linearization == Linearization::none ? 1 : 2;
    options.reference = LatticeReference::elastic;
    options.run.linearization = linearization;
    options.dynamics.gravity_in_rest = GravityInRest::off;
    options.mass_damping = 10;
    SCOPED_TRACE(static_cast<int>(linearization));
    const auto flesh = lattice_flesh(lattice_bar_body(options));
    const std::vector<Affine> pose = bar_pose(1.4);
    flesh->reset({0, pose}, {flesh->step(), pose});
    const std::vector<Vec3> before(flesh->local_displacements().begin(), flesh->local_displacements().end());
    for (int step = 1; step <= 60; ++step) flesh->advance({step * flesh->step(), pose});
    double most = 0;
    for (std::size_t s = 0; s < before.size(); ++s) {
      most = std::max(most, norm(before[s]));
      EXPECT_LT(distance(flesh->local_displacements()[s], before[s]), 2e-6);
    }
    EXPECT_GT(most, 0.002);
  }
}

TEST(LatticeFlesh, FreeFallOfTheRigTakesTheWeightOff) {
  // Under the weight that the shape does not hold, the flesh hangs; in free fall it does not.
  LatticeBarOptions options;
  options.levels = 2;
  options.dynamics.gravity_in_rest = GravityInRest::off;
  options.mass_damping = 20;
  const auto flesh = lattice_flesh(lattice_bar_body(options));
  const auto falling = [&](double time) {
    return bar_pose(0, rigid_motion({0, 0, 1}, 0, {0, -0.5 * 9.81 * time * time, 0}));
  };
  flesh->reset({0, falling(0)}, {flesh->step(), falling(0)});
  double hanging = 0, left = 0;
  for (const Vec3& u : flesh->local_displacements()) hanging = std::max(hanging, norm(u));
  for (int step = 1; step <= 480; ++step) flesh->advance({step * flesh->step(), falling(step * flesh->step())});
  for (const Vec3& u : flesh->local_displacements()) left = std::max(left, norm(u));
  EXPECT_GT(hanging, 1e-4);
  EXPECT_LT(left, 1e-3 * hanging);
}

std::vector<Vec3> run(const LatticeBarOptions& options, int steps) {
  const auto flesh = lattice_flesh(lattice_bar_body(options));
  flesh->reset({0, swing(0)}, {flesh->step(), swing(flesh->step())});
  for (int step = 1; step <= steps; ++step) flesh->advance({step * flesh->step(), swing(step * flesh->step())});
  return {flesh->local_displacements().begin(), flesh->local_displacements().end()};
}

LatticeBarOptions adaptive(double threshold) {
  LatticeBarOptions options;
  options.levels = 3;
  options.along = 2;
  options.mass_damping = 3;
  options.run.adaptation.on = true;
  options.run.adaptation.threshold = {threshold, threshold};
  return options;
}

TEST(LatticeFlesh, SameBitsForAnyNumberOfThreads) {
  for (const bool adapt : {false, true}) {
    LatticeBarOptions options = adaptive(0.02);
    options.run.adaptation.on = adapt;
    set_thread_count(1);
    const std::vector<Vec3> one = run(options, 40);
    for (const int threads : {2, 4}) {
      set_thread_count(threads);
      EXPECT_EQ(run(options, 40), one);
    }
    set_thread_count(0);
  }
}

TEST(LatticeAdaptation, WithAllFunctionsOnItIsTheWholeBasis) {
  LatticeBarOptions options = adaptive(0);
  options.dynamics.tolerance = 1e-9;
  options.dynamics.max_iterations = 500;
  const std::vector<Vec3> adaptive_run = run(options, 60);
  options.run.adaptation.on = false;
  const std::vector<Vec3> whole = run(options, 60);
  double most = 0, far = 0;
  for (std::size_t s = 0; s < whole.size(); ++s) {
    most = std::max(most, norm(whole[s]));
    far = std::max(far, distance(adaptive_run[s], whole[s]));
  }
  EXPECT_LT(far, 1e-9);
  EXPECT_GT(most, 0.005);
}

// Where every cell's damping is the same multiple, that is what more damping does; where it is not, flesh rings longer
// where there is less.
TEST(LatticeFlesh, CellsHaveDampingOfTheirOwn) {
  LatticeBarOptions options;
  options.mass_damping = 6;
  options.stiffness_damping = 0.004;
  options.dynamics.tolerance = 1e-8;
  options.dynamics.max_iterations = 300;
  const auto cooked = [&](const LatticeDescription& description) {
    return cook_lattice(description, options.reference, options.run, options.dynamics);
  };
  const auto moved = [&](std::shared_ptr<const LatticeBody> body, int steps) {
    const auto flesh = lattice_flesh(std::move(body));
    flesh->reset({0, swing(0)}, {flesh->step(), swing(flesh->step())});
    for (int step = 1; step <= steps; ++step)
      flesh->advance({step * flesh->step(), swing(std::min(step, 60) * flesh->step())});
    return std::vector<Vec3>(flesh->local_displacements().begin(), flesh->local_displacements().end());
  };
  LatticeDescription same = lattice_bar_description(options), twice = same, varied = same;
  same.mass_damping *= 2;
  same.stiffness_damping *= 2;
  twice.cell_damping.assign(twice.cells.cells(), 2.0);
  const std::vector<Vec3> expected = moved(cooked(same), 60), measured = moved(cooked(twice), 60);
  double most = 0;
  for (std::size_t f = 0; f < expected.size(); ++f) {
    EXPECT_LT(distance(expected[f], measured[f]), 1e-7);
    most = std::max(most, norm(expected[f]));
  }
  EXPECT_GT(most, 0.003);

  for (std::size_t c = 0; c < varied.cells.cells(); ++c)
    varied.cell_damping.push_back(varied.cell_centre[c].x < 0.5 * bar_length ? 4.0 : 0.05);
  const std::vector<Vec3> ringing = moved(cooked(varied), 150);
  double near = 0, far = 0;
  for (std::size_t f = 0; f < ringing.size(); ++f)
    (varied.place[f].x < 0.2 * bar_length ? near : far) =
        std::max(varied.place[f].x < 0.2 * bar_length ? near : far, norm(ringing[f]));
  EXPECT_GT(far, 3 * near);
}

// (4.5) as it is written, dense: M (v_{n+1} - v_n) = -h S p_{n+1}, p_{n+1} = p_n + h v_{n+1}, for a bar whose rig is
// pushed aside at once and then stands. The functions on bones count by their acceleration (5.6).
TEST(LatticeFlesh, ImplicitEulerIsEquation45) {
  LatticeBarOptions options;
  options.along = 4;
  options.run.integrator = LatticeIntegrator::implicit_euler;
  options.dynamics.tolerance = 1e-9;
  options.dynamics.max_iterations = 400;
  const auto body = lattice_bar_body(options);
  const LatticeDescription& d = body->description;
  const double h = options.dynamics.step;
  const Vec3 aside{0.004, -0.003, 0.002};
  const std::vector<Affine> first = bar_pose(0), then = bar_pose(0, rigid_motion({0, 0, 1}, 0, aside));
  const auto flesh = lattice_flesh(body);
  flesh->reset({0, first}, {h, first});

  std::vector<int> all(d.role.size()), free, held;
  for (std::size_t f = 0; f < all.size(); ++f) {
    all[f] = static_cast<int>(f);
    (d.role[f] == FunctionRole::free ? free : held).push_back(static_cast<int>(f));
  }
  const auto numbers = [](const std::vector<int>& functions) {
    std::vector<int> result;
    for (int f : functions) result.insert(result.end(), {3 * f, 3 * f + 1, 3 * f + 2});
    return result;
  };
  const Eigen::MatrixXd m = dense(assemble_cells(d.cells, all, std::array{CellFactors{1, 0, 0}}));
  const Eigen::MatrixXd s = dense(assemble_cells(d.cells, all, std::array{CellFactors{0, 1, 1}}));
  const std::vector<int> f = numbers(free), b = numbers(held);
  const Eigen::MatrixXd mff = m(f, f), sff = s(f, f);
  const Eigen::VectorXd push =
      Eigen::Vector3d(aside.x, aside.y, aside.z).replicate(static_cast<Eigen::Index>(all.size()), 1);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(f.size())), v = u,
                  drive = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(b.size()));
  const Eigen::MatrixXd system = mff + h * h * sff;
  for (int step = 1; step <= 60; ++step) {
    flesh->advance({step * h, then});
    // Displacements from the new goal; the drive's acceleration is that of a jump and a stop.
    if (step == 1) u = -push(f);
    drive = (step == 1 ? 1.0 : step == 2 ? -1.0 : 0.0) / (h * h) * push(b);
    const Eigen::VectorXd dv = system.ldlt().solve(-h * (sff * (u + h * v)) - h * (m(f, b) * drive));
    v += dv;
    u += h * v;
    for (std::size_t k = 0; k < free.size(); ++k) {
      const Vec3& measured = flesh->local_displacements()[static_cast<std::size_t>(free[k])];
      for (int c = 0; c < 3; ++c)
        ASSERT_NEAR(measured[static_cast<std::size_t>(c)], u[static_cast<Eigen::Index>(3 * k) + c], 1e-6) << step;
    }
  }
  EXPECT_GT(u.cwiseAbs().maxCoeff(), 1e-5);  // still under way
}

TEST(LatticeFlesh, SnapshotsContinueBitForBit) {
  const LatticeBarOptions options = adaptive(0.02);
  const auto body = lattice_bar_body(options);
  const auto flesh = lattice_flesh(body), other = lattice_flesh(body);
  flesh->reset({0, swing(0)}, {flesh->step(), swing(flesh->step())});
  const auto advance = [&](BodyMotion& which, int step) {
    which.advance({step * flesh->step(), swing(step * flesh->step())});
  };
  for (int step = 1; step <= 30; ++step) advance(*flesh, step);
  Snapshot snapshot;
  flesh->save(snapshot);
  other->load(snapshot, {});
  for (int step = 31; step <= 60; ++step) {
    advance(*flesh, step);
    advance(*other, step);
  }
  EXPECT_TRUE(std::equal(flesh->local_displacements().begin(), flesh->local_displacements().end(),
                         other->local_displacements().begin()));
  snapshot.numbers.pop_back();
  EXPECT_THROW(other->load(snapshot, {}), Error);
}

}  // namespace
}  // namespace sinew
