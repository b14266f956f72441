// Constraints at points by projection: algebra against dense factorisations, and a bar that is grabbed, belted and
// released.
#include "sinew/elastic/linear_constraints.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/linalg/krylov/projected_conjugate_gradients.h"
#include "studies/reference/step_solvers.h"
#include "tests/dense_algebra.h"
#include "tests/elastic/bar.h"
#include "tests/linalg/operators.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using test::at;

// Rows of four entries each at places without pattern.
SparseRows random_rows(int rows, int columns, std::uint64_t seed) {
  test::Noise noise(seed);
  SparseRows result;
  result.columns = columns;
  for (int row = 0; row < rows; ++row) {
    int column = 0;
    for (int k = 0; k < 4; ++k) {
      column += static_cast<int>((noise() + 1) * 0.12 * columns);
      result.column.push_back(column++);
      result.value.push_back(noise() + 2);
    }
    result.start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

void append(SparseRows& rows, const std::vector<std::pair<int, double>>& entries) {
  for (const auto& [column, value] : entries) {
    rows.column.push_back(column);
    rows.value.push_back(value);
  }
  rows.start.push_back(static_cast<int>(rows.column.size()));
}

// C^T: a row per constraint.
Eigen::MatrixXd dense_rows(const SparseRows& rows) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.rows()), rows.columns);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k)
      matrix(static_cast<Eigen::Index>(r), rows.column[at(k)]) += rows.value[at(k)];
  return matrix;
}

std::vector<Vec3> noise_of(std::size_t count, std::uint64_t seed) {
  test::Noise noise(seed);
  std::vector<Vec3> vectors(count);
  for (Vec3& v : vectors) v = noise.vector();
  return vectors;
}

Eigen::MatrixXd coordinates(const std::vector<Vec3>& vectors) {
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(vectors.size()), 3);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) = vectors[i][c];
  return matrix;
}

TEST(LinearConstraints, AreMetByTheLeastChange) {
  const SparseRows rows = random_rows(8, 40, 1);
  const Eigen::MatrixXd transposed = dense_rows(rows);
  const LinearConstraints constraints(rows);
  ASSERT_EQ(constraints.rank(), 8u);
  const std::vector<Vec3> a = noise_of(8, 2), before = noise_of(40, 3);
  std::vector<Vec3> dv = before;
  constraints.meet(a, dv);
  EXPECT_LT((transposed * coordinates(dv) - coordinates(a)).norm(), 1e-14 * transposed.norm());
  const Eigen::MatrixXd least = test::least_squares(transposed, coordinates(a) - transposed * coordinates(before));
  EXPECT_LT((coordinates(dv) - coordinates(before) - least).norm(), 1e-12 * least.norm());
  for (const Vec3& left : constraints.left_over(a)) EXPECT_LT(norm(left), 1e-13);
  const Eigen::MatrixXd independent = dense_rows(constraints.independent_rows());
  EXPECT_LT((independent * independent.transpose() - Eigen::MatrixXd::Identity(8, 8)).norm(), 1e-13);
}

TEST(LinearConstraints, TheProjectionIsOrthogonal) {
  const SparseRows rows = random_rows(8, 30, 5);
  const LinearConstraints constraints(rows);
  Eigen::MatrixXd p(90, 90);
  for (Eigen::Index j = 0; j < 90; ++j) {
    std::vector<double> unit(90, 0.0), image(90);
    unit[static_cast<std::size_t>(j)] = 1;
    constraints.project(unit, image);
    p.col(j) = test::map(image);
  }
  EXPECT_LT((p - p.transpose()).norm(), 1e-13);
  EXPECT_LT((p * p - p).norm(), 1e-13);
  EXPECT_NEAR(p.trace(), 3 * (30 - 8), 1e-12);
  const std::vector<double> column(p.col(7).begin(), p.col(7).end());
  for (const Vec3& value : constraints.at_points(column)) EXPECT_LT(norm(value), 1e-14);

  // The product of the thesis's I - c c^T / c^T c is not: it leaves the first constraint where the second moves it.
  Eigen::MatrixXd product = Eigen::MatrixXd::Identity(30, 30);
  const Eigen::MatrixXd c = dense_rows(rows).transpose();
  for (Eigen::Index j = 0; j < c.cols(); ++j)
    product = (Eigen::MatrixXd::Identity(30, 30) - c.col(j) * c.col(j).transpose() / c.col(j).squaredNorm()) * product;
  EXPECT_GT((c.transpose() * product).norm(), 0.01 * c.norm());
}

// More constraints than functions that all agree: there is a dv that meets them, and it is found.
TEST(LinearConstraints, ConsistentRowsAreMetExactlyHoweverMany) {
  const SparseRows rows = random_rows(120, 25, 21);
  const std::vector<Vec3> known = noise_of(25, 22);
  test::Noise noise(23);
  std::vector<double> weights(120);
  for (double& w : weights) w = noise() + 1.1;
  const Eigen::MatrixXd values = dense_rows(rows) * coordinates(known);
  std::vector<Vec3> a(120);
  for (std::size_t c = 0; c < a.size(); ++c)
    for (std::size_t k = 0; k < 3; ++k) a[c][k] = values(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(k));
  const LinearConstraints constraints(rows, weights);
  EXPECT_EQ(constraints.rank(), static_cast<std::size_t>(test::rank(dense_rows(rows))));
  EXPECT_GT(constraints.rank(), 20u);
  for (const Vec3& left : constraints.left_over(a)) EXPECT_LT(norm(left), 1e-12);
}

// More than can be met: the normal equations C W (C^T dv - a) = 0 hold, with and without weights, and of several
// solutions it is the least change.
TEST(LinearConstraints, InconsistentRowsMeetTheNormalEquations) {
  const SparseRows rows = random_rows(60, 25, 31);
  const Eigen::MatrixXd transposed = dense_rows(rows);
  const std::vector<Vec3> a = noise_of(60, 32), before = noise_of(25, 33);
  for (const bool weighted : {false, true}) {
    test::Noise noise(34);
    std::vector<double> weights(60, 1.0);
    for (double& w : weights) w = weighted ? noise() + 1.1 : 1;
    const LinearConstraints constraints(rows, weighted ? std::span<const double>(weights) : std::span<const double>());
    std::vector<Vec3> dv = before;
    constraints.meet(a, dv);
    const Eigen::MatrixXd left = transposed * coordinates(dv) - coordinates(a);
    EXPECT_GT(left.norm(), 1);
    const Eigen::MatrixXd normal = transposed.transpose() * test::map(weights).asDiagonal() * left;
    EXPECT_LT(normal.norm(), 1e-12 * transposed.norm() * left.norm());
  }
}

TEST(LinearConstraints, OnesThatContradictAreMetInPart) {
  SparseRows rows;
  rows.columns = 6;
  append(rows, {{0, 1.0}});
  append(rows, {{1, 1.0}});
  append(rows, {{3, 0.5}, {4, 0.5}});
  append(rows, {{0, 1.0}});  // the first again
  append(rows, {});          // on a bone
  const std::vector<Vec3> a{{1, 0, 0}, {3, 2, 0}, {0, 0, 7}, {2, 0, 3}, {1, 0, 0}};
  std::vector<Vec3> dv(6);
  // Factor and two substitutions of four rows.
  const double rounding = test::rounding_of(7, 3 * 4 + 4);
  const LinearConstraints even(rows), heavy(rows, std::vector<double>{3, 1, 1, 1, 1});
  EXPECT_EQ(even.rank(), 3u);
  even.meet(a, dv);
  EXPECT_LT(norm(dv[0] - Vec3{1.5, 0, 1.5}), rounding);
  EXPECT_LT(norm(dv[1] - a[1]), rounding);
  EXPECT_LT(norm(0.5 * (dv[3] + dv[4]) - a[2]), rounding);
  const std::vector<Vec3> left = even.left_over(a);
  EXPECT_LT(norm(left[0] - Vec3{-0.5, 0, -1.5}), rounding);
  EXPECT_LT(norm(left[3] - Vec3{0.5, 0, 1.5}), rounding);
  EXPECT_EQ(left[4], a[4]);
  dv.assign(6, {});
  heavy.meet(a, dv);
  EXPECT_LT(norm(dv[0] - Vec3{1.25, 0, 0.75}), rounding);
}

