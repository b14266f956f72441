// A step takes no memory from the system, whatever acts: the program's allocations are counted while sessions step.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/methods.h"
#include "sinew/session/session.h"
#include "tests/bake/surface_models.h"
#include "tests/bake/tube_character.h"
#include "tests/cook/light_methods.h"

namespace {
std::atomic<long> allocations{0};
}

// Not inlined: the compiler would take the pair for a mistake. All of those that are freed alike, or the address
// sanitizer has two owners of one piece of memory.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes > 0 ? bytes : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace sinew {
namespace {

using namespace test;

constexpr double radius = 0.12, high = 0.7;  // metres: of the tube, and where a hand and a sphere are on it

// A sphere that is pressed into the upper half and moves with it, the ground below, and a poke that does not end.
void let_act(ActingSettings& acting, const Capabilities& can) {
  if (can.ground) acting.ground = 0.02;
  if (can.colliders) {
    ColliderSettings sphere;
    sphere.joint = "lower";
    sphere.point = {-radius - 0.05, high, 0};
    sphere.radius = 0.08;
    acting.colliders.push_back(sphere);
  }
  if (can.held)
    acting.belts.push_back({.name = "a belt with a name that is long", .point = {0, 0.3, 0}, .joint = "lower"});
  if (can.loads) acting.loads.push_back({{0, high, radius}, {0, 0, -3}, 0.1, {}, {}});
}

Action hand() {
  Action grab;
  grab.kind = Action::Kind::grab;
  grab.name = "a hand with a name that is long";
  grab.point = {radius, high, 0};
  grab.target = {1.2 * radius, high, 0};
  return grab;
}

struct Flesh {
  const char* name;
  Reference reference;
  bool lattice;
};
Scene flesh(const Character& character, const Flesh& kind) {
  FleshSettings settings = quick_settings(kind.reference);
  CookedFlesh cooked = prepare_flesh(character, settings);
  if (kind.lattice) {
    settings.lattice.file = auto_lattice;
    settings.lattice.cells = 60;
    cooked = prepare_flesh(character, settings);
    cooked.lattice =
        prepare_lattice(cooked, build_lattice(character, cooked.surface, {settings.lattice.cells}).lattice, settings);
  }
  return flesh_scene(std::make_shared<const CookedFlesh>(std::move(cooked)), settings);
}

// In `steps` steps, after all of the clip has been played once.
long allocations_of(Session& session, int steps) {
  for (int k = 0; k < 300; ++k) session.step();
  const long before = allocations;
  for (int k = 0; k < steps; ++k) session.step();
  return allocations - before;
}

// Each scene by itself, and with everything acting on it that its method obeys.
void expect_none(const Character& character, const std::string& name, Scene scene) {
  const Playback playback = whole(character.clips[0], true);
  Session alone(character, scene, playback);
  if (alone.traits().step == 0) return;
  EXPECT_EQ(allocations_of(alone, 50), 0) << name;
  const Capabilities can = alone.traits().can;
  let_act(scene.acting, can);
  Session acted_on(character, scene, playback);
  if (can.held) acted_on.act(hand());
  EXPECT_EQ(allocations_of(acted_on, 50), 0) << name << ", acted on";
  EXPECT_EQ(acted_on.deformer().statistics().constraint_errors.empty(), !can.held) << name;
  EXPECT_EQ(acted_on.deformer().statistics().contacts > 0, can.held && can.colliders) << name;
}

class FleshAllocations : public ::testing::TestWithParam<Flesh> {};

// With a morph target, whose weight the clip moves.
TEST_P(FleshAllocations, AStepTakesNone) {
  Character character = tube_character();
  Part& part = character.parts.front();
  part.targets = {std::vector<Vec3>(part.surface.positions.size(), Vec3{0.01, 0, 0})};
  character.clips[0].channels.push_back({part.joint, ChannelPath::weights, Interpolation::linear, {0, 1}, 1, {0, 1}});
  expect_none(character, GetParam().name, flesh(character, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, FleshAllocations,
                         ::testing::Values(Flesh{"tetrahedra_rig", Reference::rig, false},
                                           Flesh{"tetrahedra_elastic", Reference::elastic, false},
                                           Flesh{"lattice_rig", Reference::rig, true},
                                           Flesh{"lattice_elastic", Reference::elastic, true}),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(SessionAllocations, AStepOfOtherMethodsTakesNone) {
  const Character character = tube_character();
  for (const MethodChoice& method : test::light_methods())
    expect_none(character, method->name(), cook(*method, {character}));
  expect_none(character, "surface", jiggling_surface_model(character));
}

}  // namespace
}  // namespace sinew
