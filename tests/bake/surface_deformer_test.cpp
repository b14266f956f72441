// A learned surface in hands: drags (Shi 2008, section 5) and pokes through the face that all methods share.
#include "sinew/deform/surface/surface_deformer.h"

#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

struct Tube {
  Character character = tube_character();
  SimulationSurface surface = simulation_surface(character);
  std::vector<Affine> bones = bone_transforms(character, surface, sample(character.skeleton, nullptr, 0));
  std::unique_ptr<Deformer> deformer;
  double step = 0;

  Tube() {
    SurfaceModel model = build_surface_model(character, surface, {});
    model.reach = 0.1;
    for (VertexParameters& p : model.parameters)
      p = {.alpha = 0.05, .beta = 0.2, .gamma = 0.05, .lambda = 0.1, .delta = 0.1};
    const std::vector<std::byte> file = cook_runtime_file(model);
    deformer = surface_deformer(std::make_shared<const OpenSurfaceModel>(file, "tube"), surface);
    step = deformer->step();
    deformer->reset({0, bones}, {step, bones});
  }
  std::vector<Vec3> shown() {
    std::vector<Vec3> positions(surface.rest.positions.size());
    deformer->surface({0, bones}, 0, positions);
    return positions;
  }
};

TEST(SurfaceDeformer, ADraggedPointIsWhereTheHandIsAndGoesBack) {
  Tube tube;
  const std::vector<Vec3> rest = tube.shown();
  const SurfacePoint spot{{100, 101, 125}, {0.5, 0.25, 0.25}};
  const Vec3 start = place_of(spot, rest);
  for (int k = 1; k <= 40; ++k) {
    Environment environment;
    environment.held.push_back({spot, start + Vec3{0.02, 0, 0.01} * std::min(1.0, k / 20.0), {}, "hand"});
    tube.deformer->advance({k * tube.step, tube.bones}, environment);
    EXPECT_LT(distance(place_of(spot, tube.shown()), environment.held[0].target), 1e-6);
    ASSERT_EQ(tube.deformer->statistics().constraint_errors.size(), 1u);
    EXPECT_LT(tube.deformer->statistics().constraint_errors[0].largest, 1e-6);
  }
  double neighbours = 0;  // what is not held follows
  const std::vector<Vec3> drawn = tube.shown();
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (v != 100 && v != 101 && v != 125) neighbours = std::max(neighbours, distance(drawn[v], rest[v]));
  EXPECT_GT(neighbours, 0.002);
  for (int k = 41; k <= 600; ++k) tube.deformer->advance({k * tube.step, tube.bones}, {});
  const std::vector<Vec3> end = tube.shown();
  for (std::size_t v = 0; v < end.size(); ++v) EXPECT_LT(distance(end[v], rest[v]), 1e-5);
  EXPECT_TRUE(tube.deformer->statistics().constraint_errors.empty());
}

// A patch of more vertices than the run-time holds: what weighs most of it is led.
TEST(SurfaceDeformer, APatchIsLed) {
  Tube tube;
  const std::vector<Vec3> rest = tube.shown();
  const SurfacePoint middle = at_vertex(100);
  const std::vector<PatchVertex> patch = patch_around(tube.surface.rest, middle, 0.35);
  ASSERT_GT(patch.size(), 64u);
  for (int k = 1; k <= 40; ++k) {
    Environment environment;
    const Vec3 way = Vec3{0.02, 0, 0.01} * std::min(1.0, k / 20.0);
    for (const PatchVertex& v : patch)
      environment.held.push_back(
          {at_vertex(v.vertex), rest[static_cast<std::size_t>(v.vertex)] + way, {}, "hand", 0, v.weight, true});
    tube.deformer->advance({k * tube.step, tube.bones}, environment);
    ASSERT_EQ(tube.deformer->statistics().constraint_errors.size(), 1u);
    EXPECT_LT(distance(tube.shown()[100], rest[100] + way), 1e-6);
    EXPECT_LT(tube.deformer->statistics().constraint_errors[0].largest, 0.5 * norm(way));
  }
}

TEST(SurfaceDeformer, AHandTooFarAwaySaysHowFar) {
  Tube tube;
  const Vec3 start = tube.shown()[100];
  Environment environment;
  environment.held.push_back({at_vertex(100), start + Vec3{0.25, 0, 0}, {}, "hand"});
  tube.deformer->advance({tube.step, tube.bones}, environment);
  EXPECT_NEAR(tube.deformer->statistics().constraint_errors[0].largest, 0.15, 1e-5);  // its reach is 0.1
}

// The whole tube within the radius, the force gives it the velocity of its mass: that of water in the tube.
TEST(SurfaceDeformer, APokeMovesTheMassThatIsThere) {
  Tube tube;
  const std::vector<Vec3> before = tube.shown();
  Environment environment;
  environment.loads.push_back({{0, 0.5, 0.12}, {0, 0, 100}, 50});
  tube.deformer->advance({tube.step, tube.bones}, environment);
  const std::vector<Vec3> after = tube.shown();
  Vec3 mean;
  for (std::size_t v = 0; v < after.size(); ++v) mean += (after[v] - before[v]) / static_cast<double>(after.size());
  // F h / m over a step h; m from the enclosed volume, pi r^2 times a metre, some of the way undone by alpha and gamma.
  const double free = 100 * tube.step / (1000 * pi * 0.12 * 0.12) * tube.step;
  EXPECT_LT(mean.z, 1.1 * free);
  EXPECT_GT(mean.z, 0.6 * free);
  EXPECT_LT(std::abs(mean.x) + std::abs(mean.y), 0.01 * free);
}

// From a state that was saved while a hand held, and goes on without it, the same.
TEST(SurfaceDeformer, StatesForgetTheHand) {
  Tube tube, other;
  Environment environment;
  environment.held.push_back({at_vertex(100), tube.shown()[100] + Vec3{0.02, 0, 0}, {}, "hand"});
  for (int k = 1; k <= 10; ++k) tube.deformer->advance({k * tube.step, tube.bones}, environment);
  Snapshot snapshot;
  tube.deformer->save(snapshot);
  other.deformer->load(snapshot, {10 * tube.step, other.bones}, 10);
  for (int k = 11; k <= 30; ++k) {
    tube.deformer->advance({k * tube.step, tube.bones}, {});
    other.deformer->advance({k * tube.step, other.bones}, {});
  }
  EXPECT_TRUE(tube.shown() == other.shown());
}

}  // namespace
}  // namespace sinew
