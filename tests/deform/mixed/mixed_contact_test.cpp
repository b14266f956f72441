// Static contact of mixed bodies: known answers, the conditions of equilibrium written out, and an independent search.
#include "sinew/deform/mixed/mixed_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "tests/base/refusal.h"
#include "tests/deform/mixed/mixed_bodies.h"
#include "tests/dense_algebra.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using test::at;

using test::shared;

// Vertices of a block's boundary as surface points, each on some tetrahedron that has it.
SurfacePoints boundary_points(const test::Block& block) {
  std::vector<EmbeddedPoint> points;
  const auto [nx, ny, nz] = block.cells;
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k) {
        if (!block.on_boundary(i, j, k)) continue;
        const int v = block.vertex(i, j, k);
        for (std::size_t t = 0; t < block.mesh.tetrahedra.size(); ++t) {
          const Tetrahedron& corner = block.mesh.tetrahedra[t];
          const auto found = std::find(corner.begin(), corner.end(), v);
          if (found == corner.end()) continue;
          EmbeddedPoint point{static_cast<int>(t), {0, 0, 0, 0}};
          point.weights[static_cast<std::size_t>(found - corner.begin())] = 1;
          points.push_back(point);
          break;
        }
      }
  return surface_points(block.mesh, points);
}

// A grid of points on the upper face, finer than the mesh.
SurfacePoints upper_face(const test::Block& block, const Vec3& size, int per_cell) {
  std::vector<Vec3> points;
  const int nx = block.cells[0] * per_cell, nz = block.cells[2] * per_cell;
  for (int i = 0; i <= nx; ++i)
    for (int k = 0; k <= nz; ++k) points.push_back({size.x * i / nx, size.y, size.z * k / nz});
  return surface_points(block.mesh, embed_points(block.mesh, points).points);
}

StrainSamples contact_samples_of(const TetrahedralMesh& mesh, double poisson) {
  ElementFields fields;
  fields.material = {2e4, poisson, 1000};
  return strain_samples(mesh, Element::linear, fields);
}

// The lower face of a block held, its upper face a surface.
struct Cushion {
  test::Block block = test::block({6, 4, 6}, {1.5, 1, 1.5});
  std::shared_ptr<const MixedBody> body;
  SurfacePoints surface;
  test::OwnedLoad load;

  explicit Cushion(MixedMaterial material, double poisson = 0.45) {
    MixedPins pins;
    for (int i = 0; i <= 6; ++i)
      for (int k = 0; k <= 6; ++k) pins.held.push_back(block.vertex(i, 0, k));
    body = shared(
        mixed_body(block.mesh.positions, contact_samples_of(block.mesh, poisson), stretch_energy(material), pins));
    surface = upper_face(block, {1.5, 1, 1.5}, 2);
    load = test::rigid_load(*body, {});
  }
};

std::vector<Mat3> stresses_at(const MixedBody& body, std::span<const Mat3> rotations, std::span<const Vec3> positions) {
  std::vector<Mandel> stretches(body.samples.size(), Mandel::identity());
  if (!body.energy.quadratic) stretches = recover_stretches(body, rotations, positions);
  MaterialResponse response;
  material_response(body, stretches, response);
  return linearized_stresses(body, rotations, positions, stretches, response);
}

// What elements and loads leave on every vertex, held ones included, contact forces added.
std::vector<Vec3> forces_left(const MixedBody& body, const MixedLoad& load, const SurfacePoints& surface,
                              const MixedContacts& contacts, std::span<const Vec3> positions) {
  std::vector<Vec3> left(load.forces.begin(), load.forces.end());
  left.resize(positions.size());
  const std::vector<Mat3> stresses = stresses_at(body, load.rotations, positions);
  for (std::size_t s = 0; s < body.samples.size(); ++s)
    for (int e = body.samples.start[s]; e < body.samples.start[s + 1]; ++e)
      left[at(body.samples.vertex[at(e)])] -= stresses[s] * (body.samples.gradient[at(e)] * body.samples.volume[s]);
  for (const MixedContact& contact : contacts.pushing)
    for (std::size_t c = 0; c < 4; ++c)
      left[at(surface.vertex[at(contact.point)][c])] +=
          contact.normal * (contact.force * surface.weight[at(contact.point)][c]);
  return left;
}

