// The condensed system against the system it comes from: the KKT equations of the mixed energy in x, S and lambda,
// written out dense from its definition, and derivatives against finite differences.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "tests/deform/mixed/mixed_bodies.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/dense.h"

namespace sinew {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::at;

Index index(std::size_t i) { return static_cast<Index>(i); }

MixedBody body_of(const TetrahedralMesh& mesh, Element element, MixedMaterial material, double skew_share) {
  return mixed_body(mesh.positions, test::uneven_samples(mesh, element, 0.4), stretch_energy(material),
                    test::some_pins(mesh), {skew_share});
}

// vec(A) row by row.
VectorXd vec(const Mat3& a) { return Eigen::Map<const VectorXd>(a.m, 9); }

// Orthonormal bases of the symmetric matrices, in Mandel's order, and of the skew ones.
Mat3 symmetric_basis(std::size_t k) {
  Mat3 e = Mat3::zero();
  const std::size_t i = k < 3 ? k : (k - 2) % 3, j = k < 3 ? k : (k - 1) % 3;
  e(i, j) += k < 3 ? 1 : std::sqrt(0.5);
  if (i != j) e(j, i) += std::sqrt(0.5);
  return e;
}
Mat3 skew_basis(std::size_t k) {
  Mat3 e = Mat3::zero();
  e((k + 1) % 3, (k + 2) % 3) = std::sqrt(0.5);
  e((k + 2) % 3, (k + 1) % 3) = -std::sqrt(0.5);
  return e;
}

// The mixed system of one Newton step, unknowns x (all vertices), S, lambda and the forces that hold vertices:
//
//   K_p x - sum V B^T lambda + hold = f + K_p p
//   V (H S + [R]^T lambda)         = V (H S_0 - g)
//   V ([R] S - B x) - V/(2 kappa) N N^T lambda = 0      (kappa = 0: [R]^T ([R] S - B x) = 0 and N^T lambda = 0)
//   x_held                         = p_held
struct MixedSystem {
  MatrixXd matrix;
  VectorXd rhs;
  Index stretch, multiplier, holding;  // where each kind of unknown begins; positions come first
};

MixedSystem mixed_system(const MixedBody& body, const MixedLoad& load, const std::vector<Mandel>& stretches,
                         const MaterialResponse& response) {
  const Index n = 3 * index(body.rest.size()), m = index(body.samples.size()), held = index(body.pins.held.size());
  MixedSystem system{MatrixXd::Zero(n + 15 * m + 3 * held, n + 15 * m + 3 * held),
                     VectorXd::Zero(n + 15 * m + 3 * held), n, n + 6 * m, n + 15 * m};
  for (std::size_t s = 0; s < body.samples.size(); ++s) {
    const double volume = body.samples.volume[s], kappa = body.skew_modulus[s];
    const Index at_s = system.stretch + 6 * index(s), at_l = system.multiplier + 9 * index(s);
    MatrixXd b = MatrixXd::Zero(9, n), r(9, 6), skew(9, 3), h(6, 6);
    for (int k = body.samples.start[s]; k < body.samples.start[s + 1]; ++k)
      for (Index row = 0; row < 3; ++row)
        for (Index column = 0; column < 3; ++column)
          b(3 * row + column, 3 * body.samples.vertex[at(k)] + row) =
              body.samples.gradient[at(k)][static_cast<std::size_t>(column)];
    for (std::size_t k = 0; k < 6; ++k) r.col(index(k)) = vec(load.rotations[s] * symmetric_basis(k));
    for (std::size_t k = 0; k < 3; ++k) skew.col(index(k)) = vec(load.rotations[s] * skew_basis(k));
    VectorXd expansion(6);
    for (std::size_t i = 0; i < 6; ++i) {
      expansion(index(i)) = -response.gradient[s][i];
      for (std::size_t j = 0; j < 6; ++j) {
        h(index(i), index(j)) = response.hessian[s](i, j);
        expansion(index(i)) += response.hessian[s](i, j) * stretches[s][j];
      }
    }
    system.matrix.block(0, at_l, n, 9) = -volume * b.transpose();
    system.matrix.block(at_s, at_s, 6, 6) = volume * h;
    system.matrix.block(at_s, at_l, 6, 9) = volume * r.transpose();
    system.rhs.segment(at_s, 6) = volume * expansion;
    if (kappa > 0) {
      system.matrix.block(at_l, 0, 9, n) = -volume * b;
      system.matrix.block(at_l, at_s, 9, 6) = volume * r;
      system.matrix.block(at_l, at_l, 9, 9) = -volume / (2 * kappa) * skew * skew.transpose();
    } else {
      system.matrix.block(at_l, 0, 6, n) = -volume * r.transpose() * b;
      system.matrix.block(at_l, at_s, 6, 6) = volume * r.transpose() * r;
      system.matrix.block(at_l + 6, at_l, 3, 9) = skew.transpose();
    }
  }
  for (std::size_t v = 0; v < load.forces.size(); ++v)
    for (std::size_t c = 0; c < 3; ++c) system.rhs(index(3 * v + c)) += load.forces[v][c];
  for (std::size_t k = 0; k < body.pins.tied.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const Index i = index(3 * at(body.pins.tied[k]) + c);
      system.matrix(i, i) += body.pins.spring[k];
      system.rhs(i) += body.pins.spring[k] * load.tied[k][c];
    }
  for (std::size_t k = 0; k < body.pins.held.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const Index i = index(3 * at(body.pins.held[k]) + c), at_h = system.holding + index(3 * k + c);
      system.matrix(i, at_h) = system.matrix(at_h, i) = 1;
      system.rhs(at_h) = load.held[k][c];
    }
  return system;
}

struct MixedSolution {
  std::vector<Vec3> positions;
  std::vector<Mandel> stretches;
  std::vector<Mat3> multipliers;
};

MixedSolution solve_uncondensed(const MixedBody& body, const MixedLoad& load, const std::vector<Mandel>& stretches,
                                const MaterialResponse& response) {
  const MixedSystem system = mixed_system(body, load, stretches, response);
  const VectorXd z = test::solved(system.matrix, system.rhs);
  EXPECT_LT((system.matrix * z - system.rhs).norm(), 1e-11 * z.norm());
  MixedSolution solution{body.rest, stretches, std::vector<Mat3>(stretches.size())};
  for (std::size_t v = 0; v < body.rest.size(); ++v)
    for (std::size_t c = 0; c < 3; ++c) solution.positions[v][c] = z(index(3 * v + c));
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    for (std::size_t k = 0; k < 6; ++k) solution.stretches[s][k] = z(system.stretch + index(6 * s + k));
    for (std::size_t k = 0; k < 9; ++k) solution.multipliers[s].m[k] = z(system.multiplier + index(9 * s + k));
  }
  return solution;
}

