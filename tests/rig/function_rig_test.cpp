#include "sinew/rig/function_rig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

RigParameter named(const std::string& name) {
  RigParameter p;
  p.name = p.control = name;
  return p;
}

std::string answer_to(const FunctionRig::Function& function) {
  FunctionRig rig("my rig", {named("a"), named("b")}, 2, function);
  const std::vector<double> p{1, 2};
  std::vector<Vec3> s(2);
  return test::refusal(ErrorKind::input, [&] { rig.evaluate(p, s); });
}

TEST(FunctionRig, Evaluates) {
  FunctionRig rig("my rig", {named("a"), named("b")}, 2, [](std::span<const double> p) {
    return std::vector<Vec3>{{p[0], 0, 0}, {0, p[1] * p[1], 0}};
  });
  const std::vector<double> p{1, 2, 3, 4};
  std::vector<Vec3> s(4);
  rig.evaluate_many(p, s);
  EXPECT_EQ(s, (std::vector<Vec3>{{1, 0, 0}, {0, 4, 0}, {3, 0, 0}, {0, 16, 0}}));
  RigJacobian jacobian;
  EXPECT_FALSE(rig.jacobian(p, std::vector<int>{0}, jacobian));
}

TEST(FunctionRig, SaysWhatWentWrong) {
  EXPECT_EQ(answer_to([](std::span<const double>) { return std::vector<Vec3>(3); }),
            "my rig: the rig answered 3 vertices instead of 2.");
  EXPECT_EQ(answer_to([](std::span<const double>) {
              return std::vector<Vec3>{{}, {0, NAN, 0}};
            }),
            "my rig: the rig puts vertex 1 at a position that is not finite.");
  EXPECT_EQ(answer_to([](std::span<const double>) -> std::vector<Vec3> { throw std::runtime_error("no licence"); }),
            "my rig: the rig failed: no licence");
  EXPECT_EQ(answer_to([](std::span<const double>) -> std::vector<Vec3> { throw input_error("sentence"); }), "sentence");
}

TEST(FunctionRig, RefusesParametersThatCannotBe) {
  const auto refused = [](std::vector<RigParameter> parameters) {
    return test::refusal(ErrorKind::usage, [&] {
      FunctionRig("my rig", std::move(parameters), 1, [](std::span<const double>) { return std::vector<Vec3>(1); });
    });
  };
  EXPECT_NE(refused({named("a"), named("a")}).find("two parameters are named 'a'"), std::string::npos);
  RigParameter p = named("c");
  p.lower = p.upper = 0;
  EXPECT_NE(refused({p}).find("range of parameter 'c' is empty"), std::string::npos);
  p.upper = 1;
  p.rest = -1;
  EXPECT_NE(refused({p}).find("outside of its range"), std::string::npos);
  p.rest = NAN;
  EXPECT_NE(refused({p}).find("not a finite number"), std::string::npos);
}

}  // namespace
}  // namespace sinew