Vec3 total(const MixedContacts& contacts) {
  Vec3 sum;
  for (const MixedContact& contact : contacts.pushing) sum += contact.normal * contact.force;
  return sum;
}

// No point inside by more than 1e-5 of the body's size, forces that push where points touch and nowhere else, normals
// of the colliders where the points are, equilibrium.
void expect_static_contact(const MixedBody& body, const MixedLoad& load, const SurfacePoints& surface,
                           const Colliders& colliders, const MixedContacts& contacts, std::span<const Vec3> positions) {
  constexpr double size = 1.5;
  const ScratchVector<Vec3> points = positions_of(surface, positions);
  double deepest = 0;
  for (const Vec3& point : points)
    for (std::size_t c = 0; c < colliders.size(); ++c)
      deepest = std::max(deepest, -gap_to(colliders, c, point).distance);
  EXPECT_LT(deepest, 1e-5 * size);
  EXPECT_NEAR(contacts.deepest, deepest, 1e-12);
  ASSERT_FALSE(contacts.pushing.empty());
  double whole = 0, left = 0;
  for (const MixedContact& contact : contacts.pushing) {
    EXPECT_GT(contact.force, 0);
    const Gap gap = gap_to(colliders, at(contact.collider), points[at(contact.point)]);
    EXPECT_LT(std::abs(gap.distance), 1e-5 * size);
    EXPECT_LT(norm(gap.normal - contact.normal), 1e-12);
    whole += contact.force;
  }
  const std::vector<Vec3> forces = forces_left(body, load, surface, contacts, positions);
  for (const int v : body.free.vertex) left = std::max(left, norm(forces[at(v)]));
  EXPECT_LT(left, 1e-4 * whole);
}

// A block between two plates: uniform stress, E delta on the area, and it widens by nu delta.
TEST(MixedContact, PlatesPressABlockUniformly) {
  const test::Block block = test::block({4, 4, 4}, {1, 1, 1});
  const SurfacePoints surface = boundary_points(block);
  const double squeeze = 0.1;
  Colliders plates;
  plates.planes = {{{0, squeeze / 2, 0}, {0, 2, 0}}, {{0, 1 - squeeze / 2, 0}, {0, -1, 0}}};
  for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated})
    for (const MixedLinearSolver how : {MixedLinearSolver::iterative, MixedLinearSolver::direct}) {
      const double poisson = 0.4, young = 2e4, shear = young / (2 * (1 + poisson));
      const bool arap = material == MixedMaterial::arap;
      const auto body = shared(mixed_body(block.mesh.positions, contact_samples_of(block.mesh, poisson),
                                          stretch_energy(material), {{block.vertex(2, 2, 2)}, {}, {}}));
      MixedSolver solver(body, {1e-8, 100, how});
      std::vector<Vec3> positions;
      MixedContacts contacts;
      const test::OwnedLoad load = test::rigid_load(*body, {});
      solver.solve(load.load(), surface, plates, positions, contacts);
      const Vec3 centre{0.5, 0.5, 0.5},
          stretch{1 + (arap ? 0 : poisson * squeeze), 1 - squeeze, 1 + (arap ? 0 : poisson * squeeze)};
      std::vector<Vec3> exact;
      for (const Vec3& x : block.mesh.positions) exact.push_back(centre + Mat3::diagonal(stretch) * (x - centre));
      EXPECT_LT(test::largest_difference(positions, exact), 2e-5);
      double pressed = 0;
      for (const MixedContact& contact : contacts.pushing) pressed += contact.force / 2;
      EXPECT_NEAR(pressed, (arap ? 2 * shear : young) * squeeze, 1e-3 * young * squeeze);
      EXPECT_LT(norm(total(contacts)), 1e-4 * pressed);
      EXPECT_EQ(contacts.pushing.size(), 50u);
    }
}

TEST(MixedContact, ShapesPressedIntoTheFleshAreInEquilibriumWithIt) {
  Colliders ball, capsule, both, box;
  ball.capsules = {sphere_collider({0.75, 1.3, 0.7}, 0.45)};
  capsule.capsules = {{{0.2, 1.1, -0.5}, {1.2, 1.15, 2}, 0.25}};
  both.planes = {{{0, 0.95, 0}, {0.1, -1, 0}}};
  both.capsules = {sphere_collider({0.4, 1.25, 0.4}, 0.4), capsule.capsules.front()};
  box.boxes = {{{0.8, 1.21, 0.75}, to_matrix(axis_angle({0, 0, 1}, 0.3)), {0.3, 0.25, 0.4}, 0.05}};
  for (const MixedMaterial material : test::all_mixed_materials) {
    const Cushion cushion(material, 0.4);
    MixedSolver solver(cushion.body);
    for (const Colliders& colliders : {ball, capsule, both, box}) {
      SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", colliders "
                                      << colliders.size());
      std::vector<Vec3> positions;
      MixedContacts contacts;
      solver.solve(cushion.load.load(), cushion.surface, colliders, positions, contacts);
      expect_static_contact(*cushion.body, cushion.load.load(), cushion.surface, colliders, contacts, positions);
      EXPECT_LT(contacts.residual, 2e-4);
    }
  }
}

// The tension of samples as further unknowns against a factor of the whole matrix.
TEST(MixedContact, BothSearchesFindTheSame) {
  const Cushion cushion(MixedMaterial::corotated);
  Colliders ball;
  ball.capsules = {sphere_collider({0.75, 1.3, 0.7}, 0.45)};
  std::vector<Vec3> iterated, factored;
  MixedContacts a, b;
  MixedSolver(cushion.body).solve(cushion.load.load(), cushion.surface, ball, iterated, a);
  MixedSolver(cushion.body, test::direct).solve(cushion.load.load(), cushion.surface, ball, factored, b);
  EXPECT_LT(test::largest_difference(iterated, factored), 3e-5);
  EXPECT_LT(norm(total(a) - total(b)), 1e-3 * norm(total(a)));
}

// A slanted plane: one quadratic problem with linear constraints, solved here by relaxation on the dense inverse.
TEST(MixedContact, AgreesWithRelaxationOnTheDenseCompliance) {
  const test::Block block = test::block({3, 2, 3}, {1.5, 1, 1.5});
  MixedPins pins;
  for (int i = 0; i <= 3; ++i)
    for (int k = 0; k <= 3; ++k) pins.held.push_back(block.vertex(i, 0, k));
  const auto body = shared(mixed_body(block.mesh.positions, contact_samples_of(block.mesh, 0.45),
                                      stretch_energy(MixedMaterial::corotated), pins));
  const SurfacePoints surface = upper_face(block, {1.5, 1, 1.5}, 1);
  Colliders slope;
  slope.planes = {{{0, 0.93, 0}, normalized(Vec3{0.2, -1, 0.1})}};
  const test::OwnedLoad load = test::rigid_load(*body, {});
  std::vector<Vec3> positions, alone;
  MixedContacts contacts;
  MixedSolver solver(body);
  solver.solve(load.load(), surface, slope, positions, contacts);
  solver.solve(load.load(), alone);

  MaterialResponse response;
  material_response(*body, std::vector<Mandel>(body->samples.size(), Mandel::identity()), response);
  BlockMatrix matrix = condensed_pattern(*body);
  assemble_condensed(*body, load.rotations, response.hessian, matrix);
  const Eigen::Index n = 3 * matrix.rows, m = static_cast<Eigen::Index>(surface.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n), j = Eigen::MatrixXd::Zero(m, n);
  for (int row = 0; row < matrix.rows; ++row)
    for (int k = matrix.row_start[at(row)]; k < matrix.row_start[at(row) + 1]; ++k)
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          a(3 * row + static_cast<int>(r), 3 * matrix.column[at(k)] + static_cast<int>(c)) = matrix.block[at(k)](r, c);
  const ScratchVector<Vec3> points = positions_of(surface, alone);
  Eigen::VectorXd gap(m);
  for (Eigen::Index p = 0; p < m; ++p) {
    const auto point = static_cast<std::size_t>(p);
    gap[p] = gap_to(slope, 0, points[point]).distance;
    for (std::size_t c = 0; c < 4; ++c)
      if (const int f = body->free.number[at(surface.vertex[point][c])]; f >= 0)
        for (std::size_t k = 0; k < 3; ++k)
          j(p, 3 * f + static_cast<int>(k)) += surface.weight[point][c] * slope.planes[0].normal[k];
  }
  const Eigen::MatrixXd compliance = j * test::solved(a, j.transpose());
  Eigen::VectorXd force = Eigen::VectorXd::Zero(m);
  for (int sweep = 0; sweep < 5000; ++sweep)
    for (Eigen::Index p = 0; p < m; ++p)
      force[p] = std::max(0.0, force[p] - (gap[p] + compliance.row(p).dot(force)) / compliance(p, p));
  const Eigen::VectorXd moved = test::solved(a, j.transpose() * force);
  for (int f = 0; f < body->free.count(); ++f) {
    const auto v = at(body->free.vertex[at(f)]);
    EXPECT_LT(distance(positions[v], alone[v] + Vec3{moved[3 * f], moved[3 * f + 1], moved[3 * f + 2]}), 2e-5);
  }
  EXPECT_NEAR(norm(total(contacts)), force.sum(), 1e-3 * force.sum());
  EXPECT_LT(contacts.pushing.size(), surface.size());
}