void expect_equal(const MixedSolution& a, const MixedSolution& b, double tolerance) {
  double stretch = 0, multiplier = 0, largest = 0;
  for (std::size_t s = 0; s < a.stretches.size(); ++s) {
    stretch = test::worse(stretch, std::sqrt(dot(a.stretches[s] - b.stretches[s], a.stretches[s] - b.stretches[s])));
    multiplier = test::worse(multiplier, frobenius_norm(a.multipliers[s] - b.multipliers[s]));
    largest = test::worse(largest, frobenius_norm(a.multipliers[s]));
  }
  EXPECT_LT(test::largest_difference(a.positions, b.positions), tolerance);
  EXPECT_LT(stretch, tolerance);
  EXPECT_LT(multiplier, tolerance * (1 + largest));
}

// One step of Newton's method by the condensed system, from start_positions() and the given stretches.
MixedSolution solve_condensed(const MixedBody& body, const MixedLoad& load, const std::vector<Mandel>& stretches,
                              const MaterialResponse& response) {
  MixedSolution solution{start_positions(body, load), {}, {}};
  const std::vector<double> residual =
      residual_forces(body, load, solution.positions,
                      linearized_stresses(body, load.rotations, solution.positions, stretches, response));
  BlockMatrix matrix = condensed_pattern(body);
  assemble_condensed(body, load.rotations, response.hessian, matrix);
  const VectorXd step =
      test::solved(test::dense(matrix), Eigen::Map<const VectorXd>(residual.data(), index(residual.size())));
  for (std::size_t f = 0; f < body.free.vertex.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) solution.positions[at(body.free.vertex[f])][c] += step(index(3 * f + c));
  solution.stretches = recover_stretches(body, load.rotations, solution.positions);
  for (const Mat3& stress : linearized_stresses(body, load.rotations, solution.positions, stretches, response))
    solution.multipliers.push_back(stress * -1.0);
  return solution;
}

