// What any consistent element must do: reproduce affine deformations, let rigid motions go free,
// conserve momentum, and resist everything else.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "sinew/base/error.h"
#include "sinew/elastic/free_vertices.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/cholesky.h"
#include "studies/reference/corotated.h"
#include "studies/reference/static_equilibrium.h"
#include "tests/dense_algebra.h"
#include "tests/elastic/blocks.h"
#include "tests/linalg/dense.h"

namespace sinew {
namespace {

using test::at;

ElementFields rubber_fields(double poisson = 0.45) {
  ElementFields fields;
  fields.material = {1e5, poisson, 1000};
  return fields;
}

std::vector<double> flat_vector(const std::vector<Vec3>& vectors) {
  std::vector<double> numbers;
  for (const Vec3& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  return numbers;
}

class Elements : public testing::TestWithParam<Element> {};
INSTANTIATE_TEST_SUITE_P(, Elements, testing::Values(Element::linear, Element::patch),
                         [](const auto& element) { return element.param == Element::linear ? "linear" : "patch"; });

const Affine stretched{{{1.1, 0.07, -0.02, 0.05, 0.93, 0.04, -0.06, 0.03, 1.05}}, {0.3, -0.2, 0.1}};

// Linear theory: inner vertices of an irregular mesh go where the affine map of the boundary sends them.
TEST_P(Elements, PassThePatchTestInSmallStrain) {
  for (const double poisson : {0.0, 0.3, 0.45, 0.49}) {
    const test::Block body = test::perturbed_unit_cells({5, 4, 4}, 0.2, 7);
    const StrainSamples samples = strain_samples(body.mesh, GetParam(), rubber_fields(poisson));
    const int n = static_cast<int>(body.mesh.positions.size());
    const BlockMatrix stiffness = rest_stiffness(samples, n);
    const std::vector<int> held = test::boundary_vertices(body);
    const FreeVertices free = free_vertices(at(n), held);
    ASSERT_GT(free.count(), 30);

    std::vector<Vec3> affine = test::mapped(body.mesh.positions, stretched), boundary(at(n));
    for (int v = 0; v < n; ++v) affine[at(v)] -= body.mesh.positions[at(v)];
    for (const int v : held) boundary[at(v)] = affine[at(v)];
    std::vector<double> force(at(3 * n));
    multiply(stiffness, flat_vector(boundary), force);

    const BlockMatrix system = principal_submatrix(stiffness, free.number, free.count());
    BlockCholesky factor;
    factor.analyze(system);
    factor.factor(system);
    std::vector<double> x(at(3 * free.count()));
    for (std::size_t f = 0; f < free.vertex.size(); ++f)
      for (std::size_t c = 0; c < 3; ++c) x[3 * f + c] = -force[3 * at(free.vertex[f]) + c];
    factor.solve(x, x);
    for (std::size_t f = 0; f < free.vertex.size(); ++f)
      EXPECT_LT(distance({x[3 * f], x[3 * f + 1], x[3 * f + 2]}, affine[at(free.vertex[f])]), 1e-10) << poisson;
  }
}

// Co-rotated: the same for a large affine deformation with a large rotation, found from a start that
// knows nothing of it inside; and the strain is the same everywhere.
TEST_P(Elements, PassThePatchTestInLargeRotation) {
  const test::Block body = test::perturbed_unit_cells({4, 4, 4}, 0.2, 11);
  const StrainSamples samples = strain_samples(body.mesh, GetParam(), rubber_fields());
  const Affine map{to_matrix(axis_angle(normalized(Vec3{1, 2, -1}), 1.2)) * stretched.linear, {1, 2, 3}};
  const std::vector<Vec3> affine = test::mapped(body.mesh.positions, map);
  std::vector<Vec3> start = affine;
  test::Noise noise(5);
  const FreeVertices free = free_vertices(start.size(), test::boundary_vertices(body));
  for (const int v : free.vertex) start[at(v)] += noise.vector() * 0.1;

  EquilibriumOptions options;
  options.tolerance = 1e-13;
  const Equilibrium found =
      static_equilibrium(samples, start, std::vector<Vec3>(start.size()), test::boundary_vertices(body), options);
  for (const int v : free.vertex) EXPECT_LT(distance(found.positions[at(v)], affine[at(v)]), 1e-10);
  for (std::size_t s = 0; s < samples.size(); ++s)
    EXPECT_LT(frobenius_norm(deformation_gradient(samples, s, found.positions) - map.linear), 1e-9);
}

TEST_P(Elements, FillTheBodyOnce) {
  const test::Block body = test::perturbed_unit_cells({4, 3, 3}, 0.2, 3);
  std::vector<double> fill(body.mesh.tetrahedra.size()), young(fill.size());
  test::Noise noise(2);
  for (std::size_t t = 0; t < fill.size(); ++t) fill[t] = 0.6 + 0.3 * noise(), young[t] = 1e4 * (2 + noise());
  ElementFields fields = rubber_fields();
  fields.inside_fraction = fill;
  fields.young = young;
  const StrainSamples samples = strain_samples(body.mesh, GetParam(), fields);

  // Under one affine map every element stores the energy of its own material in its own volume.
  const Affine& map = stretched;
  const Mat3 strain = (map.linear + transpose(map.linear)) * 0.5 - Mat3::identity();
  double expected = 0;
  for (std::size_t t = 0; t < fill.size(); ++t) {
    const auto& corner = body.mesh.tetrahedra[t];
    const auto x = [&](std::size_t k) { return body.mesh.positions[at(corner[k])]; };
    const LameModuli moduli = lame_moduli(young[t], fields.material.poisson);
    expected += fill[t] * volume(x(0), x(1), x(2), x(3)) *
                (moduli.shear * std::pow(frobenius_norm(strain), 2) + moduli.lambda / 2 * std::pow(trace(strain), 2));
  }
  std::vector<Vec3> u = test::mapped(body.mesh.positions, map);
  for (std::size_t v = 0; v < u.size(); ++v) u[v] -= body.mesh.positions[v];
  std::vector<double> product(3 * u.size());
  multiply(rest_stiffness(samples, static_cast<int>(u.size())), flat_vector(u), product);
  const std::vector<double> x = flat_vector(u);
  const double energy = std::inner_product(x.begin(), x.end(), product.begin(), 0.0) / 2;
  EXPECT_NEAR(energy, expected, 1e-10 * expected);

  const std::vector<double> mass = lumped_mass(body.mesh, fields);
  double expected_mass = 0;
  for (std::size_t t = 0; t < fill.size(); ++t) {
    const auto& corner = body.mesh.tetrahedra[t];
    const auto p = [&](std::size_t k) { return body.mesh.positions[at(corner[k])]; };
    expected_mass += 1000 * fill[t] * volume(p(0), p(1), p(2), p(3));
  }
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), expected_mass, 1e-10 * expected_mass);
}

TEST_P(Elements, LetRigidMotionsGoFree) {
  const test::Block body = test::perturbed_unit_cells({4, 3, 3}, 0.2, 13);
  const StrainSamples samples = strain_samples(body.mesh, GetParam(), rubber_fields(0.49));
  const std::vector<Vec3>& rest = body.mesh.positions;
  // Small strain: translations and infinitesimal rotations cost nothing.
  const BlockMatrix stiffness = rest_stiffness(samples, static_cast<int>(rest.size()));
  double largest = 0;
  for (const Mat3& b : stiffness.block) largest = std::max(largest, frobenius_norm(b));
  for (std::size_t axis = 0; axis < 6; ++axis) {
    Vec3 e;
    e[axis % 3] = 1;
    std::vector<Vec3> u;
    for (const Vec3& p : rest) u.push_back(axis < 3 ? e : cross(e, p));
    std::vector<double> force(3 * rest.size());
    multiply(stiffness, flat_vector(u), force);
    for (const double f : force) EXPECT_LT(std::abs(f), 1e-12 * largest * test::largest_norm(u));
  }
  // Co-rotated: any rotation and translation.
  for (const double angle : {0.0, 0.5, 1.5, 3.1}) {
    const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, -2, 0.5}), angle)), {10, -3, 2}};
    const std::vector<Vec3> moved = test::mapped(rest, motion);
    EXPECT_LT(test::largest_norm(corotated_forces(samples, moved)), 1e-11 * largest) << angle;
    EXPECT_LT(corotated_energy(samples, moved), 1e-22 * largest) << angle;
  }
}

