// Integrals of fields over tetrahedra against closed forms, also where a field is narrower than an element.
#include "sinew/shape/force_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/threads/parallel.h"
#include "sinew/shape/force_template.h"
#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

using namespace test;

using std::numbers::pi;

ForceField field_of(TemplateKind kind, std::vector<double> eta, const Vec3& centre) {
  return {[=](const Vec3& x) { return template_force(kind, eta, x - centre); }, centre, template_support(kind, eta),
          template_detail(kind, eta)};
}

Vec3 total(std::span<const PointForce> forces) {
  Vec3 sum;
  for (const PointForce& each : forces) sum += each.force;
  return sum;
}

TEST(ForceIntegral, TheQuadratureIsExactForPolynomialsOfDegreeFive) {
  // Times a linear function, degree 4 for the density. One tetrahedron, in one piece.
  TetrahedralMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  for (int a = 0; a <= 4; ++a)
    for (int b = 0; a + b <= 4; ++b)
      for (int c = 0; a + b + c <= 4; ++c) {
        const ForceField field{[&](const Vec3& x) {
                                 return Vec3{std::pow(x.x, a) * std::pow(x.y, b) * std::pow(x.z, c), 0, 0};
                               },
                               {},
                               10,
                               10};
        const std::vector<PointForce> forces = integrate_forces(field, mesh, {});
        const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
        const double all = factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
        const double at_x = factorial(a + 1) * factorial(b) * factorial(c) / factorial(a + b + c + 4);
        EXPECT_NEAR(total(forces).x, all, 1e-14);
        EXPECT_NEAR(forces[1].force.x, at_x, 1e-14);
      }
}

TEST(ForceIntegral, ABumpHasItsClosedTotalHoweverCoarseTheElements) {
  const double radius = 0.11;
  const double expected = 500 * std::pow(radius, 3) * (2 * pi / 3 - 4 / pi);
  for (const int n : {1, 2, 5, 12}) {
    const TetrahedralMesh mesh = block({n, n, n}, {0.5, 0.5, 0.5}).mesh;
    const std::vector<PointForce> forces =
        integrate_forces(field_of(TemplateKind::bump, {500, radius}, {0.24, 0.27, 0.22}), mesh, {});
    EXPECT_NEAR(total(forces).y, expected, 1e-5 * expected) << n;
    // The first moment is that of the total at the centre.
    Vec3 moment;
    for (const PointForce& each : forces) moment += each.force.y * mesh.positions[static_cast<std::size_t>(each.point)];
    EXPECT_LT(distance(moment / expected, {0.24, 0.27, 0.22}), 1e-5) << n;
  }
}

TEST(ForceIntegral, ATorusHasItsClosedMoment) {
  const TetrahedralMesh mesh = block({6, 6, 6}, {0.5, 0.5, 0.5}).mesh;
  const std::vector<double> eta{400, 0.05, 0.12};
  const Vec3 centre{0.25, 0.25, 0.25};
  const std::vector<PointForce> forces = integrate_forces(field_of(TemplateKind::torus, eta, centre), mesh, {});
  // int f_y y = half of int f . d, as the section is round: 2 pi^2 ring A R^3 (1/6 - 1 / (4 pi^2)).
  double moment = 0;
  for (const PointForce& each : forces)
    moment += each.force.y * (mesh.positions[static_cast<std::size_t>(each.point)].y - centre.y);
  const double expected = 2 * pi * pi * 0.12 * 400 * std::pow(0.05, 3) * (1.0 / 6 - 1 / (4 * pi * pi));
  EXPECT_NEAR(moment, expected, 1e-4 * expected);
  EXPECT_LT(norm(total(forces)), 1e-4 * expected / 0.12);
}

TEST(ForceIntegral, FieldsAreRestrictedToTheBodyAndAdd) {
  const TetrahedralMesh mesh = block({4, 4, 4}, {0.4, 0.4, 0.4}).mesh;
  const ForceField half = field_of(TemplateKind::bump, {100, 0.1}, {0.4, 0.2, 0.2});
  const double whole = 100 * std::pow(0.1, 3) * (2 * pi / 3 - 4 / pi);
  EXPECT_NEAR(total(integrate_forces(half, mesh, {})).y, whole / 2, 1e-5 * whole) << "centred on a face of the body";
  const std::vector<double> inside(mesh.tetrahedra.size(), 0.25);
  EXPECT_NEAR(total(integrate_forces(half, mesh, inside)).y, whole / 8, 1e-5 * whole);

  const ForceField other = field_of(TemplateKind::radial, {70, 0.15}, {0.3, 0.2, 0.25});
  const ForceField both{[&](const Vec3& x) { return half.density(x) + other.density(x); }, {0.35, 0.2, 0.22}, 0.3, 0.1};
  std::vector<Vec3> sum(mesh.positions.size()), together(mesh.positions.size());
  add_forces(integrate_forces(half, mesh, {}), 1, sum);
  add_forces(integrate_forces(other, mesh, {}), 1, sum);
  add_forces(integrate_forces(both, mesh, {}), 1, together);
  for (std::size_t v = 0; v < sum.size(); ++v) EXPECT_LT(distance(sum[v], together[v]), 1e-5 * whole);
}

// The work of several densities along displacements is that of their forces.
TEST(ForceIntegral, WorkIsThatOfTheForces) {
  const TetrahedralMesh mesh = block({4, 4, 4}, {0.4, 0.4, 0.4}).mesh;
  const std::vector<double> inside(mesh.tetrahedra.size(), 0.7);
  const ForceField a = field_of(TemplateKind::bump, {100, 0.1}, {0.3, 0.2, 0.2});
  const ForceDensities both{2,
                            [&](const Vec3& x, const Vec3& u, double weight, std::span<double> sum) {
                              sum[0] += weight * dot(a.density(x), u);
                              sum[1] -= 3 * weight * dot(a.density(x), u);
                            },
                            a.centre, a.radius, a.detail};
  std::vector<Vec3> u;
  for (const Vec3& x : mesh.positions) u.push_back({std::sin(9 * x.y), x.x * x.z, 1 - x.y});
  double expected = 0;
  for (const PointForce& each : integrate_forces(a, mesh, inside))
    expected += dot(each.force, u[static_cast<std::size_t>(each.point)]);
  set_thread_count(1);
  const std::vector<double> work = integrate_work(both, mesh, inside, u);
  EXPECT_NEAR(work[0], expected, 1e-12 * std::abs(expected));
  EXPECT_NEAR(work[1], -3 * expected, 1e-12 * std::abs(expected));
  set_thread_count(4);
  EXPECT_EQ(integrate_work(both, mesh, inside, u), work);
  set_thread_count(0);
}

TEST(ForceIntegral, SameBitsForAnyNumberOfThreads) {
  const TetrahedralMesh mesh = block({6, 6, 6}, {0.5, 0.5, 0.5}).mesh;
  const ForceField field = field_of(TemplateKind::bulge, {100, 0.2}, {0.2, 0.25, 0.3});
  set_thread_count(1);
  const std::vector<PointForce> one = integrate_forces(field, mesh, {});
  set_thread_count(4);
  EXPECT_EQ(integrate_forces(field, mesh, {}), one);
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew
