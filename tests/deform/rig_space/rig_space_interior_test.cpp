// The inside of a body in equilibrium with its boundary.
#include "sinew/deform/rig_space/static_interior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "studies/reference/nonlinear_equilibrium.h"
#include "tests/deform/rig_space/rig_space_bodies.h"

namespace sinew {
namespace {

using namespace test;

struct Interior {
  std::shared_ptr<RigSpaceBody> body;
  TetrahedralEnergy energy;
  StaticInterior inside;

  explicit Interior(HyperelasticLaw law)
      : body(rig_space_block({.cells = {5, 3, 3}, .size = {0.5, 0.3, 0.3}, .law = law})),
        energy((activated(*body))),
        inside(*body, energy) {}

  // Bends, twists and pushes the boundary; the interior as far off as this leaves it.
  std::vector<Vec3> posed_boundary(const BlockPose& pose) const {
    std::vector<Vec3> x = body->mesh.positions;
    for (std::size_t v = 0; v < body->boundary_vertices(); ++v) x[v] = posed(pose, {0.5, 0.3, 0.3}, x[v]);
    place_interior(*body, x);
    return x;
  }
  static TetrahedralEnergy activated(const RigSpaceBody& body) {
    TetrahedralEnergy energy(body.mesh, body.material);
    energy.activate(std::vector<char>(body.mesh.positions.size(), 1));
    return energy;
  }
};

class StaticInteriors : public testing::TestWithParam<HyperelasticLaw> {};

// A homogeneous body whose boundary moves by an affine map moves by it all through.
TEST_P(StaticInteriors, FollowAffineMapsOfTheBoundary) {
  Interior interior(GetParam());
  Noise noise(6);
  for (int trial = 0; trial < 4; ++trial) {
    const Mat3 turn = to_matrix(normalized(Quat{noise(), noise(), noise(), noise()}));
    const Affine map{turn * (Mat3::identity() + 0.25 * noise.matrix()), noise.vector()};
    std::vector<Vec3> x = interior.body->mesh.positions;
    for (Vec3& p : x) p = map * p;
    const std::vector<Vec3> expected = x;
    for (std::size_t v = interior.body->boundary_vertices(); v < x.size(); ++v) x[v] += 0.01 * noise.vector();
    EXPECT_GT(interior.inside.solve(x), 0);
    for (std::size_t v = 0; v < x.size(); ++v) EXPECT_LT(distance(x[v], expected[v]), 1e-8);
  }
}

TEST_P(StaticInteriors, AgreeWithNonlinearEquilibrium) {
  Interior interior(GetParam());
  const std::size_t all = interior.body->mesh.positions.size();
  const StrainSamples samples = samples_of(*interior.body);
  HyperelasticEnergy potential(samples, static_cast<int>(all), GetParam());
  std::vector<int> held;
  for (std::size_t v = 0; v < interior.body->boundary_vertices(); ++v) held.push_back(static_cast<int>(v));
  // The plain law buckles where it is squeezed by a fifth: more than one equilibrium then.
  const double squeeze = GetParam() == HyperelasticLaw::st_venant_kirchhoff ? 0 : 0.2;
  for (const BlockPose& pose : {BlockPose{.bend = 0.7, .twist = -0.4}, BlockPose{.twist = 0.8, .squeeze = squeeze}}) {
    std::vector<Vec3> x = interior.posed_boundary(pose), start, nothing(all);
    for (std::size_t v = 0; v < all; ++v) start.push_back(x[v] - interior.body->mesh.positions[v]);
    const std::vector<Vec3> q = nonlinear_equilibrium(potential, start, nothing, held, {.tolerance = 1e-12}).q;
    const std::vector<Vec3> before = x;
    interior.inside.solve(x);
    double moved = 0;
    for (std::size_t v = 0; v < all; ++v) {
      EXPECT_LT(distance(x[v], interior.body->mesh.positions[v] + q[v]), 1e-8);
      moved = std::max(moved, distance(x[v], before[v]));
    }
    EXPECT_GT(moved, 1e-3);
  }
}

// dq/dp against what solve() answers a little further along.
TEST_P(StaticInteriors, DerivativesAreThoseOfDifferences) {
  Interior interior(GetParam());
  const std::size_t boundary = interior.body->boundary_vertices(), all = interior.body->mesh.positions.size();
  const auto pose = [](const std::vector<double>& p) {
    return BlockPose{.bend = p[0], .twist = p[1], .squeeze = p[2]};
  };
  const auto solved = [&](const std::vector<double>& p) {
    std::vector<Vec3> x = interior.posed_boundary(pose(p));
    interior.inside.solve(x);
    return x;
  };
  const std::vector<double> p{0.5, -0.6, 0.15};
  // Of fourth order: equilibria are known to some 1e-9 of a metre.
  constexpr double step = 1e-3;
  std::vector<Eigen::VectorXd> differences;
  RigJacobian jacobian;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto away = [&](double by) {
      std::vector<double> other = p;
      other[c] += by;
      return flattened(solved(other));
    };
    differences.push_back((8 * (away(step) - away(-step)) - (away(2 * step) - away(-2 * step))) / (12 * step));
    for (std::size_t v = 0; v < boundary; ++v) {
      const Eigen::Vector3d d = differences.back().segment<3>(row(3 * v));
      jacobian.vertex.push_back(static_cast<int>(v));
      jacobian.derivative.push_back({d(0), d(1), d(2)});
    }
    jacobian.start.push_back(static_cast<int>(jacobian.vertex.size()));
  }
  const std::vector<Vec3> x = solved(p), s(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(boundary)), nothing(all);
  const ReducedBasis whole = interior.inside.basis(x, boundary_basis(*interior.body, s, jacobian));
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> unit(3, 0.0);
    unit[c] = 1;
    std::vector<Vec3> column(all);
    displace(whole, unit, nothing, column);
    const Eigen::VectorXd inside = flattened(column).tail(row(3 * (all - boundary)));
    const Eigen::VectorXd expected = differences[c].tail(row(3 * (all - boundary)));
    EXPECT_LT((inside - expected).norm(), 1e-6 * expected.norm()) << c;
    EXPECT_LT((flattened(column) - differences[c]).norm(), 1e-6 * differences[c].norm());
  }
}

INSTANTIATE_TEST_SUITE_P(OfAllLaws, StaticInteriors,
                         testing::Values(HyperelasticLaw::modified_st_venant_kirchhoff,
                                         HyperelasticLaw::st_venant_kirchhoff, HyperelasticLaw::corotated));

}  // namespace
}  // namespace sinew