// Internal forces of any deformation add no momentum, and turn with the body.
TEST_P(Elements, ConserveMomentum) {
  const test::Block body = test::perturbed_unit_cells({4, 3, 3}, 0.2, 17);
  const StrainSamples samples = strain_samples(body.mesh, GetParam(), rubber_fields());
  for (const double size : {0.01, 0.2, 1.0}) {
    std::vector<Vec3> deformed = body.mesh.positions;
    test::Noise noise(23);
    for (Vec3& p : deformed) p += noise.vector() * size;
    const std::vector<Vec3> forces = corotated_forces(samples, deformed);
    Vec3 force, torque;
    double force_scale = 0, torque_scale = 0;
    for (std::size_t v = 0; v < forces.size(); ++v) {
      force += forces[v];
      torque += cross(deformed[v], forces[v]);
      force_scale += norm(forces[v]);
      torque_scale += norm(forces[v]) * norm(deformed[v]);
    }
    EXPECT_LT(norm(force), 1e-10 * force_scale);
    EXPECT_LT(norm(torque), 1e-10 * torque_scale);

    const Affine motion{to_matrix(axis_angle(normalized(Vec3{-1, 2, 1}), 2.0)), {1, 2, 3}};
    const std::vector<Vec3> turned = corotated_forces(samples, test::mapped(deformed, motion));
    for (std::size_t v = 0; v < forces.size(); ++v)
      EXPECT_LT(distance(turned[v], motion.linear * forces[v]), 1e-10 * force_scale);
  }
}

// Of the rest stiffness, ascending.
Eigen::VectorXd stiffness_eigenvalues(const TetrahedralMesh& mesh, Element element) {
  const StrainSamples samples = strain_samples(mesh, element, rubber_fields());
  const Eigen::MatrixXd matrix = test::dense(rest_stiffness(samples, static_cast<int>(mesh.positions.size())));
  EXPECT_LT((matrix - matrix.transpose()).norm(), 1e-14 * matrix.norm());
  return test::symmetric_eigenvalues(matrix);
}

// Nothing but rigid motion is free: no hourglass modes, and none nearly free.
TEST_P(Elements, HaveNoOtherFreeMotion) {
  const test::Block body = test::perturbed_unit_cells({3, 3, 2}, 0.2, 19);
  const Eigen::VectorXd own = stiffness_eigenvalues(body.mesh, GetParam()),
                        plain = stiffness_eigenvalues(body.mesh, Element::linear);
  for (int i = 0; i < 6; ++i) EXPECT_LT(std::abs(own(i)), 1e-12 * own(own.size() - 1));
  // Softer than the linear element, which is the point, but by less than the shear that the single tetrahedra keep.
  for (int i = 6; i < own.size(); ++i) {
    EXPECT_GT(own(i), (1 - patch_shear_share) * 0.99 * lame_moduli(1e5, 0.45).shear /
                          bulk_modulus(lame_moduli(1e5, 0.45)) * plain(i));
    EXPECT_LT(own(i), plain(i) * (1 + 1e-9));
  }
  EXPECT_GT(own(6), 0.2 * plain(6));
}

// The lattice that bodies are made of: regular, so that hourglass patterns have every chance to fit.
TEST_P(Elements, HaveNoOtherFreeMotionOnTheBodiesOwnLattice) {
  const TetrahedralMesh mesh = test::lattice_block({3, 2, 2}, {3, 2, 2});
  double total = 0;
  for (const Tetrahedron& t : mesh.tetrahedra)
    total +=
        volume(mesh.positions[at(t[0])], mesh.positions[at(t[1])], mesh.positions[at(t[2])], mesh.positions[at(t[3])]);
  ASSERT_NEAR(total, 12, 1e-12);
  const Eigen::VectorXd own = stiffness_eigenvalues(mesh, GetParam()),
                        plain = stiffness_eigenvalues(mesh, Element::linear);
  for (int i = 0; i < 6; ++i) EXPECT_LT(std::abs(own(i)), 1e-12 * own(own.size() - 1));
  EXPECT_GT(own(6), 0.2 * plain(6));
}

TEST(ClusterTetrahedra, CoversEachTetrahedronOnceInConnectedPatches) {
  const test::Block body = test::perturbed_unit_cells({6, 5, 4}, 0.2, 29);
  for (const int size : {1, 2, 6, 12}) {
    const std::vector<int> patch = cluster_tetrahedra(body.mesh, size);
    ASSERT_EQ(patch.size(), body.mesh.tetrahedra.size());
    EXPECT_EQ(patch, cluster_tetrahedra(body.mesh, size));
    const int patches = *std::max_element(patch.begin(), patch.end()) + 1;
    std::vector<std::vector<std::size_t>> members(at(patches));
    for (std::size_t t = 0; t < patch.size(); ++t) {
      ASSERT_GE(patch[t], 0);
      members[at(patch[t])].push_back(t);
    }
    for (const auto& list : members) {
      ASSERT_FALSE(list.empty());
      ASSERT_LE(list.size(), at(size));
      // Walk over shared faces from the first member.
      const auto shares_face = [&](std::size_t a, std::size_t b) {
        const auto &p = body.mesh.tetrahedra[a], &q = body.mesh.tetrahedra[b];
        return std::count_if(p.begin(), p.end(), [&](int v) { return std::find(q.begin(), q.end(), v) != q.end(); }) ==
               3;
      };
      std::set<std::size_t> reached{list[0]};
      for (std::size_t round = 0; round < list.size(); ++round)
        for (const std::size_t t : list)
          for (const std::size_t r : std::set<std::size_t>(reached))
            if (shares_face(t, r)) reached.insert(t);
      EXPECT_EQ(reached.size(), list.size());
    }
    // Most patches are full: leftovers are what a greedy choice strands.
    EXPECT_LT(patches, 1.4 * static_cast<double>(patch.size()) / size + 1) << size;
  }
}

TEST(StrainSamplesOf, InvertedTetrahedraAreRefused) {
  test::Block body = test::block({1, 1, 1}, {1, 1, 1});
  std::swap(body.mesh.tetrahedra[2][0], body.mesh.tetrahedra[2][1]);
  for (const Element element : {Element::linear, Element::patch})
    EXPECT_THROW(strain_samples(body.mesh, element, {}), Error);
}

TEST(Equilibrium, RefusesWhatHasNoAnswer) {
  const test::Block body = test::block({2, 1, 1}, {2, 1, 1});
  const StrainSamples samples = strain_samples(body.mesh, Element::patch, rubber_fields());
  const std::size_t n = body.mesh.positions.size();
  const std::vector<Vec3> push(n, {1, 0, 0});
  EXPECT_THROW(linear_equilibrium(samples, push, {}), Error);  // loose
  EXPECT_THROW(static_equilibrium(samples, body.mesh.positions, push, {}), Error);
  const std::vector<int> wrong{static_cast<int>(n)};
  EXPECT_THROW(linear_equilibrium(samples, push, wrong), Error);
  EXPECT_THROW(linear_equilibrium(samples, std::vector<Vec3>(n - 1), {}), Error);
  const std::vector<int> held{0, 1, 2, 3};
  std::vector<Vec3> broken = push;
  broken[7].y = std::nan("");
  EXPECT_THROW(static_equilibrium(samples, body.mesh.positions, broken, held), Error);
}

}  // namespace
}  // namespace sinew
