#include "studies/rig_space/rig_second_derivatives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sinew/rig/function_rig.h"
#include "sinew/rig/skeleton_rig.h"
#include "tests/rig/rig_character.h"
#include "tests/rig/rig_checks.h"

namespace sinew {
namespace {

using namespace test;

std::vector<RigParameter> five_parameters() {
  std::vector<RigParameter> parameters(5);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].name = parameters[i].control = std::string("p") + std::to_string(i);
    parameters[i].lower = -1;
    parameters[i].upper = 1;
  }
  return parameters;
}

TEST(RigSecondDerivatives, OfAPolynomial) {
  // s_0 = (p0^2 p1, p1 p2, p2^3), s_1 = (p3^2, 0, 0)
  FunctionRig rig("polynomial", five_parameters(), 3, [](std::span<const double> p) {
    std::vector<Vec3> s(3);
    s[0] = {p[0] * p[0] * p[1], p[1] * p[2], p[2] * p[2] * p[2]};
    s[1] = {p[3] * p[3], 0, 0};
    return s;
  });
  const std::vector<double> p{0.3, -0.6, 0.5, 0.2, 0};
  RigDifferences differences(rig, {0, 1, 2, 3, 4}, p);
  const RigSecondDerivatives second = rig_second_derivatives(rig, differences, p);
  // Pairs of 0, 1, 2 with each other, and 3 with itself; parameter 4 does nothing.
  ASSERT_EQ(second.pair.size(), 7u);
  // One, two per column, and two per mixed pair.
  EXPECT_EQ(second.evaluations, 1u + 2 * 5 + 2 * 3);
  const auto at = [&](int i, int j) {
    for (std::size_t k = 0; k < second.pair.size(); ++k)
      if (second.pair[k] == std::array<int, 2>{i, j})
        return second.derivative[static_cast<std::size_t>(second.start[k])];
    ADD_FAILURE() << i << " " << j;
    return Vec3{};
  };
  EXPECT_LE(norm(at(0, 0) - Vec3{2 * p[1], 0, 0}), 1e-6);
  EXPECT_LE(norm(at(0, 1) - Vec3{2 * p[0], 0, 0}), 1e-6);
  EXPECT_LE(norm(at(0, 2) - Vec3{}), 1e-6);
  EXPECT_LE(norm(at(1, 1) - Vec3{}), 1e-6);
  EXPECT_LE(norm(at(1, 2) - Vec3{0, 1, 0}), 1e-6);
  EXPECT_LE(norm(at(2, 2) - Vec3{0, 0, 6 * p[2]}), 1e-6);
  EXPECT_LE(norm(at(3, 3) - Vec3{2, 0, 0}), 1e-6);
}

// A joint that turns, against the differences of exact first derivatives.
TEST(RigSecondDerivatives, OfACharacter) {
  const Character character = rig_character();
  CharacterRig rig(character, simulation_surface(character));
  const std::vector<double> p = random_parameters(rig, 6);
  const int first = rig.first_parameter(belly_joint);
  const std::vector<int> columns{first + 3, first + 4, first + 5, first + 9, rig.first_parameter(spine_joint) + 4};
  RigDifferences differences(rig, columns, p);
  const RigSecondDerivatives second = rig_second_derivatives(rig, differences, p);
  EXPECT_EQ(second.pair.size(), 15u);
  for (std::size_t k = 0; k < second.pair.size(); ++k) {
    const auto a = static_cast<std::size_t>(columns[static_cast<std::size_t>(second.pair[k][0])]);
    const int b[] = {columns[static_cast<std::size_t>(second.pair[k][1])]};
    const auto column_at = [&](double h) {
      std::vector<double> q = p;
      q[a] += h;
      RigJacobian jacobian;
      rig.jacobian(q, b, jacobian);
      return dense_column(jacobian, 0, rig.vertices());
    };
    const double h = 1e-4;
    const std::vector<Vec3> plus = column_at(h), minus = column_at(-h);
    double size = 0;
    for (std::size_t v = 0; v < plus.size(); ++v) size = std::max(size, norm(plus[v] - minus[v]) / (2 * h));
    for (int i = second.start[k]; i < second.start[k + 1]; ++i) {
      const auto v = static_cast<std::size_t>(second.vertex[static_cast<std::size_t>(i)]);
      EXPECT_LE(norm(second.derivative[static_cast<std::size_t>(i)] - (plus[v] - minus[v]) / (2 * h)),
                1e-5 * std::max(size, 0.1));
    }
  }
}

}  // namespace
}  // namespace sinew
