// A step takes no memory where the clip alone acts: the program's allocations are counted while sessions step.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "sinew/cook/build_lattice.h"
#include "sinew/cook/prepare_lattice.h"
#include "sinew/cook/scene_makers.h"
#include "sinew/cook/scenes.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"

namespace {
std::atomic<long> allocations{0};
}

// Not inlined: the compiler would take the pair for a mistake.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace sinew {
namespace {

using namespace test;

Scene flesh(const Character& character, Reference reference, bool lattice) {
  FleshSettings settings = quick_settings(reference);
  FleshScene cooked = prepare_flesh(character, settings);
  if (lattice) {
    settings.lattice.file = auto_lattice;
    settings.lattice.cells = 60;
    cooked = prepare_flesh(character, settings);
    cooked.lattice =
        prepare_lattice(cooked, build_lattice(character, cooked.surface, {settings.lattice.cells}).lattice, settings);
  }
  return flesh_scene(std::make_shared<const FleshScene>(std::move(cooked)), settings);
}

long allocations_of(Session& session, int steps) {
  for (int k = 0; k < 300; ++k) session.step();  // all of the clip once
  const long before = allocations;
  for (int k = 0; k < steps; ++k) session.step();
  return allocations - before;
}

TEST(SessionAllocations, AStepTakesNone) {
  const Character character = tube_character();
  const auto expect_none = [&](const std::string& name, const Scene& scene) {
    Session session(character, scene, whole(character.clips[0], true));
    EXPECT_EQ(allocations_of(session, 100), 0) << name;
  };
  expect_none("tetrahedra, rig", flesh(character, Reference::rig, false));
  expect_none("tetrahedra, elastic", flesh(character, Reference::elastic, false));
  expect_none("lattice, rig", flesh(character, Reference::rig, true));
  expect_none("lattice, elastic", flesh(character, Reference::elastic, true));
  for (const std::shared_ptr<SceneMaker>& maker : scene_makers()) {
    for (const Setting& setting : maker->settings())
      if (setting.key == std::string("swing")) set_from_text(setting, "upper");
    std::vector<std::string> notes;
    const Scene scene = maker->make(character, notes);
    Session session(character, scene, whole(character.clips[0], true));
    if (session.traits().step == 0) continue;
    EXPECT_EQ(allocations_of(session, 100), 0) << maker->name();
  }
}

}  // namespace
}  // namespace sinew
