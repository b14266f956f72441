// The stiffness in a pose against the differences of forces, and what it saves as the factor of nonlinear steps.
#include "sinew/deform/tetrahedra/pose_stiffness.h"

#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

const Affine away = turned_about({0.1, 0.2, 0.3}, to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7)));

Bar springy() {
  Bar bar{.along = 8, .across = 2};
  bar.mass_damping = 3;
  bar.stiffness_damping = 0.002;
  return bar;
}

Eigen::VectorXd product(const BlockMatrix& matrix, const Eigen::VectorXd& x) {
  Eigen::VectorXd y(x.size());
  multiply(matrix, std::span(x.data(), static_cast<std::size_t>(x.size())),
           std::span(y.data(), static_cast<std::size_t>(y.size())));
  return y;
}

TEST(PoseStiffness, AtRestItIsTheStiffnessAtRest) {
  const auto body = cooked_bar(springy());
  VertexFrames frames;
  predict_frames(body->description.mesh.positions, body->description.influences, bar_pose(springy(), moved({}), 0),
                 frames);
  const BlockMatrix stiffness = pose_stiffness(*body, frames);
  double most = 0, difference = 0;
  for (std::size_t b = 0; b < stiffness.block.size(); ++b)
    for (std::size_t k = 0; k < 9; ++k) {
      most = std::max(most, std::abs(body->stiffness.block[b](k / 3, k % 3)));
      difference =
          std::max(difference, std::abs(stiffness.block[b](k / 3, k % 3) - body->stiffness.block[b](k / 3, k % 3)));
    }
  EXPECT_LT(difference, 1e-12 * most);
}

// A bend of 2 radians within a few elements: some stretches of the goal exceed their bound.
TEST(PoseStiffness, IsTheDerivativeOfForces) {
  const Bar bar = springy();
  const auto body = cooked_bar(bar);
  VertexFrames frames;
  predict_frames(body->description.mesh.positions, body->description.influences, bar_pose(bar, away, 2), frames);
  TissueLaw law;
  law.stiffening = 0.3;
  const auto forces = tissue_forces(*body, NaturalShape::goal, law, TissuePrecision::doubles);
  forces->set_pose(frames);
  EXPECT_GT(forces->bounded(), 0);
  const auto n = static_cast<Eigen::Index>(3 * body->free_vertex.size());
  const Eigen::VectorXd direction =
      Eigen::VectorXd::NullaryExpr(n, [](Eigen::Index k) { return std::sin(1.7 * static_cast<double>(k * k % 101)); });
  const std::vector<double> still(static_cast<std::size_t>(n), 0.0);
  const auto gradient = [&](double length) {
    const Eigen::VectorXd u = length * direction;
    Eigen::VectorXd result(n);
    forces->find(std::span(u.data(), still.size()), still, std::span(result.data(), still.size()));
    return result;
  };
  const double length = 1e-6 * bar.width;
  const Eigen::VectorXd difference = (gradient(length) - gradient(-length)) / (2 * length),
                        linear = product(pose_stiffness(*body, frames), direction);
  EXPECT_LT((difference - linear).norm(), 1e-6 * linear.norm());
}

// A bar that stays bent: its factor is made for the pose that it is in.
TEST(PoseStiffness, AsFactorItSavesIterations) {
  const Bar bar = springy();
  const auto bent = [&](double t) { return bar_pose(bar, moved({0, 0.02 * bar.width * std::sin(40 * t), 0}), 2); };
  QuasiNewton how;
  how.tolerance = 1e-6;
  how.precision = TissuePrecision::doubles;
  FleshDynamics posed;
  posed.factor_poses.assign(3, bent(0));
  std::vector<std::vector<Vec3>> displacements;
  int iterations[2] = {};
  for (const bool poses : {false, true}) {
    const auto flesh = quasi_newton_flesh(cooked_bar(bar, poses ? posed : FleshDynamics()), how);
    play(
        *flesh,
        [&](int step) {
          if (step > 0) iterations[poses] += flesh->statistics().iterations;
          return bent(step * flesh->step());
        },
        60);
    displacements.emplace_back(flesh->local_displacements().begin(), flesh->local_displacements().end());
  }
  EXPECT_LT(iterations[1], 0.85 * iterations[0]);
  const double most = largest_norm(displacements[0]);
  EXPECT_GT(most, 0.001 * bar.width);
  for (std::size_t v = 0; v < displacements[0].size(); ++v)
    EXPECT_LT(distance(displacements[0][v], displacements[1][v]), 1e-4 * most);
}

}  // namespace
}  // namespace sinew
