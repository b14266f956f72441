// Rigs carried to another body: lattices fitted in stages, displacements by their affine maps, forces by the statics of
// both bodies (Capell 2004, section 6.7).
#include <gtest/gtest.h>

#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/shape/carry_displacements.h"
#include "sinew/shape/force_template.h"
#include "sinew/shape/retarget_lattice.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/template_tissue.h"
#include "tests/base/same_bits.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

constexpr double scale = 1.6;
const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7));

// A bar with its body, its skin and a coarse lattice of five tetrahedra a cube around it.
struct RetargetBar {
  explicit RetargetBar(const Affine& by = {}) : description(bar_description(Bar{})) {
    for (Vec3& p : description.mesh.positions) p = by * p;
    body = tetrahedral_shape_body(cook_flesh(assemble_flesh(description), {}), TissueLaw{});
    body->set_pose(std::vector<Affine>(2));
    skin.positions = description.mesh.positions;
    skin.triangles = boundary_surface(description.mesh).triangles;
    const Bar bar;
    for (const Vec3& p : {Vec3{0, 0, 0},
                          {bar.length / 2, 0, 0},
                          {bar.length, 0, 0},
                          {bar.length / 2, bar.width / 2, 0},
                          {bar.length / 2, 0, bar.width / 2}})
      points.push_back(by * p);
  }

  FleshDescription description;
  std::unique_ptr<ShapeBody> body;
  TriangleMesh skin;
  std::vector<Vec3> points;  // of its skeleton
};

TetrahedralMesh lattice_around(const RetargetBar& bar) {
  const Box box = bounds(bar.description.mesh.positions);
  const Vec3 margin = 0.1 * (box.upper - box.lower), low = box.lower - margin,
             size = box.upper - box.lower + 2 * margin;
  constexpr int along = 6;
  TetrahedralMesh mesh;
  for (int i = 0; i <= along; ++i)
    for (int j = 0; j <= 1; ++j)
      for (int k = 0; k <= 1; ++k) mesh.positions.push_back(low + Vec3{size.x * i / along, size.y * j, size.z * k});
  const auto at = [](int i, int j, int k) { return 4 * i + 2 * j + k; };
  for (int i = 0; i < along; ++i) {
    const int f = i % 2;  // neighbours are mirror images, so that their faces match
    const auto v = [&](int a, int j, int k) { return at(f ? i + 1 - a : i + a, j, k); };
    for (Tetrahedron t : {Tetrahedron{v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)},
                          {v(1, 1, 0), v(0, 1, 0), v(1, 0, 0), v(1, 1, 1)},
                          {v(1, 0, 1), v(1, 0, 0), v(0, 0, 1), v(1, 1, 1)},
                          {v(0, 1, 1), v(0, 0, 1), v(0, 1, 0), v(1, 1, 1)},
                          {v(1, 0, 0), v(0, 1, 0), v(0, 0, 1), v(1, 1, 1)}}) {
      const auto p = [&](std::size_t c) { return mesh.positions[index(t[c])]; };
      if (volume(p(0), p(1), p(2), p(3)) < 0) std::swap(t[0], t[1]);
      mesh.tetrahedra.push_back(t);
    }
  }
  return mesh;
}

RetargetRequest request_of(const RetargetBar& source, const RetargetBar& target, const TetrahedralMesh& lattice) {
  RetargetRequest request;
  request.lattice = &lattice, request.source = &source.skin, request.target = &target.skin, request.height = 0.1;
  for (std::size_t k = 0; k < source.points.size(); ++k)
    request.skeleton.push_back({source.points[k], target.points[k]});
  return request;
}

RetargetFit fitted(const RetargetBar& source, const RetargetBar& target, const TetrahedralMesh& lattice) {
  return fit_lattice(request_of(source, target, lattice));
}

std::vector<PointForce> bump_on(const RetargetBar& bar, double amplitude = 2e5) {
  return bar.body->integrate({[=](const Vec3& x) {
                                return Vec3{0, amplitude * bell(distance(x, {0.45, 0.05, 0}), 0.06), 0};
                              },
                              {0.45, 0.05, 0},
                              0.06,
                              0.06});
}

double longest_of(std::span<const Vec3> vectors) {
  double most = 0;
  for (const Vec3& v : vectors) most = std::max(most, norm(v));
  return most;
}

// Displacements of the source's body under a bump, carried to points of the target by its lattice.
std::vector<Vec3> carried(const RetargetBar& source, const RetargetFit& fit, std::span<const PointForce> forces,
                          std::span<const Vec3> points) {
  return CarriedDisplacements(fit.lattice, source.description.mesh, origins_in_lattice(fit.lattice, points))
      .carry(source.body->displacements(forces));
}

TEST(Retarget, TheSameCharacterGetsTheSameForces) {
  const RetargetBar bar;
  const TetrahedralMesh lattice = lattice_around(bar);
  const RetargetFit fit = fitted(bar, bar, lattice);
  EXPECT_LT(fit.stages.back().surface, 1e-9);
  // The search for equilibrium ends at 1e-8 of the forces, in the linear range at rounding.
  for (const auto& [amplitude, tolerance] : {std::pair{2e5, 2e-8}, {2e2, 1e-9}}) {
    std::vector<PointForce> forces = bump_on(bar, amplitude);
    // Core vertices take forces without moving.
    std::erase_if(forces, [&](const PointForce& each) { return bar.description.core[index(each.point)]; });
    const std::vector<Vec3> moved = carried(bar, fit, forces, bar.description.mesh.positions);
    EXPECT_GT(longest_of(moved), 0.005 * amplitude / 2e5);
    std::vector<Vec3> wanted(moved.size()), found(moved.size());
    add_forces(forces, 1, wanted);
    add_forces(bar.body->forces(moved), 1, found);
    double most = 0;
    for (std::size_t v = 0; v < wanted.size(); ++v) most = std::max(most, distance(found[v], wanted[v]));
    EXPECT_LT(most, tolerance * longest_of(wanted));
  }
}

TEST(Retarget, ControlPointsArriveWhereTheyAreMovedAndOthersFollow) {
  const RetargetBar bar;
  const TetrahedralMesh lattice = lattice_around(bar);
  const RetargetRequest request = request_of(bar, bar, lattice);
  const RetargetFit fit = fit_lattice(request);
  const int corner = nearest_control_point(fit.lattice, fit.lattice.target.positions[9]);
  ASSERT_EQ(corner, 9);
  const Vec3 from = fit.lattice.target.positions[9], to = from + Vec3{0.01, -0.02, 0.015};
  const RetargetFit moved = move_control_points(request, fit, std::vector<MovedControlPoint>{{9, to}});
  EXPECT_EQ(moved.lattice.target.positions[9], to) << "to the last bit";
  EXPECT_EQ(moved.lattice.source.positions, fit.lattice.source.positions);
  EXPECT_EQ(inverted_cells(moved.lattice.target), 0);
  EXPECT_STREQ(moved.stages.back().name, "control points");
  EXPECT_LT(moved.stages.back().surface, 0.1) << "the skin is still on the skin";
  // The neighbours go along, the far end stays.
  double most = 0;
  for (std::size_t v = 0; v < lattice.positions.size(); ++v)
    if (v != 9) most = std::max(most, distance(moved.lattice.target.positions[v], fit.lattice.target.positions[v]));
  EXPECT_GT(most, 1e-3 * distance(from, to));
  EXPECT_LT(most, distance(from, to));
  EXPECT_LT(distance(moved.lattice.target.positions[24], fit.lattice.target.positions[24]), 0.1 * distance(from, to));
  expect_same_bits([&] {
    std::vector<double> numbers;
    for (const Vec3& p :
         move_control_points(request, fit, std::vector<MovedControlPoint>{{9, to}}).lattice.target.positions)
      numbers.insert(numbers.end(), {p.x, p.y, p.z});
    return numbers;
  });
}

