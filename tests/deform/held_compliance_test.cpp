// Held points take the same from a body's compliance whichever way it is found, and what elimination of them takes.
#include "sinew/deform/tetrahedra/held_compliance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sinew/deform/flesh/vertex_frames.h"
#include "tests/deform/bars.h"

namespace sinew::test {
namespace {

// Each of `rows` rows holds a random combination of the first `touched` free vertices.
SparseRows random_rows(const FleshBody& body, std::size_t rows, std::size_t touched) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(-1, 1);
  SparseRows result;
  result.columns = static_cast<int>(body.free_vertex.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t v = 0; v < touched; ++v) {
      result.column.push_back(static_cast<int>(v));
      result.value.push_back(share(random));
    }
    result.start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

// The displacement of vertex `at` along a direction of the world under 1 N along it, where the rows hold: by the whole
// factor and elimination of the rows' forces.
double held_response(const FleshBody& body, const VertexFrames& frames, const BlockCholesky& factor,
                     const SparseRows& rows, std::size_t at, const Vec3& along) {
  const std::size_t unknowns = 3 * body.free_vertex.size(), held = 3 * rows.rows();
  const auto rotation = [&](std::size_t f) -> const Mat3& {
    return frames.rotation[static_cast<std::size_t>(body.free_vertex[f])];
  };
  // Moves the body by forces in the world, and returns displacements in the world.
  const auto moved_by = [&](const std::vector<double>& force) {
    std::vector<double> local(unknowns), result(unknowns);
    for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
      const Vec3 turned = transpose_times(rotation(f), Vec3{force[3 * f], force[3 * f + 1], force[3 * f + 2]});
      for (std::size_t k = 0; k < 3; ++k) local[3 * f + k] = turned[k];
    }
    factor.solve(local, local);
    for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
      const Vec3 turned = rotation(f) * Vec3{local[3 * f], local[3 * f + 1], local[3 * f + 2]};
      for (std::size_t k = 0; k < 3; ++k) result[3 * f + k] = turned[k];
    }
    return result;
  };
  const std::size_t touched = rows.column.size() / rows.rows();
  const auto row_forces = [&](std::size_t row) {
    std::vector<double> force(unknowns, 0.0);
    for (std::size_t v = 0; v < touched; ++v) force[3 * v + row % 3] = rows.value[row / 3 * touched + v];
    return force;
  };
  const auto along_row = [&](std::size_t row, const std::vector<double>& moved) {
    double sum = 0;
    for (std::size_t v = 0; v < touched; ++v) sum += rows.value[row / 3 * touched + v] * moved[3 * v + row % 3];
    return sum;
  };
  std::vector<double> push(unknowns, 0.0);
  for (std::size_t k = 0; k < 3; ++k) push[3 * at + k] = along[k];
  const std::vector<double> free = moved_by(push);
  std::vector<double> schur(held * held), right(held);
  std::vector<std::vector<double>> moved(held);
  for (std::size_t i = 0; i < held; ++i) moved[i] = moved_by(row_forces(i)), right[i] = along_row(i, free);
  for (std::size_t i = 0; i < held; ++i)
    for (std::size_t j = 0; j < held; ++j) schur[i * held + j] = along_row(i, moved[j]);
  DenseCholesky solver;
  EXPECT_TRUE(solver.factor(schur, held));
  solver.solve(right, right);
  double result = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double left = free[3 * at + k];
    for (std::size_t i = 0; i < held; ++i) left -= right[i] * moved[i][3 * at + k];
    result += along[k] * left;
  }
  return result;
}

class HeldComplianceOf : public testing::TestWithParam<std::size_t> {};  // vertices that are held

TEST_P(HeldComplianceOf, IsThatOfElimination) {
  const Bar bar;
  const auto body = cooked_bar(bar);
  VertexFrames frames;
  predict_frames(points_of(body->description), bar_pose(bar, Affine{}, 0.4), frames);
  const StepFactor factor = step_factor(*body, 0);
  const SparseRows rows = random_rows(*body, 4, GetParam());
  HeldCompliance compliance(*body);
  compliance.begin_step(rows, frames, factor);
  ASSERT_EQ(compliance.vertices().size(), GetParam());

  const std::vector<int> asked{static_cast<int>(GetParam()) + 2, static_cast<int>(GetParam()) + 5};
  compliance.prepare(std::vector<int>{asked[0]});
  compliance.prepare(asked);  // the second is added to the first
  const Vec3 along = normalized(Vec3{1, -2, 0.5});
  for (const int f : asked) {
    std::vector<double> unit(3 * body->free_vertex.size(), 0.0), moved(unit.size());
    const Vec3 local = transpose_times(
        frames.rotation[static_cast<std::size_t>(body->free_vertex[static_cast<std::size_t>(f)])], along);
    for (std::size_t k = 0; k < 3; ++k) unit[3 * static_cast<std::size_t>(f) + k] = local[k];
    factor.factor->solve(unit, moved);
    double free = 0, taken = 0;
    for (std::size_t k = 0; k < 3; ++k) free += local[k] * moved[3 * static_cast<std::size_t>(f) + k];
    const std::span<const double> columns = compliance.columns_of(f);
    const std::size_t height = 3 * rows.rows();
    for (std::size_t i = 0; i < height; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += columns[k * height + i] * along[k];
      taken += sum * sum;
    }
    const double expected = held_response(*body, frames, *factor.factor, rows, static_cast<std::size_t>(f), along);
    EXPECT_GT(taken, 1e-4 * free);                     // otherwise nothing is shown
    EXPECT_NEAR(free - taken, expected, 1e-6 * free);  // columns are kept in single precision
  }
}

// Few vertices are found by entries of the compliance, many by solutions for the rows.
INSTANTIATE_TEST_SUITE_P(FewAndMany, HeldComplianceOf, testing::Values(6, 60));

}  // namespace
}  // namespace sinew::test