std::vector<Mandel> near_identity(std::size_t count, double size, std::uint64_t seed) {
  std::vector<Mandel> stretches;
  test::Noise noise(seed);
  for (std::size_t k = 0; k < count; ++k) stretches.push_back(to_mandel(Mat3::identity() + noise.matrix() * size));
  return stretches;
}

TEST(MixedCondensation, EqualsTheUncondensedSystemForEveryMaterial) {
  const TetrahedralMesh mesh = test::irregular_block({2, 2, 1}, 11);
  for (const Element element : {Element::linear, Element::patch})
    for (const MixedMaterial material : test::all_mixed_materials)
      for (const double skew_share : {1.0, 0.3, 0.0})
        for (const double angle : {0.4, 3.0}) {
          SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", kappa / mu " << skew_share
                                          << ", angles up to " << angle);
          const MixedBody body = body_of(mesh, element, material, skew_share);
          const test::OwnedLoad load = test::random_load(body, angle, 0.3, 17);
          const std::vector<Mandel> stretches = near_identity(body.samples.size(), 0.1, 19);
          MaterialResponse response;
          material_response(body, stretches, response);
          expect_equal(solve_condensed(body, load.load(), stretches, response),
                       solve_uncondensed(body, load.load(), stretches, response), 1e-9);
        }
}

// As it is used: direct factors, one solve, whatever the multipliers began with.
TEST(MixedCondensation, QuadraticEnergiesNeedOneSolve) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 1}, 13);
  for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated})
    for (const double skew_share : {1.0, 0.3, 0.0}) {
      SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", kappa / mu " << skew_share);
      const auto body = std::make_shared<const MixedBody>(body_of(mesh, Element::linear, material, skew_share));
      EXPECT_EQ(condenses_to_poisson(*body), material == MixedMaterial::arap && skew_share == 1);
      const test::OwnedLoad load = test::random_load(*body, 2.0, 0.3, 23);
      const std::vector<Mandel> identity(body->samples.size(), Mandel::identity());
      MaterialResponse response;
      material_response(*body, identity, response);
      MixedSolution solution;
      EXPECT_EQ(MixedSolver(body, test::direct).solve(load.load(), solution.positions).solves, 1);
      solution.stretches = recover_stretches(*body, load.rotations, solution.positions);
      for (const Mat3& stress : linearized_stresses(*body, load.rotations, solution.positions, identity, response))
        solution.multipliers.push_back(stress * -1.0);
      expect_equal(solution, solve_uncondensed(*body, load.load(), identity, response), 1e-9);
    }
}

// The mixed energy as it is defined, without bases or condensation.
double mixed_energy(const MixedBody& body, const MixedLoad& load, const MixedSolution& at_z) {
  double energy = 0;
  for (std::size_t s = 0; s < body.samples.size(); ++s) {
    const Mat3& r = load.rotations[s];
    const Mat3& lambda = at_z.multipliers[s];
    const Mat3 gap = r * to_matrix(at_z.stretches[s]) - deformation_gradient(body.samples, s, at_z.positions);
    const Mat3 turned = transpose(r) * lambda;
    const double skew = 0.5 * frobenius_norm(turned - transpose(turned));
    energy += body.samples.volume[s] *
              (body.energy.value(at_z.stretches[s], {body.samples.shear[s], body.samples.lambda[s]}) +
               trace(transpose(lambda) * gap) - skew * skew / (4 * body.skew_modulus[s]));
  }
  for (std::size_t k = 0; k < body.pins.tied.size(); ++k)
    energy += 0.5 * body.pins.spring[k] * squared_norm(at_z.positions[at(body.pins.tied[k])] - load.tied[k]);
  for (std::size_t v = 0; v < load.forces.size(); ++v) energy -= dot(load.forces[v], at_z.positions[v]);
  return energy;
}