TEST(Retarget, ControlPointsThatStayLeaveTheIdentity) {
  const RetargetBar bar;
  const TetrahedralMesh lattice = lattice_around(bar);
  const RetargetRequest request = request_of(bar, bar, lattice);
  const RetargetFit fit = fit_lattice(request);
  const RetargetFit none = move_control_points(request, fit, {});
  EXPECT_EQ(none.lattice.target.positions, fit.lattice.target.positions);
  const RetargetFit same =
      move_control_points(request, fit, std::vector<MovedControlPoint>{{9, fit.lattice.target.positions[9]}});
  for (std::size_t v = 0; v < lattice.positions.size(); ++v)
    EXPECT_LT(distance(same.lattice.target.positions[v], lattice.positions[v]), 1e-9);
}

TEST(Retarget, ImpossibleMovesOfControlPointsAreSaid) {
  const RetargetBar bar;
  const TetrahedralMesh lattice = lattice_around(bar);
  const RetargetRequest request = request_of(bar, bar, lattice);
  const RetargetFit fit = fit_lattice(request);
  const auto move = [&](std::vector<MovedControlPoint> moved) { move_control_points(request, fit, moved); };
  const Vec3 place = fit.lattice.target.positions[9];
  EXPECT_THROW(move({{-1, place}}), Error);
  EXPECT_THROW(move({{static_cast<int>(lattice.positions.size()), place}}), Error);
  EXPECT_THROW(move({{9, place}, {9, place}}), Error);
  EXPECT_THROW(move({{9, {NAN, 0, 0}}}), Error);
  // Two points that change places would turn the cells between them inside out.
  EXPECT_THROW(move({{8, fit.lattice.target.positions[12]}, {12, fit.lattice.target.positions[8]}}), Error);
}

TEST(Retarget, ATurnedAndScaledCharacterTurnsAndScalesDisplacements) {
  const RetargetBar source, target(Affine{turn * scale, {3, -1, 2}});
  const TetrahedralMesh lattice = lattice_around(source);
  const RetargetFit fit = fitted(source, target, lattice);
  EXPECT_EQ(inverted_cells(fit.lattice.target), 0);
  EXPECT_LT(fit.stages.front().skeleton, 1e-5) << "a similarity is all of it";
  const std::vector<PointForce> forces = bump_on(source);
  const std::vector<Vec3> before = source.body->displacements(forces),
                          after = carried(source, fit, forces, target.description.mesh.positions);
  for (std::size_t v = 0; v < before.size(); ++v)
    EXPECT_LT(distance(after[v], scale * (turn * before[v])), 1e-4 * scale * longest_of(before));
  // Equal strains of a body of the same tissue: forces grow as areas do.
  std::vector<Vec3> on_source(before.size()), on_target(before.size());
  add_forces(source.body->forces(before), 1, on_source);
  add_forces(target.body->forces(after), 1, on_target);
  for (std::size_t v = 0; v < before.size(); ++v)
    EXPECT_LT(distance(on_target[v], scale * scale * (turn * on_source[v])),
              1e-3 * scale * scale * longest_of(on_source));
  // On the skin likewise, by where it is nearest.
  const Origins origins =
      origins_on_skin(source.skin, LimbSurface({fit.surface, source.skin.triangles}, {}, 0), target.skin, {}, 0.1);
  for (const Triangle& t : source.skin.triangles)
    for (const int v : t) EXPECT_LT(distance(origins.point[index(v)], source.skin.positions[index(v)]), 1e-5);
}

TEST(Retarget, TheSameCharacterGetsTheSameTissue) {
  const RetargetBar bar;
  const TetrahedralMesh lattice = lattice_around(bar);
  // One in the bar, one that is mostly beside the lattice.
  for (const Vec3& centre : {Vec3{0.3, 0.01, 0}, Vec3{0.3, 0.2, 0}}) {
    const TissueRegion region{centre, Mat3{{0.05, 0.01, 0, -0.01, 0.03, 0, 0, 0, 0.04}}};
    const TissueRegion found = carried_region({lattice, lattice}, region);
    EXPECT_LT(distance(found.centre, region.centre), 1e-12);
    EXPECT_LT(frobenius_norm(found.axes - region.axes), 1e-12);
  }
}

