// Sessions on threads that a host lends: two at once, and the bits of one alone.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/base/lent_threads.h"

namespace sinew {
namespace {

using namespace test;

std::vector<Vec3> after_a_poke(const Character& character, const Scene& scene) {
  Session session(character, scene, whole(character.clips[0]));
  session.advance(0.05);
  Action poke;
  poke.point = {0.12, 0.9, 0};
  poke.force = {-15, 0, 5};
  poke.radius = 0.1;
  poke.seconds = 0.1;
  session.act(poke);
  session.advance(0.15);
  std::vector<Vec3> positions(scene.surface->rest.positions.size());
  session.surface(positions);
  return positions;
}

TEST(SessionOnLentThreads, IsTheSameBesideAnother) {
  const Character character = tube_character();
  const FleshSettings settings = quick_settings();
  const Scene scene = flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
  const std::vector<Vec3> expected = after_a_poke(character, scene);
  StartedThreads two(2);
  std::vector<Vec3> lent, alone;
  {
    std::jthread first([&] {
      const ThreadLoan loan(two);
      lent = after_a_poke(character, scene);
    });
    std::jthread second([&] {
      const ThreadLoan loan;
      alone = after_a_poke(character, scene);
    });
  }
  EXPECT_EQ(lent, expected);
  EXPECT_EQ(alone, expected);
  EXPECT_GT(two.runs, 0);
}

// What is cooked does not depend on them either.
TEST(SessionOnLentThreads, CooksTheSameScene) {
  const Character character = tube_character();
  const FleshSettings settings = quick_settings();
  const auto fingerprint = [&] {
    return flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings).fingerprint;
  };
  const std::uint64_t expected = fingerprint();
  StartedThreads three(3, false);
  const ThreadLoan loan(three);
  EXPECT_EQ(fingerprint(), expected);
  EXPECT_GT(three.runs, 0);
}

}  // namespace
}  // namespace sinew