// Contacts, weight and pins hold one another in balance.
TEST(MixedContact, ForcesAndReactionsOfPinsAddUpToNothing) {
  Cushion cushion(MixedMaterial::corotated);
  Colliders ball;
  ball.capsules = {sphere_collider({0.6, 1.2, 0.8}, 0.4)};
  ElementFields fields;
  fields.material = {2e4, 0.45, 1000};
  cushion.load.forces.resize(cushion.body->rest.size());
  const std::vector<double> mass = lumped_mass(cushion.block.mesh, fields);
  add_weight(mass, {0, -9.81, 0}, cushion.load.forces);
  std::vector<Vec3> positions;
  MixedContacts contacts;
  MixedSolver(cushion.body, {1e-8, 100, MixedLinearSolver::iterative, 1e-8})
      .solve(cushion.load.load(), cushion.surface, ball, positions, contacts);
  const std::vector<Vec3> left = forces_left(*cushion.body, cushion.load.load(), cushion.surface, contacts, positions);
  Vec3 reactions;  // what the pins have to add
  for (const int v : cushion.body->pins.held) reactions -= left[at(v)];
  const double weight = 1000 * 9.81 * 1.5 * 1.5;
  const Vec3 balance = reactions + total(contacts) + Vec3{0, -weight, 0};
  EXPECT_GT(norm(total(contacts)), 100);
  EXPECT_LT(norm(balance), 1e-3 * norm(total(contacts)));
}

TEST(MixedContact, CollidersThatDoNotTouchChangeNothing) {
  Colliders away;
  away.planes = {{{0, 1 + 1e-3, 0}, {0, -1, 0}}};
  away.capsules = {sphere_collider({0.75, 2, 0.75}, 0.9)};
  for (const MixedMaterial material : test::all_mixed_materials) {
    const Cushion cushion(material);
    test::OwnedLoad load = cushion.load;
    load.forces.assign(cushion.body->rest.size(), Vec3{1, -2, 0.5});
    std::vector<Vec3> positions, alone;
    MixedContacts contacts;
    MixedSolver solver(cushion.body);
    solver.solve(load.load(), cushion.surface, away, positions, contacts);
    solver.solve(load.load(), alone);
    EXPECT_EQ(positions, alone);
    EXPECT_TRUE(contacts.pushing.empty());
    EXPECT_EQ(contacts.deepest, 0);
    solver.solve(load.load(), cushion.surface, {}, positions, contacts);
    EXPECT_EQ(positions, alone);
  }
}

TEST(MixedContact, DoesNotDependOnThreadsOrPosesBefore) {
  Colliders ball, other;
  ball.capsules = {sphere_collider({0.75, 1.3, 0.7}, 0.45)};
  other.planes = {{{0, 0.9, 0}, {0, -1, 0}}};
  for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated}) {
    const Cushion cushion(material);
    std::vector<Vec3> one, many;
    MixedContacts contacts;
    set_thread_count(1);
    MixedSolver(cushion.body).solve(cushion.load.load(), cushion.surface, ball, one, contacts);
    set_thread_count(4);
    MixedSolver solver(cushion.body);
    solver.solve(cushion.load.load(), cushion.surface, other, many, contacts);
    solver.solve(cushion.load.load(), cushion.surface, ball, many, contacts);
    set_thread_count(0);
    EXPECT_EQ(one, many);
  }
}

