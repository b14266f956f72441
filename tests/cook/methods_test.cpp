// The list of methods knows what each obeys.
#include "sinew/cook/methods.h"

#include <gtest/gtest.h>

#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/mixed/mixed_method.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/cook/light_methods.h"

namespace sinew {
namespace {

TEST(Methods, SayWhatTheirDeformersObey) {
  const Character character = test::tube_character();
  std::vector<MethodChoice> methods = test::light_methods();
  FleshMethod flesh;
  flesh.values.tetrahedra = 300;
  MixedMethod mixed;
  mixed.values.tetrahedra = 300;
  methods.insert(methods.end(), {flesh, mixed});
  for (const MethodChoice& method : methods)
    EXPECT_EQ(cook(*method, {character}).deformer()->traits().can, method->traits().obeys) << method->name();
}

TEST(Methods, ThoseThatObeyAreNamedWhereOneDoesNot) {
  Environment environment;
  check_capabilities("linear", {}, environment);
  const auto refusal = [&] {
    return test::refusal(ErrorKind::usage, [&] { check_capabilities("linear", {}, environment); });
  };
  environment.gravity = Vec3{};
  EXPECT_EQ(refusal(), "the method linear knows no gravity that changes; flesh, mixed and springs do.");
  environment.loads.emplace_back();
  EXPECT_EQ(refusal(), "the method linear knows no pokes; flesh, mixed and surface do.");
  environment.held.emplace_back();
  EXPECT_EQ(refusal(), "the method linear knows no points that are held; flesh and surface do.");
  environment.ground = 0;
  EXPECT_EQ(refusal(), "the method linear knows no ground; flesh, mixed and springs do.");
  check_capabilities("flesh", FleshMethod().traits().obeys, environment);
}

}  // namespace
}  // namespace sinew
