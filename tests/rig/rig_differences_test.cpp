#include "sinew/rig/rig_differences.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/rig/function_rig.h"
#include "sinew/rig/skeleton_rig.h"
#include "tests/base/refusal.h"
#include "tests/rig/rig_character.h"
#include "tests/rig/rig_checks.h"

namespace sinew {
namespace {

using namespace test;

std::vector<RigParameter> some_parameters(std::size_t count, double range = 1) {
  std::vector<RigParameter> parameters(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = std::to_string(i);
    name.insert(name.begin(), 'p');
    parameters[i].name = parameters[i].control = name;
    parameters[i].lower = -range;
    parameters[i].upper = range;
  }
  return parameters;
}

std::vector<int> all_columns(const Rig& rig) {
  std::vector<int> columns(rig.parameters().size());
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

// A chain: parameter i moves the vertices 3 i to 3 i + 5 along axis i mod 3, by `shape` of it times a vertex's own
// factor.
FunctionRig chain(std::size_t count, const std::function<double(double)>& shape) {
  return {"chain", some_parameters(count), 3 * count + 3, [=](std::span<const double> p) {
            std::vector<Vec3> s(3 * count + 3);
            for (std::size_t v = 0; v < s.size(); ++v) s[v] = {0.1 * static_cast<double>(v), 1, 0};
            for (std::size_t i = 0; i < count; ++i)
              for (std::size_t k = 0; k < 6; ++k) s[3 * i + k][i % 3] += 0.2 * static_cast<double>(k + 1) * shape(p[i]);
            return s;
          }};
}

TEST(RigDifferences, OfALinearRigAreExactAndFew) {
  FunctionRig rig = chain(30, [](double x) { return x; });
  const std::vector<double> p = random_parameters(rig, 3);
  RigDifferences differences(rig, all_columns(rig), p);
  EXPECT_EQ(differences.probing_evaluations(), 8u + 3 * 31);  // noise, then three parameter vectors
  EXPECT_EQ(differences.groups(), 2u);                        // every second parameter is independent
  RigJacobian jacobian;
  differences.jacobian(p, jacobian);
  EXPECT_EQ(differences.evaluations() - differences.probing_evaluations(), 2 * 2u + 2);
  ASSERT_EQ(jacobian.columns(), 30u);
  for (std::size_t c = 0; c < 30; ++c) {
    ASSERT_EQ(jacobian.start[c + 1] - jacobian.start[c], 6);
    for (int k = 0; k < 6; ++k) {
      const auto entry = static_cast<std::size_t>(jacobian.start[c] + k);
      EXPECT_EQ(jacobian.vertex[entry], static_cast<int>(3 * c) + k);
      Vec3 expected;
      expected[c % 3] = 0.2 * (k + 1);
      EXPECT_LE(norm(jacobian.derivative[entry] - expected), 1e-10);
    }
  }
  EXPECT_EQ(differences.growths(), 0u);
}

TEST(RigDifferences, CountsWhatIsAskedFor) {
  FunctionRig rig = chain(10, [](double x) { return x + x * x; });
  const std::vector<double> p = random_parameters(rig, 3);
  RigJacobian jacobian;
  const auto cost = [&](RigDifferenceOptions options) {
    RigDifferences differences(rig, all_columns(rig), p, options);
    differences.jacobian(p, jacobian);
    return differences.evaluations() - differences.probing_evaluations();
  };
  RigDifferenceOptions options;
  options.share = false;
  EXPECT_EQ(cost(options), 20u);
  options.central = false;
  EXPECT_EQ(cost(options), 11u);
  options.share = true;
  EXPECT_EQ(cost(options), 3u + 2);
  options.add_up = false;
  EXPECT_EQ(cost(options), 3u);
}

TEST(RigDifferences, CentralOnesOfPolynomials) {
  FunctionRig rig = chain(8, [](double x) { return x + 0.7 * x * x - x * x * x; });
  const std::vector<double> p = random_parameters(rig, 5);
  for (const bool central : {true, false}) {
    RigDifferenceOptions options;
    options.central = central;
    RigDifferences differences(rig, all_columns(rig), p, options);
    RigJacobian jacobian;
    differences.jacobian(p, jacobian);
    for (std::size_t c = 0; c < p.size(); ++c) {
      const double x = p[c], expected = 0.2 * (1 + 1.4 * x - 3 * x * x);
      EXPECT_NEAR(jacobian.derivative[static_cast<std::size_t>(jacobian.start[c])][c % 3], expected,
                  central ? 1e-9 : 1e-6);
    }
  }
}

TEST(RigDifferences, AgreeWithTheDerivativesOfACharacter) {
  const Character character = rig_character();
  CharacterRig rig(character, simulation_surface(character));
  const std::vector<int> columns = all_columns(rig);
  for (const unsigned seed : {1u, 2u}) {
    const std::vector<double> p = random_parameters(rig, seed);
    RigJacobian exact, found;
    rig.jacobian(p, columns, exact);
    RigDifferences differences(rig, columns, rest_parameters(rig));
    differences.jacobian(p, found);
    EXPECT_LT(differences.noise(), 1e-15);
    EXPECT_LT(differences.groups(), columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double size = 1e-4;
      for (int i = exact.start[c]; i < exact.start[c + 1]; ++i)
        size = std::max(size, norm(exact.derivative[static_cast<std::size_t>(i)]));
      EXPECT_LE(largest_distance(dense_column(exact, c, rig.vertices()), dense_column(found, c, rig.vertices())),
                1e-8 * size)
          << rig.parameters()[c].name;
    }
    EXPECT_TRUE(differences.pattern()[static_cast<std::size_t>(rig.first_parameter(tail_joint))].empty());
  }
}

// A rig that computes in floats: steps grow until its rounding does not matter.
TEST(RigDifferences, FindTheirStepsForRigsOfFloats) {
  FunctionRig rig("floats", some_parameters(3), 200, [](std::span<const double> p) {
    std::vector<Vec3> s(200);
    for (std::size_t v = 0; v < 200; ++v) {
      const double a = 0.01 * static_cast<double>(v);
      const auto rounded = [](double x) { return static_cast<double>(static_cast<float>(x)); };
      s[v] = {rounded(1 + 0.3 * std::sin(a + p[0])), rounded(1 + 0.1 * p[1] * a),
              rounded(1 + 0.2 * std::exp(p[2]) * a)};
    }
    return s;
  });
  const std::vector<double> p{0.3, -0.2, 0.4};
  RigDifferences differences(rig, all_columns(rig), p);
  // Numbers from one to two in floats: rounding errors are even over 2^-23, of root mean square 2^-23 / sqrt(12).
  EXPECT_GT(differences.noise(), 0.5 * std::ldexp(1, -23) / std::sqrt(12));
  EXPECT_LT(differences.noise(), 1.5 * std::ldexp(1, -23) / std::sqrt(12));
  RigJacobian jacobian;
  differences.jacobian(p, jacobian);
  double worst = 0;
  for (int i = jacobian.start[0]; i < jacobian.start[1]; ++i) {
    const double a = 0.01 * jacobian.vertex[static_cast<std::size_t>(i)];
    worst = std::max(worst, std::fabs(jacobian.derivative[static_cast<std::size_t>(i)].x - 0.3 * std::cos(a + p[0])));
  }
  // The best that central differences can do: about (e / d)^(2/3) of the effect; a step for doubles gives 0.005 here.
  EXPECT_LT(worst, 3e-5);
  EXPECT_GT(differences.steps()[0], 1e-3);
}

// Vertices that stay until a parameter passes a threshold that probing did not reach.
TEST(RigDifferences, PatternsGrowWhereMoreMovesThanWasSeen) {
  const auto function = [](std::span<const double> p) {
    std::vector<Vec3> s(6);
    s[0].x = p[0];
    s[1].x = p[1];
    s[2].y = p[2];
    if (p[3] > 5) {       // a parameter of another clip's poses
      s[3].x = 2 * p[0];  // where nobody was seen
      s[1].y = 3 * p[0];  // and in the place of another
      s[2].x += 0.5 * p[1];
    }
    return s;
  };
  FunctionRig rig("switch", some_parameters(4), 6, function);
  std::vector<double> p{0.1, 0.2, 0.3, 0};
  RigDifferences differences(rig, {0, 1, 2}, p);
  EXPECT_EQ(differences.groups(), 1u);
  RigJacobian jacobian;
  differences.jacobian(p, jacobian);
  EXPECT_EQ(differences.growths(), 0u);
  p[3] = 6;
  differences.jacobian(p, jacobian);
  EXPECT_GE(differences.growths(), 1u);
  const auto at = [&](std::size_t column, std::size_t vertex) { return dense_column(jacobian, column, 6)[vertex]; };
  EXPECT_NEAR(at(0, 0).x, 1, 1e-9);
  EXPECT_NEAR(at(0, 3).x, 2, 1e-9);
  EXPECT_NEAR(at(0, 1).y, 3, 1e-9);
  EXPECT_NEAR(at(1, 1).x, 1, 1e-9);
  EXPECT_EQ(at(1, 1).y, 0);
  EXPECT_NEAR(at(1, 2).x, 0.5, 1e-9);
  EXPECT_EQ(at(2, 2).x, 0);
  EXPECT_NEAR(at(2, 2).y, 1, 1e-9);
}

// Nothing moves outside of the pattern: only the sum tells.
TEST(RigDifferences, NoticeAMoveInTheNameOfAnother) {
  FunctionRig rig("overlap", some_parameters(3), 2, [](std::span<const double> p) {
    std::vector<Vec3> s(2);
    s[0].x = p[0];
    s[1].x = p[1];
    if (p[2] > 5) s[1].y = 4 * p[0];
    return s;
  });
  std::vector<double> p{0.1, 0.2, 0};
  RigDifferences differences(rig, {0, 1}, p);
  RigJacobian jacobian;
  p[2] = 6;
  differences.jacobian(p, jacobian);
  EXPECT_EQ(differences.growths(), 1u);
  EXPECT_NEAR(dense_column(jacobian, 0, 2)[1].y, 4, 1e-9);
  EXPECT_EQ(dense_column(jacobian, 1, 2)[1].y, 0);
}

TEST(RigDifferences, OfNothing) {
  FunctionRig rig = chain(2, [](double x) { return x; });
  const std::vector<double> p(2, 0.0);
  RigDifferences none(rig, {}, p);
  RigJacobian jacobian;
  none.jacobian(p, jacobian);
  EXPECT_EQ(jacobian.columns(), 0u);
  FunctionRig empty("empty", some_parameters(2), 0, [](std::span<const double>) { return std::vector<Vec3>(); });
  RigDifferences still(empty, {0, 1}, p);
  still.jacobian(p, jacobian);
  EXPECT_EQ(jacobian.start, (std::vector<int>{0, 0, 0}));
}

TEST(RigDifferences, AskForWhatIsThere) {
  FunctionRig rig = chain(2, [](double x) { return x; });
  EXPECT_NE(refusal(ErrorKind::usage, [&] { RigDifferences(rig, {5}, std::vector<double>(2)); }).find("parameter 5"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