// A basis that is another one times a diagonal matrix spans the same: where inertia says so, the same directions are
// met.
TEST(LinearConstraints, InertiaMakesUpForTheScaleOfFunctions) {
  const SparseRows rows = random_rows(60, 25, 61);
  const std::vector<Vec3> a = noise_of(60, 62);
  test::Noise noise(63);
  SparseRows scaled = rows;
  std::vector<double> inertia(25), scaled_inertia(25), factor(25);
  for (std::size_t i = 0; i < 25; ++i) {
    inertia[i] = noise() + 1.1;
    factor[i] = std::pow(10, noise());
    scaled_inertia[i] = inertia[i] * factor[i] * factor[i];
  }
  for (std::size_t k = 0; k < scaled.value.size(); ++k) scaled.value[k] *= factor[at(scaled.column[k])];
  const LinearConstraints one(rows, {}, 0.3, inertia), other(scaled, {}, 0.3, scaled_inertia);
  EXPECT_LT(one.rank(), 22u);
  EXPECT_EQ(one.rank(), other.rank());
  const Eigen::MatrixXd image = dense_rows(rows) * test::map(inertia).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::MatrixXd met = test::singular_values(image).left.leftCols(static_cast<Eigen::Index>(one.rank()));
  for (const LinearConstraints* each : {&one, &other})
    EXPECT_LT((met.transpose() * coordinates(each->left_over(a))).norm(), 1e-11);
}

// Two rows that draw nearer and nearer, asked for different things: the solution grows to 1 / independence and no
// further, and the two are met in their mean.
TEST(LinearConstraints, NearlyDependentRowsHaveBoundedSolutions) {
  const std::vector<Vec3> a{{1, 0, 0}, {-1, 0, 0}};
  for (double apart = 1; apart > 1e-12; apart *= 0.25) {
    SparseRows rows;
    rows.columns = 3;
    append(rows, {{0, 1.0}, {1, 1.0}});
    append(rows, {{0, 1.0}, {1, 1.0 + apart}});
    const LinearConstraints constraints(rows, {}, 0.01);
    std::vector<Vec3> dv(3);
    constraints.meet(a, dv);
    EXPECT_LT(norm(dv[0]) + norm(dv[1]), 2 / 0.01) << apart;
    EXPECT_LT(norm(constraints.left_over(a)[0]), constraints.rank() == 2 ? 1e-12 : 1.01) << apart;
  }
}

// The same rows for targets of any size: what is done is linear in them, and so continuous.
TEST(LinearConstraints, SolutionsAreLinearInWhatIsAskedFor) {
  const LinearConstraints constraints(random_rows(60, 25, 41));
  const std::vector<Vec3> a = noise_of(60, 42), b = noise_of(60, 43);
  std::vector<Vec3> mixed(60), of_a(25), of_b(25), of_mixed(25);
  for (std::size_t c = 0; c < a.size(); ++c) mixed[c] = 0.3 * a[c] + 0.7 * b[c];
  constraints.meet(a, of_a);
  constraints.meet(b, of_b);
  constraints.meet(mixed, of_mixed);
  for (std::size_t i = 0; i < of_a.size(); ++i) EXPECT_LT(norm(of_mixed[i] - 0.3 * of_a[i] - 0.7 * of_b[i]), 1e-12);
}

TEST(LinearConstraints, TheLargestSingularValueOfSomeRows) {
  const SparseRows rows = random_rows(40, 25, 51);
  test::Noise noise(52);
  std::vector<double> weights(40);
  for (double& w : weights) w = noise() + 1.1;
  std::vector<double> inertia(25);
  for (double& d : inertia) d = noise() + 1.1;
  const Eigen::MatrixXd whole = test::map(weights).cwiseSqrt().asDiagonal() * dense_rows(rows) *
                                test::map(inertia).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::MatrixXd part = whole.middleRows(10, 20);
  const double known = test::singular_values(part).values(0);
  EXPECT_NEAR(largest_singular_value(rows, weights, inertia, 10, 30), known, 0.02 * known);
  EXPECT_EQ(largest_singular_value(rows, weights, inertia, 10, 10), 0);
}

