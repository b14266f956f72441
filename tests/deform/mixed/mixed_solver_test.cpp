// Poses of mixed bodies with known answers: rest, rigid motion, linear elasticity, and the nonlinear equilibrium whose
// own rotations are given back to it.
#include "sinew/deform/mixed/mixed_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/linalg/rotation.h"
#include "studies/reference/static_equilibrium.h"
#include "tests/deform/mixed/mixed_bodies.h"

namespace sinew {
namespace {

using test::at;

using test::shared;

std::shared_ptr<const MixedBody> uneven_body(const TetrahedralMesh& mesh, MixedMaterial material, double skew_share,
                                             Element element = Element::linear) {
  return shared(mixed_body(mesh.positions, test::uneven_samples(mesh, element, 0.45), stretch_energy(material),
                           test::some_pins(mesh), {skew_share}));
}

TEST(MixedSolver, RestIsRestToTheLastBit) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 3);
  for (const Element element : {Element::linear, Element::patch})
    for (const MixedMaterial material : test::all_mixed_materials)
      for (const double skew_share : {1.0, 0.0}) {
        MixedSolver solver(uneven_body(mesh, material, skew_share, element));
        const auto body = uneven_body(mesh, material, skew_share, element);
        std::vector<Vec3> positions;
        // Not the first pose, so that a memory of others would show.
        solver.solve(test::random_load(*body, 0.2, 0.1, 5).load(), positions);
        const MixedStatistics statistics = solver.solve(test::rigid_load(*body, {}).load(), positions);
        EXPECT_EQ(positions, mesh.positions);
        EXPECT_EQ(statistics.solves, 0);
      }
}

TEST(MixedSolver, RigidMotionOfTheRigMovesTheBodyRigidly) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 7);
  for (const MixedMaterial material : test::all_mixed_materials)
    for (const double skew_share : {1.0, 0.0})
      for (const double angle : {0.3, 2.0, 3.14159}) {
        SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", angle " << angle);
        const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, -2, 0.5}), angle)), {3, -20, 100}};
        const auto body = uneven_body(mesh, material, skew_share);
        std::vector<Vec3> positions;
        const MixedStatistics statistics = MixedSolver(body).solve(test::rigid_load(*body, motion).load(), positions);
        EXPECT_EQ(statistics.solves, 1);
        EXPECT_LT(test::largest_difference(positions, test::mapped(mesh.positions, motion)), 1e-9);
      }
}

// One held vertex is enough where turning away from R is resisted: the rotations alone turn the body.
TEST(MixedSolver, RotationsAloneTurnABodyOnOnePin) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 11);
  const Affine motion{to_matrix(axis_angle(normalized(Vec3{2, 1, 1}), 2.5)), {1, 2, 3}};
  for (const MixedMaterial material : test::all_mixed_materials) {
    const auto body = shared(mixed_body(mesh.positions, test::uneven_samples(mesh, Element::linear, 0.45),
                                        stretch_energy(material), {{5}, {}, {}}));
    std::vector<Vec3> positions;
    MixedSolver(body).solve(test::rigid_load(*body, motion).load(), positions);
    EXPECT_LT(test::largest_difference(positions, test::mapped(mesh.positions, motion)), 1e-9);
  }
}

// R = 1 and no resistance to skew: small strain theory.
TEST(MixedSolver, IsLinearElasticityWithoutRotations) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 13);
  const Tetrahedron& corner = mesh.tetrahedra.front();
  for (const Element element : {Element::linear, Element::patch}) {
    const StrainSamples samples = test::uneven_samples(mesh, element, 0.45);
    const auto body = shared(mixed_body(mesh.positions, samples, stretch_energy(MixedMaterial::corotated),
                                        {{corner[0], corner[1], corner[2]}, {}, {}}, {0}));
    test::OwnedLoad load = test::rigid_load(*body, {});
    test::Noise noise(17);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) load.forces.push_back(noise.vector() * 0.1);
    std::vector<Vec3> positions;
    MixedSolver(body).solve(load.load(), positions);
    const std::vector<Vec3> displacements = linear_equilibrium(samples, load.forces, body->pins.held);
    EXPECT_GT(test::largest_norm(displacements), 0.1);
    for (std::size_t v = 0; v < positions.size(); ++v)
      EXPECT_LT(distance(positions[v] - mesh.positions[v], displacements[v]), 1e-10);
  }
}

// A nonlinear equilibrium of the co-rotated energy, a bar bent by 80 degrees: given its own closest rotations, it is
// the mixed solution too, whatever kappa is, because F = R S leaves no skew. Poisson's ratio 0 takes the Poisson form.
TEST(MixedSolver, GivesBackTheNonlinearEquilibriumWithItsOwnRotations) {
  const test::Block bar = test::block({8, 2, 2}, {4, 1, 1});
  std::vector<int> held;
  std::vector<Vec3> bent = bar.mesh.positions;
  const Affine turn{to_matrix(axis_angle({0, 0, 1}, 1.4)), {-0.8, 1.2, 0}};
  for (int j = 0; j <= 2; ++j)
    for (int k = 0; k <= 2; ++k) {
      held.push_back(bar.vertex(0, j, k));
      held.push_back(bar.vertex(8, j, k));
      bent[at(held.back())] = turn * bent[at(held.back())];
    }
  for (const double poisson : {0.0, 0.4}) {
    ElementFields fields;
    fields.material = {3, poisson, 1};
    const StrainSamples samples = strain_samples(bar.mesh, Element::linear, fields);
    std::vector<Vec3> forces(bent.size(), Vec3{0, -2e-3, 1e-3});
    const Equilibrium nonlinear = static_equilibrium(samples, bent, forces, held, {1e-10, 1000});
    std::vector<Mat3> rotations;
    for (std::size_t s = 0; s < samples.size(); ++s)
      rotations.push_back(closest_rotation(deformation_gradient(samples, s, nonlinear.positions)));
    for (const double skew_share : {1.0, 0.25}) {
      const auto body = shared(mixed_body(bar.mesh.positions, samples, stretch_energy(MixedMaterial::corotated),
                                          {held, {}, {}}, {skew_share}));
      const std::vector<Vec3> places = test::at_rest(nonlinear.positions, held);
      std::vector<Vec3> positions;
      EXPECT_EQ(MixedSolver(body, test::direct).solve({rotations, places, {}, forces}, positions).solves, 1);
      EXPECT_LT(test::largest_difference(positions, nonlinear.positions), 1e-7);
    }
  }
}

// Two halves of different stiffness pulled apart carry one force: their strains are as their compliances, and with no
// contraction across (nu = 0, and ARAP whatever it is) linear elements have the solution exactly.
TEST(MixedSolver, StiffAndSoftInSeriesShareTheStretch) {
  const test::Block bar = test::block({8, 2, 2}, {4, 1, 1});
  const double soft = 1e4, stiff = 25e4, pull = 0.2;
  std::vector<double> young, poisson;
  for (const Tetrahedron& t : bar.mesh.tetrahedra) {
    double x = 0;
    for (const int v : t) x += bar.mesh.positions[at(v)].x / 4;
    young.push_back(x < 1.5 ? stiff : soft);
    poisson.push_back(0);
  }
  MixedPins pins;
  for (int j = 0; j <= 2; ++j)
    for (int k = 0; k <= 2; ++k)
      for (const int end : {0, 8}) pins.held.push_back(bar.vertex(end, j, k));
  // Force for a unit area, and how far the border between the halves moves.
  const double force = pull / (1.5 / stiff + 2.5 / soft), border = force * 1.5 / stiff;
  for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated}) {
    ElementFields fields;
    fields.young = young;
    if (material == MixedMaterial::corotated) fields.poisson = poisson;
    const auto body = shared(mixed_body(bar.mesh.positions, strain_samples(bar.mesh, Element::linear, fields),
                                        stretch_energy(material), pins));
    test::OwnedLoad load = test::rigid_load(*body, {});
    for (std::size_t k = 1; k < load.held.size(); k += 2) load.held[k].x += pull;
    std::vector<Vec3> positions;
    MixedSolver(body).solve(load.load(), positions);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      const Vec3& x = bar.mesh.positions[v];
      const double moved = x.x < 1.5 ? border * x.x / 1.5 : border + (pull - border) * (x.x - 1.5) / 2.5;
      EXPECT_LT(distance(positions[v], x + Vec3{moved, 0, 0}), 1e-12);
    }
  }
}

// A bar whose far half is turned around its own axis, each half by its own rotation.
struct Twist {
  std::shared_ptr<const MixedBody> body;
  test::OwnedLoad load;
};
Twist twisted_bar(MixedMaterial material, double degrees, double skew_share = 1) {
  const test::Block bar = test::block({10, 3, 3}, {5, 1, 1});
  const Vec3 centre{0, 0.5, 0.5};
  const Mat3 q = to_matrix(axis_angle({1, 0, 0}, degrees * 3.14159265358979 / 180));
  const Affine turn{q, centre - q * centre};
  MixedPins pins;
  for (int j = 0; j <= 3; ++j)
    for (int k = 0; k <= 3; ++k)
      for (const int end : {0, 10}) pins.held.push_back(bar.vertex(end, j, k));
  ElementFields fields;
  fields.material = {1, 0.45, 1};
  Twist twist{shared(mixed_body(bar.mesh.positions, strain_samples(bar.mesh, Element::linear, fields),
                                stretch_energy(material), pins, {skew_share})),
              {}};
  for (const Tetrahedron& t : bar.mesh.tetrahedra) {
    double x = 0;
    for (const int v : t) x += bar.mesh.positions[at(v)].x / 4;
    twist.load.rotations.push_back(x < 2.5 ? Mat3::identity() : q);
  }
  twist.load.held = test::at_rest(bar.mesh.positions, pins.held);
  for (std::size_t k = 1; k < twist.load.held.size(); k += 2) twist.load.held[k] = turn * twist.load.held[k];
  return twist;
}

