// What the experiments with control lattices say must be so, whatever the machine.
#include <gtest/gtest.h>

#include <cmath>

#include "studies/capell/open_mouth.h"
#include "studies/capell/two_forms.h"

namespace sinew {
namespace {

// One rotation per cell: a force without a net, a definite matrix. One per row (equation 5.10): neither, across a bend.
TEST(CapellStudy, TheSymmetricFormHasNoNetForceAndADefiniteMatrix) {
  const std::vector<TwoFormsRow> rows = two_forms_experiment({0, 135});
  ASSERT_EQ(rows.size(), 4u);
  const TwoFormsRow &cell_rest = rows[0], &cell = rows[1], &row_rest = rows[2], &row = rows[3];
  EXPECT_LT(cell.net_force, 1e-6);
  EXPECT_GE(cell.stiffness, cell_rest.stiffness);
  EXPECT_GT(row.net_force, 0.05);
  EXPECT_LT(row.stiffness, 0);
  // At rest they are the same.
  EXPECT_NEAR(row_rest.stiffness, cell_rest.stiffness, 1e-3 * cell_rest.stiffness);
  EXPECT_NEAR(row_rest.net_torque, cell_rest.net_torque, 1e-5);
}

TEST(CapellStudy, ALatticeThatLeavesTheGapOutOpensTheMouth) {
  const MouthExperiment experiment = mouth_experiment();
  ASSERT_EQ(experiment.rows.size(), experiment.surfaces.size());
  const MouthRow &grid = experiment.rows.front(), &fitted = experiment.rows[3];
  EXPECT_LT(fitted.unknowns, grid.unknowns);
  EXPECT_LT(fitted.rms, 0.25 * grid.rms);
  EXPECT_EQ(experiment.rows.back().rms, 0);
  // The body's surface is closed: it encloses a throat of 12 x 34 x 12 cm and two jaws of 48 x 14 x 12 cm.
  double volume = 0;
  const auto at = [&](int v) -> const Vec3& { return experiment.rest.positions[static_cast<std::size_t>(v)]; };
  for (const Triangle& t : experiment.rest.triangles) volume += dot(at(t[0]), cross(at(t[1]), at(t[2]))) / 6;
  EXPECT_NEAR(volume, 0.12 * 0.34 * 0.12 + 2 * 0.48 * 0.14 * 0.12, 1e-9);
}

}  // namespace
}  // namespace sinew