// The rows of the uncondensed system are the derivatives of that energy.
TEST(MixedCondensation, UncondensedSystemIsTheGradientOfTheMixedEnergy) {
  const TetrahedralMesh mesh = test::irregular_block({1, 1, 1}, 7);
  constexpr double step = 1e-5;
  for (const MixedMaterial material : test::all_mixed_materials) {
    const MixedBody body = body_of(mesh, Element::linear, material, 0.6);
    const test::OwnedLoad owned = test::random_load(body, 1.5, 0.3, 9);
    const MixedLoad load = owned.load();
    MixedSolution z{body.rest, near_identity(body.samples.size(), 0.2, 15), {}};
    test::Noise noise(21);
    for (Vec3& p : z.positions) p += noise.vector() * 0.2;
    for (std::size_t s = 0; s < body.samples.size(); ++s) z.multipliers.push_back(noise.matrix());
    MaterialResponse response;
    material_response(body, z.stretches, response);
    const MixedSystem system = mixed_system(body, load, z.stretches, response);

    std::vector<double*> numbers;
    for (Vec3& p : z.positions) numbers.insert(numbers.end(), {&p.x, &p.y, &p.z});
    for (Mandel& s : z.stretches)
      for (double& number : s.v) numbers.push_back(&number);
    for (Mat3& l : z.multipliers)
      for (double& number : l.m) numbers.push_back(&number);
    ASSERT_EQ(index(numbers.size()), system.holding);  // held vertices are free in the energy itself
    VectorXd values(system.holding), by_differences(system.holding);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double value = *numbers[k];
      *numbers[k] = value + step;
      const double right = mixed_energy(body, load, z);
      *numbers[k] = value - step;
      const double left = mixed_energy(body, load, z);
      *numbers[k] = value;
      values(index(k)) = value;
      by_differences(index(k)) = (right - left) / (2 * step);
    }
    const VectorXd rows =
        system.matrix.topLeftCorner(system.holding, system.holding) * values - system.rhs.head(system.holding);
    EXPECT_LT((rows - by_differences).norm(), 1e-8 * rows.norm());
  }
}

TEST(MixedCondensation, ResidualForcesAreTheGradientOfTheCondensedEnergy) {
  const TetrahedralMesh mesh = test::irregular_block({2, 1, 1}, 29);
  constexpr double step = 1e-5;
  for (const Element element : {Element::linear, Element::patch})
    for (const MixedMaterial material : test::all_mixed_materials)
      for (const double skew_share : {1.0, 0.0}) {
        SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", kappa / mu " << skew_share);
        const MixedBody body = body_of(mesh, element, material, skew_share);
        const test::OwnedLoad load = test::random_load(body, 0.8, 0.3, 31);
        std::vector<Vec3> positions = start_positions(body, load.load());
        test::Noise noise(37);
        for (const int v : body.free.vertex) positions[at(v)] += noise.vector() * 0.2;

        const auto residual = [&](const std::vector<Vec3>& x) {
          const std::vector<Mandel> stretches = recover_stretches(body, load.rotations, x);
          MaterialResponse response;
          material_response(body, stretches, response);
          const std::vector<double> r =
              residual_forces(body, load.load(), x, linearized_stresses(body, load.rotations, x, stretches, response));
          return VectorXd(Eigen::Map<const VectorXd>(r.data(), index(r.size())));
        };
        MaterialResponse response;
        material_response(body, recover_stretches(body, load.rotations, positions), response);
        BlockMatrix matrix = condensed_pattern(body);
        assemble_condensed(body, load.rotations, response.hessian, matrix);
        const MatrixXd hessian = test::dense(matrix);
        const VectorXd forces = residual(positions);
        VectorXd forces_by_differences(forces.size());
        MatrixXd hessian_by_differences(forces.size(), forces.size());
        for (std::size_t f = 0; f < body.free.vertex.size(); ++f)
          for (std::size_t c = 0; c < 3; ++c) {
            std::vector<Vec3> left = positions, right = positions;
            left[at(body.free.vertex[f])][c] -= step;
            right[at(body.free.vertex[f])][c] += step;
            forces_by_differences(index(3 * f + c)) =
                -(condensed_energy(body, load.load(), right) - condensed_energy(body, load.load(), left)) / (2 * step);
            hessian_by_differences.col(index(3 * f + c)) = -(residual(right) - residual(left)) / (2 * step);
          }
        EXPECT_LT((forces - forces_by_differences).norm(), 1e-8 * forces.norm());
        EXPECT_LT((hessian - hessian_by_differences).norm(), 1e-8 * hessian.norm());
        EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-14 * hessian.norm());
      }
}

MatrixXd condensed(const MixedBody& body, const std::vector<Mat3>& rotations, const std::vector<Mandel>& stretches) {
  MaterialResponse response;
  material_response(body, stretches, response);
  make_curvature_positive(body, response.hessian);
  BlockMatrix matrix = condensed_pattern(body);
  assemble_condensed(body, rotations, response.hessian, matrix);
  return test::dense(matrix);
}

// One held vertex, equal stiffness everywhere: A is at least the Laplacian times the least curvature.
TEST(MixedCondensation, IsPositiveDefiniteWithOnePinAndResistanceToSkew) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 41);
  ElementFields fields;
  fields.material = {3, 0.49, 1};
  const auto body_with = [&](MixedMaterial material) {
    return mixed_body(mesh.positions, strain_samples(mesh, Element::linear, fields), stretch_energy(material),
                      {{4}, {}, {}});
  };
  const MixedBody arap = body_with(MixedMaterial::arap);
  const double shear = arap.samples.shear.front();
  const std::vector<Mat3> rotations = test::random_rotations(arap.samples.size(), 3, 43);
  const MatrixXd laplacian = condensed(arap, rotations, near_identity(arap.samples.size(), 0, 0)) / (2 * shear);
  for (const MixedMaterial material : test::all_mixed_materials)
    for (const double size : {0.0, 0.3, 1.5}) {  // crushed and inside out at 1.5
      const MatrixXd a = condensed(body_with(material), rotations, near_identity(arap.samples.size(), size, 47));
      const double least_curvature = 1e-2 * shear;  // of make_curvature_positive()
      const double least = test::symmetric_eigenvalues(a - least_curvature * laplacian)(0);
      EXPECT_GT(least, -1e-12 * a.norm());
      EXPECT_GT(test::symmetric_eigenvalues(a)(0), 0);
    }
}

Index kernel_dimension(const MatrixXd& a) {
  const VectorXd values = test::symmetric_eigenvalues(a);
  return (values.array() < 1e-12 * values(values.size() - 1)).count();
}

// Without resistance to skew: infinitesimal rotations around a pin cost nothing where all rotations are one, and a
// face held is enough whatever the rotations are.
TEST(MixedCondensation, KernelOfThePseudoInverse) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 53);
  const Tetrahedron& corner = mesh.tetrahedra.front();
  const auto body_with = [&](std::vector<int> held, double skew_share) {
    return mixed_body(mesh.positions, test::uneven_samples(mesh, Element::linear, 0.4),
                      stretch_energy(MixedMaterial::corotated), {std::move(held), {}, {}}, {skew_share});
  };
  const std::vector<Mandel> identity(mesh.tetrahedra.size(), Mandel::identity());
  const std::vector<Mat3> one(mesh.tetrahedra.size(), test::random_rotations(1, 3, 59).front());
  const std::vector<Mat3> many = test::random_rotations(mesh.tetrahedra.size(), 3, 61);
  const std::vector<int> face{corner[0], corner[1], corner[2]};
  EXPECT_EQ(kernel_dimension(condensed(body_with({0}, 0), one, identity)), 3);
  EXPECT_EQ(kernel_dimension(condensed(body_with({0, 1}, 0), one, identity)), 1);
  EXPECT_EQ(kernel_dimension(condensed(body_with(face, 0), one, identity)), 0);
  EXPECT_EQ(kernel_dimension(condensed(body_with(face, 0), many, identity)), 0);
  EXPECT_EQ(kernel_dimension(condensed(body_with({0}, 1), one, identity)), 0);
  EXPECT_EQ(kernel_dimension(condensed(body_with({0}, 1), many, identity)), 0);
}

// skew(R^T F) = 0 in every element: what the multipliers would enforce if all nine numbers of them were kept.
TEST(MixedCondensation, TheStrictConstraintLeavesNextToNothing) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 2}, 3);
  const StrainSamples samples = test::uneven_samples(mesh, Element::linear, 0.4);
  const auto dimensions_left = [&](const std::vector<Mat3>& rotations) {
    MatrixXd skew = MatrixXd::Zero(3 * index(samples.size()), 3 * index(mesh.positions.size()));
    for (std::size_t s = 0; s < samples.size(); ++s)
      for (int k = samples.start[s]; k < samples.start[s + 1]; ++k)
        for (std::size_t c = 0; c < 3; ++c) {
          Vec3 unit;
          unit[c] = 1;
          const Mat3 turned = transpose(rotations[s]) * outer(unit, samples.gradient[at(k)]);
          for (std::size_t row = 0; row < 3; ++row)
            skew(index(3 * s + row), index(3 * at(samples.vertex[at(k)]) + c)) =
                turned((row + 1) % 3, (row + 2) % 3) - turned((row + 2) % 3, (row + 1) % 3);
        }
    return kernel_dimension(skew.transpose() * skew);
  };
  std::vector<Mat3> rotations(samples.size());
  EXPECT_EQ(dimensions_left(rotations), 9);
  for (std::size_t t = 0; t < rotations.size(); ++t)
    if (mesh.positions[at(mesh.tetrahedra[t][0])].x > 1.5) rotations[t] = to_matrix(axis_angle({0, 0, 1}, 1.2));
  EXPECT_EQ(dimensions_left(rotations), 6);
  EXPECT_EQ(dimensions_left(test::random_rotations(samples.size(), 3, 5)), 3);
}

