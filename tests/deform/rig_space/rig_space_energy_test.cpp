// The energy of what moves, against studies/reference/hyperelastic_energy.h and against what must not change it.
#include "sinew/deform/rig_space/tetrahedral_energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/base/same_bits.h"
#include "tests/deform/rig_space/rig_space_bodies.h"
#include "tests/dense_algebra.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

class TetrahedralEnergies : public testing::TestWithParam<HyperelasticLaw> {
 protected:
  TetrahedralEnergies() {
    Noise noise(9);
    const std::size_t count = mesh.tetrahedra.size();
    material.law = GetParam();
    for (std::size_t e = 0; e < count; ++e) {
      material.shear.push_back(4e3 * (1.5 + noise()));
      material.lambda.push_back(9e3 * (1.5 + noise()));
      material.fill.push_back(0.6 + 0.4 * noise());
    }
    samples = strain_samples(mesh, Element::linear, {});
    samples.shear = material.shear;
    samples.lambda = material.lambda;
    for (std::size_t e = 0; e < count; ++e) samples.volume[e] *= material.fill[e];
  }

  std::vector<Vec3> displacements(std::span<const Vec3> x) const {
    std::vector<Vec3> q;
    for (std::size_t v = 0; v < x.size(); ++v) q.push_back(x[v] - mesh.positions[v]);
    return q;
  }
  // Turned far, stretched, and every vertex for itself by a share of an edge.
  std::vector<Vec3> deformed(double share, std::uint64_t seed = 4) const {
    Noise noise(seed);
    const Mat3 turn = to_matrix(normalized(Quat{0.4, -0.3, 0.6, 0.5}));
    std::vector<Vec3> x;
    for (const Vec3& p : mesh.positions)
      x.push_back(turn * (Mat3::diagonal({1.1, 0.9, 1.05}) * p + share * 0.1 * noise.vector()) + Vec3{1, 2, 3});
    return x;
  }
  std::vector<char> all() const { return std::vector<char>(mesh.positions.size(), 1); }

  TetrahedralMesh mesh = perturbed();
  TetrahedralMaterial material;
  StrainSamples samples;

 private:
  static TetrahedralMesh perturbed() {
    Noise noise(21);
    TetrahedralMesh result = lattice_block({4, 3, 3}, {0.4, 0.3, 0.3});
    for (Vec3& p : result.positions) p += 0.012 * noise.vector();
    return result;
  }
};

TEST_P(TetrahedralEnergies, AreTheSumsOverStrainSamples) {
  TetrahedralEnergy energy(mesh, material);
  energy.activate(all());
  EXPECT_EQ(energy.active(), mesh.tetrahedra.size());
  HyperelasticEnergy expected(samples, static_cast<int>(mesh.positions.size()), GetParam());
  // The last one turns some tetrahedra inside out.
  for (const double share : {1e-6, 0.3, 1.5}) {
    const std::vector<Vec3> x = deformed(share), q = displacements(x);
    std::vector<Vec3> gradient(x.size()), expected_gradient(x.size());
    const double value = energy.energy(x, gradient);
    EXPECT_NEAR(value, expected.energy(q), 1e-12 * expected.energy(q));
    EXPECT_NEAR(energy.energy(x), value, 1e-14 * value);
    expected.gradient(q, expected_gradient);
    EXPECT_LT((flattened(gradient) - flattened(expected_gradient)).norm(), 1e-11 * flattened(expected_gradient).norm());
    for (const HyperelasticTangent form : {HyperelasticTangent::exact, HyperelasticTangent::definite}) {
      BlockMatrix hessian = energy.hessian_pattern(), expected_hessian = expected.hessian_pattern();
      energy.hessian(x, form, hessian);
      expected.use(form);
      expected.hessian(q, expected_hessian);
      const Eigen::MatrixXd right = dense(expected_hessian);
      EXPECT_LT((dense(hessian) - right).norm(), 1e-11 * right.norm()) << share;
    }
    double smallest = HUGE_VAL, largest_gradient = 1;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const Mat3 f = deformation_gradient(samples, s, x);
      smallest = std::min(smallest, determinant(f));
      largest_gradient = std::max(largest_gradient, frobenius_norm(f));
    }
    // Positions below 1 m, differences of which a cell of 0.1 m magnifies by ten and some; then three products of three
    // entries.
    EXPECT_NEAR(energy.smallest_volume_ratio(x), smallest,
                test::rounding_of(std::pow(largest_gradient, 2) * 10, 4 * 6 + 8));
    if (share > 1) {
      EXPECT_LT(smallest, 0);
    }
  }
}

// The definite Hessian is one, far from rest and inverted too.
TEST_P(TetrahedralEnergies, DefiniteHessiansAre) {
  TetrahedralEnergy energy(mesh, material);
  energy.activate(all());
  for (const double share : {0.3, 1.5}) {
    BlockMatrix hessian = energy.hessian_pattern();
    energy.hessian(deformed(share), HyperelasticTangent::definite, hessian);
    const Eigen::VectorXd modes = test::symmetric_eigenvalues(dense(hessian));
    EXPECT_GT(modes(0), -1e-9 * modes.maxCoeff());
  }
}

// Where only some vertices move, energy and derivatives are those of the tetrahedra at them, and blocks between them.
TEST_P(TetrahedralEnergies, OfWhatMovesAreThoseOfThatPart) {
  std::vector<char> moves(mesh.positions.size(), 0);
  for (std::size_t v = 0; v < moves.size(); ++v) moves[v] = mesh.positions[v].x > 0.22;
  TetrahedralEnergy energy(mesh, material);
  energy.activate(all());
  energy.activate(moves);
  // The others' share vanishes when they get no volume.
  StrainSamples part = samples;
  std::size_t active = 0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    bool any = false;
    for (const int v : mesh.tetrahedra[e]) any = any || moves[at(v)];
    active += any;
    if (!any) part.volume[e] = 0;
  }
  ASSERT_EQ(energy.active(), active);
  ASSERT_LT(active, mesh.tetrahedra.size());
  HyperelasticEnergy expected(part, static_cast<int>(mesh.positions.size()), GetParam());
  const std::vector<Vec3> x = deformed(0.3), q = displacements(x);
  std::vector<Vec3> gradient(x.size(), Vec3{7, 7, 7}), expected_gradient(x.size());
  EXPECT_NEAR(energy.energy(x, gradient), expected.energy(q), 1e-12 * expected.energy(q));
  expected.gradient(q, expected_gradient);
  const double scale = largest_norm(expected_gradient);
  for (std::size_t v = 0; v < x.size(); ++v)
    EXPECT_LT(distance(gradient[v], moves[v] ? expected_gradient[v] : Vec3{}), 1e-11 * scale);
  BlockMatrix hessian = energy.hessian_pattern(), expected_hessian = expected.hessian_pattern();
  energy.hessian(x, HyperelasticTangent::exact, hessian);
  expected.hessian(q, expected_hessian);
  Eigen::MatrixXd right = dense(expected_hessian);
  for (std::size_t v = 0; v < x.size(); ++v)
    if (!moves[v]) {
      right.middleRows<3>(row(3 * v)).setZero();
      right.middleCols<3>(row(3 * v)).setZero();
    }
  EXPECT_LT((dense(hessian) - right).norm(), 1e-11 * right.norm());
}

// A shape taken for the one without stress has none, wherever it is turned to; against it the derivatives are as
// before.
TEST_P(TetrahedralEnergies, RestWhereTheyAreToldTo) {
  TetrahedralEnergy energy(mesh, material);
  energy.activate(all());
  const std::vector<Vec3> shape = deformed(0.12);  // nowhere flat
  std::vector<Vec3> strained(shape.size());
  energy.energy(shape, strained);
  const double force = largest_norm(strained);
  energy.rest_at(shape);
  std::vector<Vec3> gradient(shape.size());
  EXPECT_LT(energy.energy(shape, gradient), 1e-20 * force);
  EXPECT_LT(largest_norm(gradient), 1e-10 * force);
  const Mat3 turn = to_matrix(normalized(Quat{-0.1, 0.8, 0.2, 0.5}));
  std::vector<Vec3> turned;
  for (const Vec3& p : shape) turned.push_back(turn * p + Vec3{-4, 5, 1});
  EXPECT_LT(energy.energy(turned, gradient), 1e-20 * force);
  EXPECT_LT(largest_norm(gradient), 1e-10 * force);

  // Strain is measured against the new shape, volume is the mesh's own: a body of that shape and as much material.
  TetrahedralMesh other = mesh;
  other.positions = shape;
  StrainSamples against = strain_samples(other, Element::linear, {});
  against.shear = samples.shear;
  against.lambda = samples.lambda;
  against.volume = samples.volume;
  HyperelasticEnergy expected(against, static_cast<int>(mesh.positions.size()), GetParam());
  const std::vector<Vec3> x = deformed(0.4, 77);
  std::vector<Vec3> q, expected_gradient(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) q.push_back(x[v] - shape[v]);
  EXPECT_NEAR(energy.energy(x, gradient), expected.energy(q), 1e-11 * expected.energy(q));
  expected.gradient(q, expected_gradient);
  EXPECT_LT((flattened(gradient) - flattened(expected_gradient)).norm(), 1e-10 * flattened(expected_gradient).norm());
  BlockMatrix hessian = energy.hessian_pattern(), expected_hessian = expected.hessian_pattern();
  energy.hessian(x, HyperelasticTangent::exact, hessian);
  expected.hessian(q, expected_hessian);
  EXPECT_LT((dense(hessian) - dense(expected_hessian)).norm(), 1e-10 * dense(expected_hessian).norm());

  energy.rest_at(mesh.positions);
  HyperelasticEnergy own(samples, static_cast<int>(mesh.positions.size()), GetParam());
  EXPECT_NEAR(energy.energy(x), own.energy(displacements(x)), 1e-12 * own.energy(displacements(x)));
}