TEST(LinearConstraints, NoneAtAllLeaveEverythingFree) {
  SparseRows rows;
  rows.columns = 4;
  const LinearConstraints constraints(rows);
  std::vector<double> dv(12, 2.0), projected(12);
  constraints.meet({}, std::span<double>(dv));
  EXPECT_EQ(dv, std::vector<double>(12, 2.0));
  constraints.project(dv, projected);
  EXPECT_EQ(projected, dv);
  EXPECT_TRUE(constraints.left_over({}).empty());
  constrained_preconditioner(constraints.projection(), constraints)(dv, projected);
  EXPECT_EQ(projected, dv);
}

TEST(LinearConstraints, TheFreePartOfARowIsThatOfItsProjection) {
  const LinearConstraints constraints(random_rows(7, 40, 11));
  const SparseRows others = random_rows(12, 40, 12);
  for (std::size_t r = 0; r < others.rows(); ++r) {
    std::vector<double> row(120), projected(120);
    std::vector<int> functions;
    std::vector<double> values;
    for (int k = others.start[r]; k < others.start[r + 1]; ++k) {
      functions.push_back(others.column[at(k)]);
      values.push_back(others.value[at(k)]);
      row[3 * at(functions.back())] = values.back();
    }
    constraints.project(row, projected);
    double squared = 0;
    for (const double x : projected) squared += x * x;
    EXPECT_NEAR(constraints.squared_free_part(functions, values), squared, 1e-13 * squared + 1e-13);
  }
}

// Three functions of one point each, of which the two with the larger weights are held.
TEST(LinearConstraints, TheStrongestDirectionsAreKeptWhereThereAreTooMany) {
  SparseRows rows;
  rows.columns = 3;
  append(rows, {{0, 1.0}});
  append(rows, {{1, 3.0}});
  append(rows, {{2, 2.0}});
  const LinearConstraints constraints(rows, {}, 1e-3, {}, 2);
  EXPECT_EQ(constraints.rank(), 2u);
  std::vector<Vec3> dv(3);
  constraints.meet(std::vector<Vec3>{{1, 0, 0}, {3, 0, 0}, {2, 0, 0}}, dv);
  EXPECT_NEAR(dv[0].x, 0, 1e-14);
  EXPECT_NEAR(dv[1].x, 1, 1e-14);
  EXPECT_NEAR(dv[2].x, 1, 1e-14);
}