// The Poisson matrix bounds the co-rotated one in every pose: 1 <= A / L <= 1 + 3 lambda / (2 mu).
TEST(MixedCondensation, PoissonMatrixBoundsTheCorotatedOne) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 1}, 89);
  const MixedBody corotated = body_of(mesh, Element::linear, MixedMaterial::corotated, 1);
  const MixedBody arap = body_of(mesh, Element::linear, MixedMaterial::arap, 1);
  const std::vector<Mat3> rotations = test::random_rotations(mesh.tetrahedra.size(), 3, 97);
  const std::vector<Mandel> identity(mesh.tetrahedra.size(), Mandel::identity());
  const VectorXd ratios =
      test::symmetric_eigenvalues(condensed(corotated, rotations, identity), condensed(arap, rotations, identity));
  const double most = 1 + 1.5 * corotated.samples.lambda.front() / corotated.samples.shear.front();
  EXPECT_GT(ratios(0), 1 - 1e-12);
  EXPECT_LT(ratios(ratios.size() - 1), most);
  EXPECT_GT(ratios(ratios.size() - 1), 0.5 * most);
}

TEST(MixedCondensation, ArapIsAPoissonProblemWhateverTheRotations) {
  const TetrahedralMesh mesh = test::irregular_block({3, 2, 1}, 67);
  const MixedBody body = body_of(mesh, Element::linear, MixedMaterial::arap, 1);
  ASSERT_TRUE(condenses_to_poisson(body));
  const std::vector<Mandel> identity(body.samples.size(), Mandel::identity());
  const SparseMatrix poisson = poisson_matrix(body);
  MatrixXd expected = MatrixXd::Zero(3 * poisson.rows, 3 * poisson.rows);
  for (int row = 0; row < poisson.rows; ++row)
    for (int k = poisson.row_start[at(row)]; k < poisson.row_start[at(row) + 1]; ++k)
      for (Index c = 0; c < 3; ++c) expected(3 * row + c, 3 * poisson.column[at(k)] + c) = poisson.value[at(k)];
  for (const std::uint64_t seed : {71u, 73u}) {
    const std::vector<Mat3> rotations = test::random_rotations(body.samples.size(), 3, seed);
    EXPECT_LT((condensed(body, rotations, identity) - expected).norm(), 1e-14 * expected.norm());
  }
  // Not so the co-rotated energy.
  const MixedBody corotated = body_of(mesh, Element::linear, MixedMaterial::corotated, 1);
  EXPECT_FALSE(condenses_to_poisson(corotated));
  const MatrixXd one = condensed(corotated, test::random_rotations(body.samples.size(), 3, 71), identity),
                 two = condensed(corotated, test::random_rotations(body.samples.size(), 3, 73), identity);
  EXPECT_GT((one - two).norm(), 0.1 * one.norm());
}

// One rotation for all: A = Q A_rest Q^T without springs.
TEST(MixedCondensation, OneRotationTurnsTheRestMatrix) {
  const TetrahedralMesh mesh = test::irregular_block({2, 2, 1}, 79);
  const MixedBody body = mixed_body(mesh.positions, test::uneven_samples(mesh, Element::linear, 0.45),
                                    stretch_energy(MixedMaterial::corotated), {{0}, {}, {}});
  const std::vector<Mandel> identity(body.samples.size(), Mandel::identity());
  const Mat3 q = test::random_rotations(1, 3, 83).front();
  const MatrixXd rest = condensed(body, std::vector<Mat3>(body.samples.size()), identity);
  const MatrixXd turned = condensed(body, std::vector<Mat3>(body.samples.size(), q), identity);
  MatrixXd turn = MatrixXd::Zero(rest.rows(), rest.rows());
  for (Index v = 0; v < rest.rows() / 3; ++v)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j)
        turn(3 * v + i, 3 * v + j) = q(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  EXPECT_LT((turned - turn * rest * turn.transpose()).norm(), 1e-14 * rest.norm());
}

}  // namespace
}  // namespace sinew