// A shape mirrored tetrahedron by tetrahedron is one as well: a rig may turn parts inside out.
TEST_P(TetrahedralEnergies, RestInsideOut) {
  TetrahedralEnergy energy(mesh, material);
  energy.activate(all());
  std::vector<Vec3> shape;
  for (const Vec3& p : mesh.positions) shape.push_back({p.x, -0.8 * p.y, p.z});
  energy.rest_at(shape);
  std::vector<Vec3> gradient(shape.size());
  const double scale = material.shear[0] * 0.01;
  EXPECT_LT(energy.energy(shape, gradient), 1e-20 * scale);
  EXPECT_LT(largest_norm(gradient), 1e-10 * scale);
  EXPECT_NEAR(energy.smallest_volume_ratio(shape), 1, 1e-12);
}

// A shape flatter than is allowed is taken for the nearest one that is not; one that is not, as it is.
TEST_P(TetrahedralEnergies, RestNoFlatterThanAllowed) {
  TetrahedralEnergy energy(mesh, material), nearest(mesh, material);
  energy.activate(all());
  nearest.activate(all());
  const auto squeezed = [&](double share) {
    std::vector<Vec3> x;
    for (const Vec3& p : mesh.positions) x.push_back({p.x, share * p.y, p.z});
    return x;
  };
  const std::vector<Vec3> x = deformed(0.2);
  energy.rest_at(squeezed(0.05), 0.2);
  nearest.rest_at(squeezed(0.2), 0.01);
  EXPECT_NEAR(energy.energy(x), nearest.energy(x), 1e-9 * nearest.energy(x));
  energy.rest_at(squeezed(0.0), 0.2);  // all of it
  EXPECT_NEAR(energy.energy(x), nearest.energy(x), 1e-9 * nearest.energy(x));
  energy.rest_at(squeezed(0.21), 0.2);
  nearest.rest_at(squeezed(0.21), 0.01);
  EXPECT_EQ(energy.energy(x), nearest.energy(x));
}

TEST_P(TetrahedralEnergies, DeterministicForAnyNumberOfThreads) {
  TetrahedralEnergy energy(mesh, material);
  energy.activate(all());
  const std::vector<Vec3> x = deformed(0.4);
  expect_same_bits([&] {
    energy.rest_at(deformed(0.1, 5));
    std::vector<Vec3> gradient(x.size());
    std::vector<double> numbers{energy.energy(x, gradient), energy.energy(x)};
    for (const Vec3& g : gradient) numbers.insert(numbers.end(), {g.x, g.y, g.z});
    BlockMatrix hessian = energy.hessian_pattern();
    energy.hessian(x, HyperelasticTangent::exact, hessian);
    for (const Mat3& block : hessian.block) numbers.insert(numbers.end(), block.m, block.m + 9);
    return numbers;
  });
}

INSTANTIATE_TEST_SUITE_P(OfAllLaws, TetrahedralEnergies,
                         testing::Values(HyperelasticLaw::modified_st_venant_kirchhoff,
                                         HyperelasticLaw::st_venant_kirchhoff, HyperelasticLaw::corotated));

}  // namespace
}  // namespace sinew