TEST(LinearConstraints, WrongSizesAndNumbersAreErrors) {
  SparseRows rows = random_rows(3, 20, 9);
  const LinearConstraints constraints(rows);
  std::vector<Vec3> dv(20);
  EXPECT_THROW(constraints.meet(noise_of(2, 1), dv), Error);
  EXPECT_THROW(constraints.left_over(noise_of(4, 1)), Error);
  EXPECT_THROW(LinearConstraints(rows, std::vector<double>(2, 1.0)), Error);
  dv.resize(19);
  EXPECT_THROW(constraints.meet(noise_of(3, 1), dv), Error);
  rows.value[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(LinearConstraints{rows}, Error);
  rows.value[2] = 1;
  rows.column.back() = 20;
  EXPECT_THROW(LinearConstraints{rows}, Error);
}

TEST(ConstrainedPreconditioner, IsExactWhereTheInverseIs) {
  const SparseRows rows = random_rows(5, 20, 11);
  const LinearConstraints constraints(rows);
  const Eigen::MatrixXd a = test::random_positive_definite(60, 12);
  const LinearOperator preconditioner = constrained_preconditioner(test::dense_operator(test::inverse(a)), constraints);
  const Eigen::VectorXd b = test::random_matrix(60, 1, 13);
  std::vector<double> z(60);
  preconditioner(test::view(b), z);
  for (const Vec3& value : constraints.at_points(z)) EXPECT_LT(norm(value), 1e-12);

  const std::vector<Vec3> wanted = noise_of(5, 14);
  for (const bool knows_constraints : {true, false}) {
    std::vector<double> x(60, 0.0);
    constraints.meet(wanted, x);
    const KrylovResult result = ProjectedConjugateGradients().solve(
        test::dense_operator(a), knows_constraints ? preconditioner : test::dense_operator(test::inverse(a)),
        constraints.projection(), test::view(b), x, {1e-9, 200, 1});
    EXPECT_TRUE(result.converged);
    if (knows_constraints)
      EXPECT_EQ(result.iterations, 1);
    else
      EXPECT_GT(result.iterations, 3);
    const std::vector<Vec3> found = constraints.at_points(x);
    for (std::size_t c = 0; c < 5; ++c) EXPECT_LT(norm(found[c] - wanted[c]), 1e-12);
  }
  EXPECT_THROW(constrained_preconditioner(test::dense_operator(-a), constraints), Error);
}

// A bar held at its root. A belt squeezes its middle, a point at its tip is grabbed and led in a circle, both are
// released: while they hold, all points are where they are wanted after every step to rounding; afterwards the bar
// comes back to rest.
TEST(LinearConstraints, AreMetAtEachStepOfABeltedAndGrabbedBar) {
  const test::Bar bar = test::bar(test::Root::held, {2e4, 0.4, 1000});
  GreenStrainEnergy energy(bar.body.samples, bar.body.count());
  const ImplicitForces forces = test::forces_of(bar, energy, {0, 0, 0}, 4.0);
  // The belt: all vertices of the finest complex around the section x = 0.3; every second one hangs on its neighbours.
  std::vector<int> points;
  for (std::size_t v = 0; v < bar.body.mesh.positions.size(); ++v) {
    const Vec3& x = bar.body.mesh.positions[v];
    const bool side = std::min(std::min(x.y, 0.2 - x.y), std::min(x.z, 0.2 - x.z)) < 1e-9;
    if (std::abs(x.x - 0.3) < 1e-9 && side) points.push_back(static_cast<int>(v));
  }
  const std::size_t belt = points.size();
  ASSERT_EQ(belt, 16u);
  points.push_back(bar.vertex_at({0.6, 0.1, 0.05}));
  const LinearConstraints constraints(bar.rows_at(points));
  EXPECT_EQ(constraints.rank(), 9u);  // of the belt, the corners of cells
  std::vector<Vec3> rest;
  for (const int v : points) rest.push_back(bar.body.mesh.positions[at(v)]);

  const LinearOperator mass = test::operator_of(bar.mass);
  BlockMatrix system = bar.stiffness;
  const double h = 0.01;
  for (std::size_t k = 0; k < system.block.size(); ++k) system.block[k] = system.block[k] * (h * h) + bar.mass.block[k];
  BlockCholesky factor;
  factor.analyze(system);
  factor.factor(system);
  const LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) { factor.solve(from, to); };

  std::vector<double> q(bar.numbers(), 0.0), v(q);
  std::vector<Vec3> a;
  const StepSolver held =
      projected_solver(constraints, a, constrained_preconditioner(inverse, constraints), {1e-8, 200, 1});
  double largest = 0;
  for (int step = 1; step <= 60; ++step) {
    std::vector<Vec3> target = rest;
    const double squeeze = 0.2 * std::min(1.0, step / 20.0), angle = 0.1 * step;
    for (std::size_t c = 0; c < belt; ++c) {
      target[c].y += squeeze * (0.1 - rest[c].y);
      target[c].z += squeeze * (0.1 - rest[c].z);
    }
    target[belt] += 0.1 * Vec3{0, std::sin(angle), 1 - std::cos(angle)};
    std::vector<Vec3> place = constraints.at_points(q);
    for (std::size_t c = 0; c < points.size(); ++c) place[c] += rest[c];
    a = velocity_changes(place, constraints.at_points(v), target, h);
    for (const Vec3& left : constraints.left_over(a)) EXPECT_LT(norm(left), 1e-12);
    implicit_step(mass, forces, held, h, q, v);
    place = constraints.at_points(q);
    for (std::size_t c = 0; c < points.size(); ++c) largest = std::max(largest, norm(place[c] + rest[c] - target[c]));
  }
  EXPECT_LT(largest, 1e-14);
  EXPECT_GT(std::abs(q[q.size() - 1]), 0.01);  // so there was something to release

  const StepSolver loose = unconstrained_solver(inverse, {1e-8, 200, 1});
  for (int step = 0; step < 800; ++step) implicit_step(mass, forces, loose, h, q, v);
  EXPECT_LT(test::map(q).lpNorm<Eigen::Infinity>(), 1e-6 * 0.6);
}

}  // namespace
}  // namespace sinew