TEST(MixedContact, DoesNotDependOnTheOrderOfPointsAndColliders) {
  const Cushion cushion(MixedMaterial::corotated);
  Colliders colliders;
  colliders.capsules = {sphere_collider({0.4, 1.25, 0.4}, 0.4), sphere_collider({1.1, 1.2, 1}, 0.35)};
  SurfacePoints reversed = cushion.surface;
  std::reverse(reversed.vertex.begin(), reversed.vertex.end());
  std::reverse(reversed.weight.begin(), reversed.weight.end());
  Colliders swapped;
  swapped.capsules = {colliders.capsules[1], colliders.capsules[0]};
  std::vector<Vec3> a, b;
  MixedContacts contacts;
  MixedSolver solver(cushion.body);
  solver.solve(cushion.load.load(), cushion.surface, colliders, a, contacts);
  solver.solve(cushion.load.load(), reversed, swapped, b, contacts);
  EXPECT_LT(test::largest_difference(a, b), 3e-5);
}

// A collider that turns and moves with the whole rig.
TEST(MixedContact, TurnsWithTheRig) {
  const Cushion cushion(MixedMaterial::corotated);
  const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, 2, -1}), 2)), {10, -4, 3}};
  Colliders here, there;
  here.capsules = {{{0.2, 1.1, -0.5}, {1.2, 1.15, 2}, 0.25}};
  there.capsules = {{motion * here.capsules[0].from, motion * here.capsules[0].to, 0.25}};
  std::vector<Vec3> a, b;
  MixedContacts contacts;
  MixedSolver solver(cushion.body);
  solver.solve(cushion.load.load(), cushion.surface, here, a, contacts);
  const test::OwnedLoad turned = test::rigid_load(*cushion.body, motion);
  solver.solve(turned.load(), cushion.surface, there, b, contacts);
  EXPECT_LT(test::largest_difference(test::mapped(a, motion), b), 3e-5);
}

TEST(MixedContact, PokesAndWeightReachTheBodyWhole) {
  const Cushion cushion(MixedMaterial::arap);
  const std::vector<Vec3>& rest = cushion.body->rest;
  std::vector<Vec3> forces(rest.size());
  add_load(cushion.surface, rest, {{0.7, 1, 0.8}, {1, -5, 2}, 0.3}, forces);
  Vec3 sum, moment;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    sum += forces[v];
    moment += rest[v] * forces[v].y;
    if (rest[v].y < 0.5) {
      EXPECT_EQ(forces[v], Vec3{});
    }
  }
  // A sum over all vertices, of a force of 5.5 N.
  EXPECT_LT(norm(sum - Vec3{1, -5, 2}), test::rounding_of(5.5, static_cast<double>(rest.size())));
  EXPECT_LT(norm(moment / -5 - Vec3{0.7, 1, 0.8}), 0.05);  // it acts where it was asked to
  // A point far from all others takes it alone.
  std::vector<Vec3> alone(rest.size());
  add_load(cushion.surface, rest, {{0, 5, 0}, {0, -1, 0}, 0.01}, alone);
  EXPECT_EQ(alone[at(cushion.block.vertex(0, 4, 0))], (Vec3{0, -1, 0}));
  std::vector<Vec3> positions;
  test::OwnedLoad load = cushion.load;
  load.forces = forces;
  MixedSolver(cushion.body).solve(load.load(), positions);
  const Vec3 moved = positions[at(cushion.block.vertex(3, 4, 3))] - rest[at(cushion.block.vertex(3, 4, 3))];
  EXPECT_GT(moved.x, 0);
  EXPECT_LT(moved.y, 0);
}