TEST(Retarget, ATurnedAndScaledCharacterTurnsStrainAndScalesItsRegion) {
  const Affine by{turn * scale, {3, -1, 2}};
  const RetargetBar source;
  RetargetedLattice lattice{lattice_around(source), {}};
  lattice.target = lattice.source;
  for (Vec3& p : lattice.target.positions) p = by * p;
  const TissueRegion region{{0.3, 0.01, 0}, 0.06 * to_matrix(axis_angle({0, 0, 1}, 0.4))};
  ShapeSample sample{{1}, {1}};
  sample.strain = 0.8, sample.stiffness = 3;
  ShapeRig rig;
  rig.kind = TemplateKind::field;
  sample.region = region;
  const TissueChange before = tissue_change(rig, sample, {});
  sample.region = carried_region(lattice, region_of(before));
  const TissueChange after = tissue_change(rig, sample, {});
  for (const Vec3& x : {Vec3{0.3, 0.01, 0}, Vec3{0.32, 0.02, 0.01}, Vec3{0.29, -0.02, 0.03}, Vec3{0.5, 0, 0}}) {
    const Mat3 wanted = turn * strain_of(before).strain(x) * transpose(turn);
    EXPECT_LT(frobenius_norm(strain_of(after).strain(by * x) - wanted), 1e-9);
    EXPECT_NEAR(stiffening_of(after).logarithm(by * x), stiffening_of(before).logarithm(x), 1e-9);
  }
  EXPECT_GT(frobenius_norm(strain_of(after).strain(by * Vec3{0.3, 0.01, 0})), 0.1);
}

// Another bar, bent and thicker: only the rest shape.
RetargetBar bent_bar() {
  RetargetBar bar;
  const auto bend = [](const Vec3& p) {
    const double radius = 0.4, angle = p.x / radius;
    return Vec3{(radius - 1.5 * p.y) * std::sin(angle), radius - (radius - 1.5 * p.y) * std::cos(angle), 1.5 * p.z};
  };
  for (std::vector<Vec3>* points : {&bar.description.mesh.positions, &bar.skin.positions, &bar.points})
    for (Vec3& p : *points) p = bend(p);
  return bar;
}

TEST(Retarget, ABentAndThickerBodyIsFittedWithoutCellsInsideOut) {
  const RetargetBar source, target = bent_bar();
  const TetrahedralMesh lattice = lattice_around(source);
  const RetargetFit fit = fitted(source, target, lattice);
  EXPECT_EQ(inverted_cells(fit.lattice.target), 0);
  EXPECT_LT(fit.stages[1].skeleton, 0.1 * fit.stages[0].skeleton);
  EXPECT_LT(fit.stages.back().surface, 0.5 * fit.stages[1].surface);
  EXPECT_LT(fit.stages.back().surface, 0.1) << "of the width";
}

TEST(Retarget, FitAndOriginsHaveTheSameBitsForAnyNumberOfThreads) {
  const RetargetBar source, target = bent_bar();
  const TetrahedralMesh lattice = lattice_around(source);
  expect_same_bits([&] {
    const RetargetFit fit = fitted(source, target, lattice);
    const Origins origins =
        origins_on_skin(source.skin, LimbSurface({fit.surface, source.skin.triangles}, {}, 0), target.skin, {}, 0.1);
    std::vector<double> numbers = origins.distance;
    for (const std::vector<Vec3>* points : {&fit.lattice.target.positions, &origins.point})
      for (const Vec3& p : *points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    return numbers;
  });
}

TEST(Retarget, WhatCannotBeFittedIsSaid) {
  const RetargetBar bar;
  const TetrahedralMesh lattice = lattice_around(bar);
  RetargetRequest request;
  request.lattice = &lattice, request.source = request.target = &bar.skin, request.height = 0.1;
  EXPECT_THROW(fit_lattice(request), Error);
  request.features = {{{0, 0, 0}, {NAN, 0, 0}}};
  EXPECT_THROW(fit_lattice(request), Error);
}

}  // namespace
}  // namespace sinew
