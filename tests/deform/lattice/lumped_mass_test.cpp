// Lumped mass: what it keeps, where it puts masses, and the frequencies of a bar against consistent mass and the closed
// form.
#include "sinew/deform/lattice/cells/lumped_mass.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "tests/deform/lattice/lattice_motion.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

constexpr double young = 2e4, density = 1000;

// A bar without Poisson's effect, fixed nowhere.
struct LumpedBar {
  LatticeGrid grid;
  CellMatrices cells;
  NodalTransform nodal;

  LumpedBar(int along, int levels, SubdivisionScheme scheme = SubdivisionScheme::trilinear) {
    const ControlLattice lattice = lattice_bar(along);
    grid = lattice_grid(lattice, scheme, levels);
    const TetrahedralMesh& mesh = grid.tetrahedra.mesh;
    const std::vector<double> full(mesh.tetrahedra.size(), 1.0), moduli(full.size(), young),
        densities(full.size(), density), none(full.size(), 0.0);
    std::vector<int> tetrahedron, cell;
    const StrainSamples samples =
        basis_strain_samples(mesh, grid.basis, {{young, 0, density}, moduli, full, {}}, tetrahedron);
    for (int t : tetrahedron) cell.push_back(grid.cell[static_cast<std::size_t>(t)]);
    cells =
        cell_matrices(samples, cell, static_cast<int>(lattice.cells()), mesh, grid.basis, grid.cell, densities, none);
    if (levels > 1) nodal = nodal_transform(grid.subdivided, scheme, levels);
  }

  Eigen::MatrixXd matrix(const CellFactors& factors, const CellMatrices& of) const {
    std::vector<int> all(grid.functions());
    for (std::size_t f = 0; f < all.size(); ++f) all[f] = static_cast<int>(f);
    const BlockMatrix blocks = assemble_cells(of, all, std::array{factors});
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(blocks.rows, blocks.rows);  // along the bar
    for (int row = 0; row < blocks.rows; ++row)
      for (int b = blocks.row_start[static_cast<std::size_t>(row)];
           b < blocks.row_start[static_cast<std::size_t>(row) + 1]; ++b)
        result(row, blocks.column[static_cast<std::size_t>(b)]) += blocks.block[static_cast<std::size_t>(b)](0, 0);
    return result;
  }
  Eigen::MatrixXd mass(const CellMatrices& of) const { return matrix({1, 0, 0}, of); }

  // Coefficients of one at a vertex and nothing at the others, per function.
  Eigen::MatrixXd coefficients_of_values() const {
    const auto n = static_cast<Eigen::Index>(grid.functions());
    Eigen::MatrixXd result = Eigen::MatrixXd::Identity(n, n);
    for (std::size_t f = 0; f < nodal.parents.rows(); ++f)
      for (int e = nodal.parents.start[f]; e < nodal.parents.start[f + 1]; ++e)
        result(static_cast<Eigen::Index>(f), nodal.parents.column[static_cast<std::size_t>(e)]) -=
            nodal.parents.value[static_cast<std::size_t>(e)];
    return result;
  }

  // Lowest frequency of waves along the bar, its end at x = 0 held; radians per second. Sections move as a whole, which
  // without Poisson's effect no force opposes.
  double frequency(const CellMatrices& of, int slices) const {
    Eigen::MatrixXd sections = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(grid.functions()), slices);
    for (std::size_t f = 0; f < grid.functions(); ++f) {
      const auto slice = static_cast<Eigen::Index>(std::lround(grid.places()[f].x / bar_length * slices));
      if (slice > 0) sections(static_cast<Eigen::Index>(f), slice - 1) = 1;
    }
    const Eigen::MatrixXd basis = coefficients_of_values() * sections;
    const Eigen::MatrixXd m = basis.transpose() * mass(of) * basis,
                          k = basis.transpose() * matrix({0, 1, 0}, of) * basis;
    return std::sqrt(test::symmetric_eigenvalues(k, m)[0]);
  }
};

CellMatrices lumped(const LumpedBar& bar) {
  CellMatrices cells = bar.cells;
  lump_mass(bar.nodal, cells);
  return cells;
}

TEST(LumpedMass, KeepsTotalMassAndTheMomentumOfTranslations) {
  for (const int levels : {1, 2, 3}) {
    const LumpedBar bar(3, levels);
    const Eigen::MatrixXd consistent = bar.mass(bar.cells), other = bar.mass(lumped(bar));
    // A translation: coarse functions move, detail does not.
    Eigen::VectorXd translation = Eigen::VectorXd::Zero(consistent.rows());
    translation.head(bar.grid.subdivided.vertices[0]).setOnes();
    const Eigen::VectorXd expected = consistent * translation, momentum = other * translation;
    const double whole = density * bar_length * bar_width * bar_width;
    EXPECT_LT((momentum - expected).cwiseAbs().maxCoeff(), 1e-13 * whole) << levels;
    EXPECT_NEAR(translation.dot(momentum), whole, 1e-12 * whole);
    EXPECT_LT((other - other.transpose()).norm(), 1e-14 * other.norm());
    EXPECT_GT((other - consistent).norm(), 0.05 * consistent.norm());
  }
}

TEST(LumpedMass, PutsMassesAtVertices) {
  for (const int levels : {1, 2, 3}) {
    const LumpedBar bar(3, levels);
    const Eigen::MatrixXd to_coefficients = bar.coefficients_of_values(), m = bar.mass(lumped(bar)),
                          at_vertices = to_coefficients.transpose() * m * to_coefficients;
    const Eigen::VectorXd masses = at_vertices.diagonal();
    EXPECT_GT(masses.minCoeff(), 0) << levels;
    EXPECT_LT((at_vertices - Eigen::MatrixXd(masses.asDiagonal())).cwiseAbs().maxCoeff(), 1e-14 * masses.maxCoeff());
    // A vertex inside has the mass of the box around it.
    const int pieces = 1 << (levels - 1);
    EXPECT_NEAR(masses.maxCoeff(), density * bar_length / (3 * pieces) * std::pow(bar_width / (2 * pieces), 2), 1e-12);
  }
}

// omega_1 = pi / 2L sqrt(E / rho). With linear functions the consistent mass is too high by (kh)^2 / 24 and the lumped
// one too low by as much.
TEST(LumpedMass, FrequenciesConvergeAtSecondOrderFromBelow) {
  const double exact = 0.5 * std::numbers::pi / bar_length * std::sqrt(young / density);
  double error_consistent = 0, error_lumped = 0;
  for (const int along : {4, 8, 16}) {
    const LumpedBar bar(along, 1);
    const double above = bar.frequency(bar.cells, along) / exact - 1,
                 below = bar.frequency(lumped(bar), along) / exact - 1;
    const double wave = std::pow(0.5 * std::numbers::pi / along, 2) / 24;
    EXPECT_NEAR(above, wave, 0.02 * wave);
    EXPECT_NEAR(below, -wave, 0.02 * wave);
    if (error_consistent > 0) {
      EXPECT_NEAR(error_consistent / above, 4, 0.05);
      EXPECT_NEAR(error_lumped / below, 4, 0.05);
    }
    error_consistent = above;
    error_lumped = below;
  }
}

// The same space, so the same masses and frequencies, whether by levels or by smaller cells.
TEST(LumpedMass, LevelsAreSmallerCells) {
  const LumpedBar fine(8, 1);
  for (const auto& [along, levels] : {std::pair{4, 2}, {2, 3}}) {
    const LumpedBar coarse(along, levels);
    EXPECT_NEAR(coarse.frequency(lumped(coarse), 8), fine.frequency(lumped(fine), 8), 1e-9);
    EXPECT_NEAR(coarse.frequency(coarse.cells, 8), fine.frequency(fine.cells, 8), 1e-9);
  }
}

// A bar in motion: at rest where the consistent one is, and the nearer to it the finer the basis is. On one level, two
// cells across, masses at the outside are much to turn about the bone.
TEST(LumpedMass, FleshMovesByIt) {
  std::vector<double> shares;
  for (const int levels : {1, 2}) {
    LatticeBarOptions options = damped_bar(LatticeReference::rig, Linearization::warped, Warping::element, levels);
    options.young = 6e3;
    LatticeDescription description = lattice_bar_description(options);
    const auto consistent = lattice_flesh(cook_lattice(description, options.reference, options.run, options.dynamics));
    lump_mass(description.nodal, description.cells);
    const auto other = lattice_flesh(cook_lattice(description, options.reference, options.run, options.dynamics));
    double most = 0, difference = 0;
    for (BodyMotion* flesh : {static_cast<BodyMotion*>(consistent.get()), static_cast<BodyMotion*>(other.get())}) {
      const std::vector<Affine> first = bar_pose(0);
      flesh->reset({0, first}, {flesh->step(), first});
    }
    for (int step = 1; step <= 700; ++step) {
      const double t = step * other->step();
      const std::vector<Affine> pose = bar_pose(t < 0.5 ? 0.5 * std::sin(4 * std::numbers::pi * t) : 0);
      consistent->advance({t, pose});
      other->advance({t, pose});
      for (std::size_t f = 0; f < description.role.size(); ++f) {
        most = std::max(most, norm(consistent->local_displacements()[f]));
        difference =
            std::max(difference, distance(consistent->local_displacements()[f], other->local_displacements()[f]));
      }
    }
    EXPECT_GT(most, 0.002);
    shares.push_back(difference / most);
    for (const Vec3& u : other->local_displacements()) EXPECT_LT(norm(u), 1e-6);
  }
  EXPECT_LT(shares[0], 0.6);
  EXPECT_LT(shares[1], 0.6 * shares[0]);
  EXPECT_GT(shares[1], 0.01);
}

TEST(LumpedMass, RefusesWhatHasNoMassAtAVertex) {
  const LumpedBar smooth(3, 1, SubdivisionScheme::maccracken_joy);
  CellMatrices cells = smooth.cells;
  lump_mass({}, cells);  // functions that sum to one and are positive
  EXPECT_NEAR(smooth.mass(cells).sum(), smooth.mass(smooth.cells).sum(), 1e-12);
  LumpedBar bar(3, 1);
  bar.cells.mass[bar.cells.offset[1] + 3] = -1;
  try {
    lump_mass(bar.nodal, bar.cells);
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("cell 1 "), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew
