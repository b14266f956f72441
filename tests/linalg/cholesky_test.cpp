#include "sinew/linalg/cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/cholesky/dense_kernels.h"
#include "sinew/linalg/cholesky/dense_triangles.h"
#include "sinew/linalg/cholesky/panels.h"
#include "sinew/linalg/cholesky/symbolic.h"
#include "sinew/linalg/vector_target.h"
#include "tests/base/same_bits.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/plain_kernels.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Sum over elements of B^T B with random B, plus a small multiple of the identity: positive definite.
BlockMatrix random_matrix(int rows, const std::vector<int>& elements, int element_size, unsigned seed) {
  BlockMatrix matrix = block_pattern(rows, elements, element_size);
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t e = 0; e < elements.size(); e += at(element_size)) {
    Eigen::MatrixXd b(3 * element_size, 3 * element_size);
    for (double& v : b.reshaped()) v = uniform(generator);
    const Eigen::MatrixXd element = b.transpose() * b;
    for (int i = 0; i < element_size; ++i)
      for (int j = 0; j < element_size; ++j) {
        Mat3& block = matrix.block[at(find_block(matrix, elements[e + at(i)], elements[e + at(j)]))];
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) block(at(r), at(c)) += element(3 * i + r, 3 * j + c);
      }
  }
  for (int row = 0; row < rows; ++row) matrix.block[at(find_block(matrix, row, row))] += Mat3::identity() * 0.3;
  return matrix;
}

// Vertices of an n x n x n grid; elements are its cubes, cut into six tetrahedra each.
std::vector<int> grid_tetrahedra(int n) {
  std::vector<int> elements;
  const auto vertex = [n](int i, int j, int k) { return (i * n + j) * n + k; };
  const int paths[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j + 1 < n; ++j)
      for (int k = 0; k + 1 < n; ++k)
        for (const auto& path : paths) {
          int step[3] = {0, 0, 0};
          elements.push_back(vertex(i, j, k));
          for (const int axis : path) {
            step[axis] = 1;
            elements.push_back(vertex(i + step[0], j + step[1], k + step[2]));
          }
          elements.push_back(vertex(i + 1, j + 1, k + 1));
        }
  return elements;
}

Eigen::SparseMatrix<double> to_eigen(const BlockMatrix& matrix) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int row = 0; row < matrix.rows; ++row)
    for (int k = matrix.row_start[at(row)]; k < matrix.row_start[at(row) + 1]; ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          triplets.emplace_back(3 * row + i, 3 * matrix.column[at(k)] + j, matrix.block[at(k)](at(i), at(j)));
  Eigen::SparseMatrix<double> result(3 * matrix.rows, 3 * matrix.rows);
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

std::vector<double> random_vector(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> result(size);
  for (double& v : result) v = uniform(generator);
  return result;
}

double relative_difference(const std::vector<double>& a, const Eigen::VectorXd& b) {
  return (Eigen::Map<const Eigen::VectorXd>(a.data(), static_cast<Eigen::Index>(a.size())) - b).norm() / b.norm();
}

void expect_solution(const BlockMatrix& matrix, double tolerance = 1e-10) {
  BlockCholesky cholesky;
  cholesky.analyze(matrix);
  cholesky.factor(matrix);
  EXPECT_EQ(cholesky.rows(), matrix.rows);
  const std::vector<double> b = random_vector(3 * at(matrix.rows), 7);
  std::vector<double> x(b.size());
  cholesky.solve(b, x);
  const Eigen::Map<const Eigen::VectorXd> right(b.data(), static_cast<Eigen::Index>(b.size()));
  const Eigen::SparseMatrix<double> reference = to_eigen(matrix);
  if (matrix.rows <= 200) {
    EXPECT_LT(relative_difference(x, test::solved(Eigen::MatrixXd(reference), right)), tolerance);
  } else {
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt(reference);
    EXPECT_LT(relative_difference(x, ldlt.solve(right)), tolerance);
  }
}

TEST(BlockCholesky, OneVertex) { expect_solution(random_matrix(1, {}, 1, 1)); }

TEST(BlockCholesky, NoRows) {
  BlockCholesky cholesky;
  const BlockMatrix empty = block_pattern(0, {}, 4);
  cholesky.analyze(empty);
  cholesky.factor(empty);
  cholesky.solve({}, std::span<double>());
  EXPECT_EQ(cholesky.rows(), 0);
}

TEST(BlockCholesky, NoCouplingAtAll) { expect_solution(random_matrix(300, {}, 1, 2)); }

TEST(BlockCholesky, RandomGraphs) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 generator(seed);
    const int rows = 2 + static_cast<int>(generator() % 150u);
    std::vector<int> elements;
    const unsigned count = static_cast<unsigned>(generator() % 120u);
    for (unsigned e = 0; e < 4 * count; ++e)
      elements.push_back(static_cast<int>(generator() % static_cast<unsigned>(rows)));
    // The same vertex twice in an element would add the element's blocks twice; that is positive definite too.
    expect_solution(random_matrix(rows, elements, 4, seed + 100));
  }
}

TEST(BlockCholesky, FiniteElementGrid) { expect_solution(random_matrix(12 * 12 * 12, grid_tetrahedra(12), 4, 3)); }

TEST(BlockCholesky, DisconnectedPieces) {
  std::vector<int> elements = grid_tetrahedra(6);
  const std::vector<int> piece = elements;
  for (const int offset : {216, 500})  // vertices 432 to 499 stand alone
    for (const int v : piece) elements.push_back(v + offset);
  expect_solution(random_matrix(716 + 40, elements, 4, 4));
}

TEST(BlockCholesky, WideStencils) {
  // Each element couples 60 vertices.
  std::mt19937 generator(5);
  std::vector<int> elements;
  for (int e = 0; e < 60; ++e)
    for (int i = 0; i < 60; ++i) elements.push_back((10 * e + i) % 640);
  expect_solution(random_matrix(640, elements, 60, 5), 1e-9);
}

TEST(BlockCholesky, AHubThatTouchesEverything) {
  std::vector<int> elements;
  for (int v = 1; v < 4000; ++v) elements.insert(elements.end(), {0, v});
  expect_solution(random_matrix(4000, elements, 2, 6));
}

TEST(BlockCholesky, FullMatrix) {
  std::vector<int> elements;
  for (int v = 0; v < 150; ++v) elements.push_back(v);
  const BlockMatrix matrix = random_matrix(150, elements, 150, 7);
  expect_solution(matrix, 1e-8);  // condition number near 1e5
}

TEST(BlockCholesky, SameBitsForAnyNumberOfThreads) {
  const BlockMatrix matrix = random_matrix(13 * 13 * 13, grid_tetrahedra(13), 4, 8);
  const std::vector<double> b = random_vector(3 * at(matrix.rows), 9);
  for (const FactorPrecision precision :
       {FactorPrecision::double_precision, FactorPrecision::single_precision, FactorPrecision::half_precision}) {
    test::expect_same_bits([&] {
      BlockCholesky cholesky;
      cholesky.analyze(matrix);
      cholesky.factor(matrix, precision);
      std::vector<double> x(b.size());
      cholesky.solve(b, x);
      return x;
    });
  }
}

// Large enough for subtrees side by side and for fronts of several panels.
BlockMatrix large_grid() {
  constexpr int n = 18;
  return random_matrix(n * n * n, grid_tetrahedra(n), 4, 21);
}

// |A x - b| / |b|
double relative_residual(const BlockMatrix& matrix, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> product(b.size());
  multiply(matrix, x, product);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    error += (product[i] - b[i]) * (product[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(error / size);
}

TEST(BlockCholesky, WideSupernodesOfSeveralPanels) {
  const BlockMatrix matrix = large_grid();
  const cholesky::Symbolic symbolic = cholesky::symbolic_factorisation(matrix);
  int most_panels = 0, columns = 0;
  for (const cholesky::Front& front : symbolic.fronts) {
    most_panels = std::max(most_panels, front.node_end - front.node_begin);
    for (int k = front.node_begin; k + 1 < front.node_end; ++k) {
      EXPECT_EQ(symbolic.nodes[at(k)].parent, k + 1);
      EXPECT_EQ(symbolic.nodes[at(k)].rows, symbolic.nodes[at(k + 1)].columns + symbolic.nodes[at(k + 1)].rows);
      EXPECT_EQ(symbolic.row[at(symbolic.nodes[at(k)].row_begin)], symbolic.nodes[at(k + 1)].first);
    }
  }
  for (const cholesky::Supernode& node : symbolic.nodes) columns += node.columns;
  EXPECT_EQ(columns, matrix.rows);
  EXPECT_GT(most_panels, 1);
  EXPECT_GT(symbolic.tasks.size(), 1u);

  BlockCholesky cholesky;
  cholesky.factor(matrix);
  const std::vector<double> b = random_vector(3 * at(matrix.rows), 22);
  std::vector<double> x(b.size());
  cholesky.solve(b, x);
  EXPECT_LT(relative_residual(matrix, x, b), 1e-12);
}

TEST(BlockCholesky, FactorsOfOneTwoThreeAndEightThreadsAreTheSame) {
  const BlockMatrix matrix = large_grid();
  const std::vector<double> b = random_vector(3 * at(matrix.rows), 23);
  std::vector<double> first;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    BlockCholesky cholesky;
    cholesky.factor(matrix);
    set_thread_count(1);
    std::vector<double> x(b.size());
    cholesky.solve(b, x);
    if (first.empty()) first = x;
    EXPECT_EQ(std::memcmp(first.data(), x.data(), x.size() * sizeof(double)), 0) << threads << " threads";
  }
  set_thread_count(0);
}

// Memory is handed from one factorisation to the next: nothing of the matrix before may be left in it.
TEST(BlockCholesky, FactorsOfAPatternDoNotDependOnTheOnesBefore) {
  BlockMatrix matrix = random_matrix(12 * 12 * 12, grid_tetrahedra(12), 4, 24), other = matrix;
  for (Mat3& block : other.block) block *= 3.5;
  for (int row = 0; row < other.rows; ++row) other.block[at(find_block(other, row, row))] += Mat3::identity();
  BlockMatrix indefinite = matrix;
  indefinite.block[at(find_block(matrix, 700, 700))] = Mat3::identity() * -1.0;
  const std::vector<double> b = random_vector(3 * at(matrix.rows), 25);
  for (const FactorPrecision precision :
       {FactorPrecision::double_precision, FactorPrecision::single_precision, FactorPrecision::half_precision}) {
    BlockCholesky fresh, used;
    fresh.factor(matrix, precision);
    std::vector<double> expected(b.size()), x(b.size());
    fresh.solve(b, expected);
    used.factor(other, precision);
    used.factor(other, FactorPrecision::single_precision);
    EXPECT_THROW(used.factor(indefinite), Error);
    BlockCholesky sibling = used.of_same_pattern();
    for (BlockCholesky* cholesky : {&used, &used, &sibling}) {
      cholesky->factor(matrix, precision);
      cholesky->solve(b, x);
      EXPECT_EQ(std::memcmp(x.data(), expected.data(), x.size() * sizeof(double)), 0);
    }
  }
}

TEST(BlockCholesky, AFailureInTheTopNamesTheBlockRow) {
  BlockMatrix matrix = random_matrix(12 * 12 * 12, grid_tetrahedra(12), 4, 26);
  const cholesky::Symbolic symbolic = cholesky::symbolic_factorisation(matrix);
  const int row = symbolic.permutation[at(matrix.rows - 5)];  // eliminated late: no other pivot is touched before
  matrix.block[at(find_block(matrix, row, row))] -= Mat3::identity() * 1e6;
  for (const int threads : {1, 2, 8}) {
    set_thread_count(threads);
    try {
      BlockCholesky().factor(matrix);
      ADD_FAILURE() << "an indefinite matrix was factored";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("block row " + std::to_string(row) + ";"), std::string::npos)
          << error.what();
    }
  }
  set_thread_count(0);
}

TEST(BlockCholesky, PrecisionLevels) {
  const BlockMatrix matrix = random_matrix(10 * 10 * 10, grid_tetrahedra(10), 4, 10);
  const std::vector<double> b = random_vector(3 * at(matrix.rows), 11);
  BlockCholesky cholesky;
  cholesky.analyze(matrix);
  const auto residual = [&](FactorPrecision precision, double magnitude) {
    cholesky.factor(matrix, precision);
    std::vector<double> scaled = b, x(b.size()), ax(b.size());
    for (double& v : scaled) v *= magnitude;
    cholesky.solve(scaled, x);
    multiply(matrix, x, ax);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      error = std::max(error, std::abs(ax[i] - scaled[i]));
      size = std::max(size, std::abs(scaled[i]));
    }
    return error / size;
  };
  EXPECT_LT(residual(FactorPrecision::double_precision, 1), 1e-12);
  EXPECT_LT(residual(FactorPrecision::single_precision, 1), 1e-3);
  EXPECT_GT(residual(FactorPrecision::single_precision, 1), 1e-9);
  // Far outside the range of single precision.
  EXPECT_LT(residual(FactorPrecision::single_precision, 1e-60), 1e-3);
  EXPECT_LT(residual(FactorPrecision::single_precision, 1e60), 1e-3);

  EXPECT_LT(residual(FactorPrecision::half_precision, 1), 0.3);
  EXPECT_GT(residual(FactorPrecision::half_precision, 1), 1e-5);
  EXPECT_EQ(cholesky.precision(), FactorPrecision::half_precision);
  EXPECT_LT(residual(FactorPrecision::half_precision, 1e-60), 0.3);
  EXPECT_LT(residual(FactorPrecision::half_precision, 1e60), 0.3);
}

// |A M^-1 - I| as the power iteration has it, against all columns of a small system.
TEST(BlockCholesky, PreconditionerErrorIsTheNormOfWhatRoundingLeft) {
  const BlockMatrix matrix = random_matrix(5 * 5 * 5, grid_tetrahedra(5), 4, 20);
  const std::size_t size = 3 * at(matrix.rows);
  BlockCholesky cholesky;
  cholesky.factor(matrix, FactorPrecision::half_precision);
  const double estimate = preconditioner_error(matrix, cholesky);
  double squares = 0;  // Frobenius: at least the spectral norm, at most sqrt(size) times it
  for (std::size_t k = 0; k < size; ++k) {
    std::vector<double> unit(size), x(size), product(size);
    unit[k] = 1;
    cholesky.solve(unit, x);
    multiply(matrix, x, product);
    for (std::size_t i = 0; i < size; ++i) squares += (product[i] - unit[i]) * (product[i] - unit[i]);
  }
  EXPECT_LE(estimate, 1.01 * std::sqrt(squares));
  EXPECT_GE(estimate, std::sqrt(squares / static_cast<double>(size)));
  cholesky.factor(matrix, FactorPrecision::double_precision);
  EXPECT_LT(preconditioner_error(matrix, cholesky), 1e-10);
}

// A row that is far heavier than the columns before it: W = A_21 D^-1 leaves the range of half precision.
TEST(BlockCholesky, HalfPrecisionFallsBackToSingleOutsideItsRange) {
  BlockMatrix matrix = random_matrix(64, grid_tetrahedra(4), 4, 21);
  const auto size = [](int row) { return row % 2 == 0 ? 1e-6 : 1e6; };
  for (int row = 0; row < matrix.rows; ++row)
    for (int k = matrix.row_start[at(row)]; k < matrix.row_start[at(row) + 1]; ++k)
      matrix.block[at(k)] *= size(row) * size(matrix.column[at(k)]);
  BlockCholesky cholesky;
  cholesky.factor(matrix, FactorPrecision::half_precision);
  EXPECT_EQ(cholesky.precision(), FactorPrecision::single_precision);
  EXPECT_LT(preconditioner_error(matrix, cholesky), 1);
}

TEST(PanelKernels, HalvesRoundToNearestAndWidenExactly) {
  for (int bits = 0; bits < 0x7c00; ++bits) {  // every finite half goes to float and back
    const cholesky::Half half{static_cast<std::uint16_t>(bits)};
    std::vector<float> value(1 + cholesky::vector_padding);
    std::vector<cholesky::Half> back(value.size());
    value[0] = -cholesky::plain(half);
    cholesky::to_half(value.data(), 1, 1, back.data());
    // A zero's sign is lost where the instruction set has no conversion of its own; no sum can tell.
    ASSERT_EQ(back[0].bits & (bits == 0 ? 0x7fff : 0xffff), bits == 0 ? 0 : bits | 0x8000);
  }
  EXPECT_EQ(cholesky::plain(cholesky::Half{0x3c00}), 1);
  EXPECT_EQ(cholesky::plain(cholesky::Half{0x7bff}), cholesky::largest_half);
  EXPECT_EQ(cholesky::plain(cholesky::Half{0x0001}), std::ldexp(1.0f, -24));
  std::vector<float> value(1 + cholesky::vector_padding, 0.3f);
  std::vector<cholesky::Half> rounded(value.size());
  cholesky::to_half(value.data(), 1, 4, rounded.data());
  // To the nearest of 1024 between 1 and 2, but towards zero where the instruction set has no conversion of its own.
  EXPECT_NEAR(cholesky::plain(rounded[0]), 1.2f, vector_target() == "portable" ? 1.0f / 1024 : 0.5f / 1024);
}

TEST(BlockCholesky, SeveralRightHandSidesAndInPlace) {
  const BlockMatrix matrix = random_matrix(7 * 7 * 7, grid_tetrahedra(7), 4, 12);
  const std::size_t length = 3 * at(matrix.rows);
  BlockCholesky cholesky;
  cholesky.factor(matrix);
  for (const int count : {1, 3, 8, 19}) {
    const std::vector<double> b = random_vector(length * at(count), 13);
    std::vector<double> together(b.size()), in_place = b;
    cholesky.solve(b, together, count);
    cholesky.solve(in_place, in_place, count);
    EXPECT_EQ(together, in_place);
    for (int v = 0; v < count; ++v) {
      std::vector<double> single(length);
      cholesky.solve(std::span(b).subspan(at(v) * length, length), single);
      EXPECT_EQ(std::memcmp(single.data(), together.data() + at(v) * length, length * sizeof(double)), 0);
    }
  }
}

// Single entries visit only their paths in the elimination tree: still the columns of the inverse, to the bit in
// whatever company they are solved.
TEST(BlockCholesky, SingleEntriesGiveTheColumnsOfTheInverse) {
  const BlockMatrix matrix = random_matrix(12 * 12 * 12, grid_tetrahedra(12), 4, 14);
  const std::size_t length = 3 * at(matrix.rows);
  for (const FactorPrecision precision :
       {FactorPrecision::double_precision, FactorPrecision::single_precision, FactorPrecision::half_precision}) {
    BlockCholesky cholesky;
    cholesky.factor(matrix, precision);
    std::vector<double> b(8 * length), x(b.size()), alone(length);
    for (std::size_t v = 0; v < 8; ++v) b[v * length + v * 611] = 1;
    cholesky.solve(b, x, 8);
    for (std::size_t v = 0; v < 8; ++v) {
      const std::vector<double> unit(b.begin() + static_cast<std::ptrdiff_t>(v * length),
                                     b.begin() + static_cast<std::ptrdiff_t>((v + 1) * length));
      cholesky.solve(unit, alone);
      EXPECT_EQ(std::memcmp(alone.data(), &x[v * length], length * sizeof(double)), 0) << v;
      if (precision == FactorPrecision::double_precision) {
        EXPECT_LT(relative_residual(matrix, alone, unit), 1e-12);
      }
    }
  }
}

// Solutions in a few rows have the bits of whole ones there, and leave most other rows as they were.
TEST(BlockCholesky, SolvesInAFewRows) {
  const BlockMatrix matrix = random_matrix(12 * 12 * 12, grid_tetrahedra(12), 4, 15);
  const std::size_t length = 3 * at(matrix.rows), count = 5;
  const std::vector<int> rows{3, 4, 15, 16, 150, 1700};
  const std::vector<double> b = random_vector(count * length, 16);
  for (const FactorPrecision precision : {FactorPrecision::double_precision, FactorPrecision::half_precision}) {
    BlockCholesky cholesky;
    cholesky.factor(matrix, precision);
    std::vector<double> whole(b.size()), some(b.size(), -1e9);
    cholesky.solve(b, whole, count);
    cholesky.solve_in(cholesky.parts_for(rows), b, some, count);
    for (std::size_t v = 0; v < count; ++v)
      for (const int row : rows)
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t i = v * length + 3 * at(row) + k;
          EXPECT_EQ(some[i], whole[i]) << "vector " << v << ", row " << row;
        }
    EXPECT_GT(std::count(some.begin(), some.end(), -1e9), static_cast<std::ptrdiff_t>(some.size() / 2));
  }
}

TEST(BlockCholesky, SolvesFromSeveralThreadsAtOnce) {
  const BlockMatrix matrix = random_matrix(9 * 9 * 9, grid_tetrahedra(9), 4, 14);
  const std::vector<double> b = random_vector(3 * at(matrix.rows), 15);
  BlockCholesky cholesky;
  cholesky.factor(matrix);
  std::vector<double> expected(b.size());
  cholesky.solve(b, expected);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        std::vector<double> x(b.size());
        cholesky.solve(b, x);
        if (x != expected) ++wrong[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  // From inside a parallel loop, where a waiting thread may start another solution.
  std::vector<int> wrong_inside(16, 0);
  parallel_for(16, 1, [&](std::size_t i) {
    std::vector<double> x(b.size());
    cholesky.solve(b, x);
    if (x != expected) ++wrong_inside[i];
  });
  EXPECT_EQ(wrong_inside, std::vector<int>(16, 0));
}

TEST(BlockCholesky, IndefiniteMatricesNameTheBlockRow) {
  BlockMatrix matrix = random_matrix(200, {}, 1, 16);
  matrix.block[at(find_block(matrix, 123, 123))] = Mat3::identity() * -1.0;
  BlockCholesky cholesky;
  cholesky.analyze(matrix);
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    try {
      cholesky.factor(matrix);
      FAIL() << "an indefinite matrix was factored";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::simulation);
      EXPECT_NE(std::string(error.what()).find("block row 123"), std::string::npos) << error.what();
    }
  }
  set_thread_count(0);
  std::vector<double> x(600);
  EXPECT_THROW(cholesky.solve(x, x), Error);
  // The same object works again with a good matrix.
  matrix.block[at(find_block(matrix, 123, 123))] = Mat3::identity();
  cholesky.factor(matrix);
  cholesky.solve(x, x);
}

TEST(BlockCholesky, SingularAndNonFiniteMatricesAreErrors) {
  // A chain of springs that nothing holds: only the last pivot is zero.
  std::vector<int> elements;
  for (int v = 0; v + 1 < 60; ++v) elements.insert(elements.end(), {v, v + 1});
  BlockMatrix matrix = block_pattern(60, elements, 2);
  for (int v = 0; v + 1 < 60; ++v) {
    for (const int end : {v, v + 1}) matrix.block[at(find_block(matrix, end, end))] += Mat3::identity();
    matrix.block[at(find_block(matrix, v, v + 1))] -= Mat3::identity();
    matrix.block[at(find_block(matrix, v + 1, v))] -= Mat3::identity();
  }
  BlockCholesky cholesky;
  EXPECT_THROW(cholesky.factor(matrix), Error);
  matrix.block[at(find_block(matrix, 0, 0))] += Mat3::identity();
  cholesky.factor(matrix);
  matrix.block[at(find_block(matrix, 30, 31))](1, 1) = std::nan("");
  matrix.block[at(find_block(matrix, 31, 30))](1, 1) = std::nan("");
  EXPECT_THROW(cholesky.factor(matrix), Error);
}

TEST(BlockCholesky, BadPatternsAndSizesAreErrors) {
  BlockMatrix matrix = random_matrix(8, grid_tetrahedra(2), 4, 17);
  BlockCholesky cholesky;
  std::vector<double> x(24), wrong(23);
  EXPECT_THROW(cholesky.solve(x, x), Error);
  cholesky.factor(matrix);
  EXPECT_THROW(cholesky.solve(x, wrong), Error);
  EXPECT_THROW(cholesky.solve(x, x, 2), Error);
  EXPECT_THROW(cholesky.factor(random_matrix(8, {}, 1, 18)), Error);
  BlockMatrix unsymmetric = block_pattern(2, {}, 1);
  unsymmetric.row_start = {0, 2, 3};
  unsymmetric.column = {0, 1, 1};
  unsymmetric.block.resize(3);
  EXPECT_THROW(cholesky.analyze(unsymmetric), Error);
  BlockMatrix no_diagonal = unsymmetric;
  no_diagonal.column = {0, 1, 0};
  EXPECT_THROW(cholesky.analyze(no_diagonal), Error);
}

template <class Real>
std::vector<Real> random_numbers(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<Real> result(size + cholesky::vector_padding, Real(0));
  for (std::size_t i = 0; i < size; ++i) result[i] = uniform(generator);
  return result;
}

// The same numbers as entries of a panel, padded.
template <class Entry, class Real>
std::vector<Entry> as_entries(std::vector<Real> numbers) {
  numbers.resize(numbers.size() + cholesky::vector_padding);
  if constexpr (std::is_same_v<Entry, cholesky::Half>) {
    std::vector<Entry> entries(numbers.size());
    numbers.resize(numbers.size() + cholesky::vector_padding);
    cholesky::to_half(numbers.data(), entries.size() - cholesky::vector_padding, 1, entries.data());
    return entries;
  } else {
    return numbers;
  }
}

template <class Entry>
class PanelKernels : public testing::Test {};
using Entries = testing::Types<cholesky::Half, float, double>;
TYPED_TEST_SUITE(PanelKernels, Entries);

TYPED_TEST(PanelKernels, AgreeWithTheirReferences) {
  using Real = cholesky::Arithmetic<TypeParam>;
  const Real unit = std::numeric_limits<Real>::epsilon();
  for (const std::size_t rows : {1u, 3u, 7u, 8u, 15u, 16u, 17u, 33u, 60u, 129u})
    for (const std::size_t columns : {1u, 2u, 3u, 5u, 6u, 8u, 9u, 12u, 15u, 31u}) {
      const std::size_t stride = rows + 2;
      const auto w = as_entries<TypeParam>(random_numbers<Real>(stride * columns, 1));
      const auto b = random_numbers<Real>(columns, 2);
      auto y = random_numbers<Real>(rows, 3), y_reference = y;
      cholesky::panel_times(w.data(), stride, rows, columns, b.data(), y.data());
      cholesky::panel_times_reference(w.data(), stride, rows, columns, b.data(), y_reference.data());
      for (std::size_t i = 0; i < rows; ++i) ASSERT_NEAR(y[i], y_reference[i], 4 * unit * static_cast<Real>(columns));
      auto x = b, x_reference = b;
      cholesky::subtract_panel_transposed_times(w.data(), stride, rows, columns, y_reference.data(), x.data());
      cholesky::subtract_panel_transposed_times_reference(w.data(), stride, rows, columns, y_reference.data(),
                                                          x_reference.data());
      for (std::size_t j = 0; j < columns; ++j)
        ASSERT_NEAR(x[j], x_reference[j], 8 * unit * static_cast<Real>(rows * columns));
    }
}

TYPED_TEST(PanelKernels, PackedSymmetricProduct) {
  using Real = cholesky::Arithmetic<TypeParam>;
  for (std::size_t n = 1; n <= 70; ++n) {
    const auto full = random_numbers<Real>(n * n, 4);  // entry (i, j), i >= j, at i + j n stands for both
    std::vector<Real> packed;
    for (std::size_t first = 0; first < n; first += cholesky::group_columns) {
      ASSERT_EQ(packed.size(), cholesky::packed_offset(n, first));
      for (std::size_t j = first; j < std::min(first + cholesky::group_columns, n); ++j)
        for (std::size_t i = first; i < n; ++i) packed.push_back(full[std::max(i, j) + std::min(i, j) * n]);
    }
    ASSERT_EQ(packed.size(), cholesky::packed_size(n));
    const auto b = random_numbers<Real>(n, 5);
    std::vector<Real> x(n + cholesky::vector_padding), x_reference(x);
    const std::vector<TypeParam> entries = as_entries<TypeParam>(packed);
    cholesky::add_packed_times(entries.data(), n, 0, n, b.data(), x.data());
    cholesky::add_packed_times_reference(entries.data(), n, 0, n, b.data(), x_reference.data());
    for (std::size_t i = 0; i < n; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < n; ++j) expected += double{full[std::max(i, j) + std::min(i, j) * n]} * double{b[j]};
      const double unit = std::is_same_v<TypeParam, cholesky::Half> ? std::ldexp(1.0, -11)
                                                                    : double{std::numeric_limits<Real>::epsilon()};
      const double tolerance = 4 * static_cast<double>(n) * unit;
      ASSERT_NEAR(x[i], expected, tolerance);
      ASSERT_NEAR(x_reference[i], expected, tolerance);
      ASSERT_NEAR(x[i], x_reference[i], 4 * static_cast<double>(n) * std::numeric_limits<Real>::epsilon());
    }
  }
}

TEST(DenseKernels, ProductsAgreeWithPlainLoops) {
  for (const std::size_t m : {1u, 5u, 24u, 100u, 230u})
    for (const std::size_t n : {1u, 8u, 24u, 203u})
      for (const std::size_t k : {1u, 24u, 200u}) {
        // Sums of k products of either sign grow with the root of k.
        const double products = static_cast<double>(k),
                     rounding = test::rounding_of(1 + std::sqrt(products), products + 2);
        const auto a = random_numbers<double>((m + 1) * k, 1), b = random_numbers<double>((n + 3) * k, 2);
        const auto c = random_numbers<double>((m + 2) * n, 3);
        auto expected = c, transposed = c, lower = c;
        cholesky::subtract_product_transposed_reference({expected.data(), m + 2}, {a.data(), m + 1}, {b.data(), n + 3},
                                                        m, n, k);
        cholesky::subtract_product_transposed({transposed.data(), m + 2}, {a.data(), m + 1}, {b.data(), n + 3}, m, n,
                                              k);
        cholesky::subtract_product_transposed({lower.data(), m + 2}, {a.data(), m + 1}, {b.data(), n + 3}, m, n, k,
                                              cholesky::Shape::lower);
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < m + 2; ++i) {
            const std::size_t entry = i + j * (m + 2);
            ASSERT_NEAR(transposed[entry], expected[entry], rounding);
            if (i >= j && i < m) {
              ASSERT_EQ(lower[entry], transposed[entry]);
            }
          }
      }
}

TEST(DenseKernels, AnAssignedProductForgetsWhatWasThere) {
  for (const std::size_t m : {3u, 49u, 230u})
    for (const std::size_t n : {5u, 40u, 203u})
      for (const std::size_t k : {7u, 200u, 400u}) {
        const auto a = random_numbers<double>((m + 300) * k, 4), b = random_numbers<double>((n + 3) * k, 5);
        std::vector<double> expected((m + 2) * n, 0.0), c((m + 2) * n, std::nan(""));
        cholesky::subtract_product_transposed_reference({expected.data(), m + 2}, {a.data(), m + 300},
                                                        {b.data(), n + 3}, m, n, k);
        cholesky::product_transposed({c.data(), m + 2}, {a.data(), m + 300}, {b.data(), n + 3}, m, n, k);
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < m + 2; ++i) {
            if (i < m)
              ASSERT_NEAR(c[i + j * (m + 2)], -expected[i + j * (m + 2)], 1e-12);
            else
              ASSERT_TRUE(std::isnan(c[i + j * (m + 2)]));
          }
      }
}

TEST(DenseTriangles, FactorSolveAndInvertAgreeWithEigen) {
  for (const Eigen::Index n : {1, 2, 7, 8, 9, 24, 51, 200, 333}) {
    const Eigen::Index stride = n + 5, rows = 130;
    const auto size = static_cast<std::size_t>(n), leading = static_cast<std::size_t>(stride);
    const auto numbers = random_numbers<double>(size * size, 6);
    const Eigen::Map<const Eigen::MatrixXd> g(numbers.data(), n, n);
    const Eigen::MatrixXd matrix = g * g.transpose() + static_cast<double>(n) * Eigen::MatrixXd::Identity(n, n);
    Eigen::MatrixXd l = Eigen::MatrixXd::Zero(stride, n), x = Eigen::MatrixXd::Constant(stride, n, std::nan(""));
    l.topRows(n) = matrix;
    const Eigen::VectorXd diagonal = matrix.diagonal();
    std::vector<double> inverse_diagonal(size);
    ASSERT_EQ(cholesky::factor_triangle({l.data(), leading}, size, diagonal.data(), inverse_diagonal.data()), size);
    const Eigen::MatrixXd lower = l.topRows(n).triangularView<Eigen::Lower>();
    EXPECT_LT((lower * lower.transpose() - matrix).norm(), 1e-13 * matrix.norm());

    const auto right = random_numbers<double>(static_cast<std::size_t>(rows) * size, 7);
    Eigen::MatrixXd r = Eigen::Map<const Eigen::MatrixXd>(right.data(), rows, n);
    const Eigen::MatrixXd before = r;
    cholesky::solve_with_triangle({r.data(), static_cast<std::size_t>(rows)}, {l.data(), leading},
                                  inverse_diagonal.data(), static_cast<std::size_t>(rows), size);
    EXPECT_LT((r * lower.transpose() - before).norm(), 1e-13 * before.norm());

    cholesky::invert_triangle({l.data(), leading}, inverse_diagonal.data(), {x.data(), leading}, size);
    const Eigen::MatrixXd inverse = x.topRows(n);
    EXPECT_LT((inverse * lower.transpose() - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-12);
    EXPECT_EQ(Eigen::MatrixXd(inverse.triangularView<Eigen::StrictlyLower>()).norm(), 0);

    // A pivot that is not positive is named.
    Eigen::MatrixXd bad = matrix;
    bad(n / 2, n / 2) = -1;
    EXPECT_EQ(cholesky::factor_triangle({bad.data(), size}, size, diagonal.data(), inverse_diagonal.data()), size / 2);
  }
}

}  // namespace
}  // namespace sinew