TEST(MixedSolver, NewtonFindsTheMinimumInAFewSolves) {
  for (const MixedMaterial material : {MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff})
    for (const double skew_share : {1.0, 0.0})
      for (const double degrees : {30.0, 60.0, 120.0}) {
        // St. Venant-Kirchhoff gives way under compression, and elements between the halves are crushed.
        if (material == MixedMaterial::st_venant_kirchhoff && degrees > 60 && skew_share > 0) continue;
        SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", kappa / mu " << skew_share
                                        << ", " << degrees << " degrees");
        const Twist twist = twisted_bar(material, degrees, skew_share);
        std::vector<Vec3> positions;
        const MixedStatistics statistics = MixedSolver(twist.body).solve(twist.load.load(), positions);
        EXPECT_LE(statistics.solves, 6);
        EXPECT_LE(statistics.residual, 1e-8);
        const double energy = condensed_energy(*twist.body, twist.load.load(), positions);
        test::Noise noise(19);
        for (int direction = 0; direction < 20; ++direction) {
          std::vector<Vec3> other = positions;
          for (const int v : twist.body->free.vertex) other[at(v)] += noise.vector() * 0.01;
          EXPECT_GT(condensed_energy(*twist.body, twist.load.load(), other), energy);
        }
      }
}

// Elements turned inside out on the way, matrices that are not positive definite with exact Hessians: it arrives.
TEST(MixedSolver, NewtonArrivesWhereElementsAreCrushed) {
  for (const MixedMaterial material : {MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff}) {
    const Twist twist = twisted_bar(material, 170);
    std::vector<Vec3> positions;
    EXPECT_LE(
        MixedSolver(twist.body, {1e-8, 300, MixedLinearSolver::iterative}).solve(twist.load.load(), positions).residual,
        1e-8);
  }
}

// Rigs whose bind pose is a hair off: energies and forces there are differences that rounding swallows.
TEST(MixedSolver, NewtonArrivesBesideTheRestPose) {
  const TetrahedralMesh mesh = test::irregular_block({6, 4, 4}, 43);
  for (const MixedMaterial material : {MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff})
    for (const double away : {1e-3, 1e-5, 1e-6, 1e-7, 1e-9}) {
      SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", away " << away);
      const auto body = uneven_body(mesh, material, 1);
      std::vector<Vec3> positions;
      const MixedStatistics statistics =
          MixedSolver(body).solve(test::random_load(*body, away, 0.1 * away, 47).load(), positions);
      EXPECT_LE(statistics.solves, 8);
      EXPECT_LT(test::largest_difference(positions, mesh.positions), 10 * away);
    }
}

TEST(MixedSolver, DoesNotDependOnTheNumberOfThreads) {
  for (const MixedMaterial material : test::all_mixed_materials) {
    const Twist twist = twisted_bar(material, 60);
    std::vector<Vec3> one, many;
    set_thread_count(1);
    MixedSolver(twist.body).solve(twist.load.load(), one);
    set_thread_count(4);
    MixedSolver(twist.body).solve(twist.load.load(), many);
    set_thread_count(0);
    EXPECT_EQ(one, many);
  }
}

TEST(MixedSolver, DoesNotDependOnTheOrderOfElementsAndVertices) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 23);
  const std::size_t n = mesh.positions.size(), m = mesh.tetrahedra.size();
  // Vertex v becomes (5 v + 3) mod n; elements come in the reverse order.
  ASSERT_NE(n % 5, 0u);
  const auto renamed = [&](int v) { return static_cast<int>((5 * at(v) + 3) % n); };
  TetrahedralMesh other{std::vector<Vec3>(n), {}};
  for (std::size_t v = 0; v < n; ++v) other.positions[at(renamed(static_cast<int>(v)))] = mesh.positions[v];
  for (auto t = mesh.tetrahedra.rbegin(); t != mesh.tetrahedra.rend(); ++t)
    other.tetrahedra.push_back({renamed((*t)[0]), renamed((*t)[1]), renamed((*t)[2]), renamed((*t)[3])});
  const MixedPins pins = test::some_pins(mesh);
  MixedPins other_pins = pins;
  for (int& v : other_pins.held) v = renamed(v);
  for (int& v : other_pins.tied) v = renamed(v);
  for (const MixedMaterial material : test::all_mixed_materials) {
    const auto body =
        shared(mixed_body(mesh.positions, strain_samples(mesh, Element::linear, {}), stretch_energy(material), pins));
    const auto same = shared(
        mixed_body(other.positions, strain_samples(other, Element::linear, {}), stretch_energy(material), other_pins));
    test::OwnedLoad load = test::random_load(*body, 0.3, 0.1, 29);
    test::OwnedLoad other_load = load;
    std::reverse(other_load.rotations.begin(), other_load.rotations.end());
    for (std::size_t v = 0; v < n; ++v) other_load.forces[at(renamed(static_cast<int>(v)))] = load.forces[v];
    std::vector<Vec3> positions, others;
    // Iterations end where the tolerance lets them, on either order elsewhere.
    const MixedSolverOptions options{1e-8, 100, MixedLinearSolver::iterative, 1e-10};
    MixedSolver(body, options).solve(load.load(), positions);
    MixedSolver(same, options).solve(other_load.load(), others);
    for (std::size_t v = 0; v < n; ++v)
      EXPECT_LT(distance(positions[v], others[at(renamed(static_cast<int>(v)))]), 1e-7);
  }
  EXPECT_EQ(m, other.tetrahedra.size());
}

TEST(MixedSolver, RefusesWhatCannotBeSolved) {
  const TetrahedralMesh mesh = test::irregular_block({2, 1, 1}, 31);
  const StrainSamples samples = strain_samples(mesh, Element::linear, {});
  const StretchEnergy& arap = stretch_energy(MixedMaterial::arap);
  const auto make = [&](const MixedPins& pins, double skew_share = 1) {
    return mixed_body(mesh.positions, samples, arap, pins, {skew_share});
  };
  EXPECT_NO_THROW(make({{0}, {}, {}}));
  EXPECT_THROW(make({{}, {}, {}}), Error);         // no pin at all
  EXPECT_THROW(make({{}, {3}, {0.0}}), Error);     // a spring that is none
  EXPECT_THROW(make({{0, 1, 0}, {}, {}}), Error);  // held twice
  EXPECT_THROW(make({{99}, {}, {}}), Error);       // no such vertex
  EXPECT_THROW(make({{0}, {-1}, {1.0}}), Error);
  EXPECT_THROW(make({{0}, {1}, {}}), Error);  // a spring is missing
  EXPECT_THROW(make({{0}, {1}, {-1.0}}), Error);
  EXPECT_THROW(make({{0}, {1}, {std::nan("")}}), Error);
  EXPECT_THROW(make({{0}, {}, {}}, -0.1), Error);

  // A second body beside the first, without a pin of its own.
  TetrahedralMesh two = mesh;
  const int first = static_cast<int>(mesh.positions.size());
  for (const int v : mesh.tetrahedra.front()) two.positions.push_back(mesh.positions[at(v)] + Vec3{10, 0, 0});
  two.tetrahedra.push_back({first, first + 1, first + 2, first + 3});
  const StrainSamples both = strain_samples(two, Element::linear, {});
  EXPECT_THROW(mixed_body(two.positions, both, arap, {{0}, {}, {}}), Error);
  EXPECT_NO_THROW(mixed_body(two.positions, both, arap, {{0, first}, {}, {}}));

  StrainSamples soft = samples;
  soft.shear[1] = 0;
  EXPECT_THROW(mixed_body(mesh.positions, soft, arap, {{0}, {}, {}}), Error);

  // Poses.
  MixedSolver solver(shared(make({{0}, {2}, {1.0}})));
  const std::vector<Mat3> rotations(mesh.tetrahedra.size());
  const std::vector<Vec3> place{mesh.positions[0]}, none;
  std::vector<Vec3> positions;
  EXPECT_NO_THROW(solver.solve({rotations, place, place, {}}, positions));
  EXPECT_THROW(solver.solve({std::span(rotations).first(3), place, place, {}}, positions), Error);
  EXPECT_THROW(solver.solve({rotations, none, place, {}}, positions), Error);
  EXPECT_THROW(solver.solve({rotations, place, none, {}}, positions), Error);
  EXPECT_THROW(solver.solve({rotations, place, place, place}, positions), Error);
  const std::vector<Vec3> far{{std::nan(""), 0, 0}};
  EXPECT_THROW(solver.solve({rotations, far, place, {}}, positions), Error);

  // Without resistance to skew one pin lets the body turn.
  EXPECT_THROW(
      MixedSolver(shared(make({{0}, {}, {}}, 0)))
          .solve({std::vector<Mat3>(samples.size(), to_matrix(axis_angle({0, 0, 1}, 1))), place, {}, {}}, positions),
      Error);
}

}  // namespace
}  // namespace sinew