TEST(MixedContact, DistancesOfColliders) {
  Colliders colliders;
  colliders.planes = {{{0, 1, 0}, {0, 3, 0}}};
  colliders.capsules = {{{0, 0, 0}, {2, 0, 0}, 0.5}, sphere_collider({0, 0, 0}, 1)};
  // Differences, a length and a radius, of numbers up to 5.
  const double rounding = test::rounding_of(5, 8);
  EXPECT_NEAR(gap_to(colliders, 0, {5, 3, 2}).distance, 2, rounding);
  EXPECT_NEAR(gap_to(colliders, 1, {1, 2, 0}).distance, 1.5, rounding);
  EXPECT_NEAR(gap_to(colliders, 1, {5, 4, 0}).distance, 4.5, rounding);
  EXPECT_NEAR(gap_to(colliders, 2, {0, 0, -0.25}).distance, -0.75, rounding);
  EXPECT_EQ(gap_to(colliders, 2, {0, 0, -0.25}).normal, (Vec3{0, 0, -1}));
  for (std::size_t c : {1u, 2u}) {  // on the axis: some direction across it
    const Gap gap = gap_to(colliders, c, {0, 0, 0});
    EXPECT_NEAR(norm(gap.normal), 1, rounding);
    EXPECT_EQ(c == 1 ? gap.normal.x : 0, 0);
  }
}

// Points on held vertices are the rig's business; shapes that leave no room are an error, not a hang.
TEST(MixedContact, SaysWhatCannotBeHeldOut) {
  const Cushion cushion(MixedMaterial::corotated);
  MixedSolver solver(cushion.body);
  std::vector<Vec3> positions;
  MixedContacts contacts;
  const SurfacePoints all = boundary_points(cushion.block);
  Colliders below;
  below.planes = {{{0, 1e-3, 0}, {0, 1, 0}}};
  solver.solve(cushion.load.load(), all, below, positions, contacts);
  EXPECT_EQ(contacts.unreachable, 49);
  EXPECT_TRUE(contacts.pushing.empty());

  Colliders vice;
  vice.planes = {{{0, 0.9, 0}, {0, -1, 0}}, {{0, 0.95, 0}, {0, 1, 0}}};
  EXPECT_THROW(solver.solve(cushion.load.load(), cushion.surface, vice, positions, contacts, {2e-6, 50, 500}), Error);

  const auto refused = [&](const Colliders& colliders) {
    EXPECT_THROW(solver.solve(cushion.load.load(), cushion.surface, colliders, positions, contacts), Error);
  };
  Colliders bad;
  bad.planes = {{{0, 0, 0}, {0, 0, 0}}};
  refused(bad);
  bad = {};
  bad.capsules = {sphere_collider({0, 0, 0}, -1)};
  refused(bad);
  bad.capsules = {sphere_collider({0, std::nan(""), 0}, 1)};
  refused(bad);
  SurfacePoints wrong = cushion.surface;
  wrong.vertex[0][1] = 10000;
  EXPECT_THROW(solver.solve(cushion.load.load(), wrong, below, positions, contacts), Error);
  EXPECT_THROW(solver.solve(cushion.load.load(), cushion.surface, below, positions, contacts, {0, 50, 500}), Error);
}

// Two planes apart that one point is to slide in, and a vice at another.
TEST(MixedContact, SaysWhatSlidesNowhere) {
  const Cushion cushion(MixedMaterial::corotated);
  MixedSolver solver(cushion.body);
  MixedContacts contacts;
  const auto said = [&](const Colliders& colliders) {
    std::vector<Vec3> positions;
    const int point = static_cast<int>(cushion.surface.size()) / 2;
    const std::vector<SlidingPoint> sliding = {{point, {0, 0.9, 0}, {0, 1, 0}}, {point, {0, 1.1, 0}, {0, 1, 0}}};
    return test::refusal(ErrorKind::simulation, [&] {
      solver.solve(cushion.load.load(), cushion.surface, colliders, positions, contacts, {2e-6, 50, 500}, sliding);
    });
  };
  const std::string slides = said({});
  EXPECT_NE(slides.find("surface points of handles that slide"), std::string::npos) << slides;
  EXPECT_EQ(slides.find("colliders"), std::string::npos) << slides;
  Colliders vice;
  vice.planes = {{{0, 0.9, 0}, {0, -1, 0}}, {{0, 0.95, 0}, {0, 1, 0}}};
  const std::string both = said(vice);
  EXPECT_NE(both.find("and keep the"), std::string::npos) << both;
  EXPECT_NE(both.find("move the colliders away"), std::string::npos) << both;
}

}  // namespace
}  // namespace sinew
