// Checkpoints whose checksum holds and whose numbers no run leaves: every method refuses them with a sentence, and goes
// on from its own.
#include "sinew/bake/check_checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "sinew/base/file.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                       least = std::numeric_limits<std::int64_t>::min();

using Forgery = std::function<void(Checkpoint&)>;
using Run = std::function<BakeResult(const BakeOptions&, const Progress&)>;

struct Named {
  std::string what;
  Forgery forge;
};

Checkpoint any_checkpoint(const std::filesystem::path& path) {
  std::uint64_t fingerprint = 0;
  std::memcpy(&fingerprint, read_file(path).data() + 8, sizeof(fingerprint));
  return read_checkpoint(path, fingerprint);
}

// What every method's checkpoint has.
std::vector<Named> common_forgeries() {
  std::vector<Named> list;
  const auto add = [&](const std::string& what, const Forgery& forge) { list.push_back({what, forge}); };
  for (const std::int64_t count :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{3}, std::int64_t{100'000}, most, least}) {
    const std::string number = std::to_string(count);
    add("steps " + number, [count](Checkpoint& c) { c.steps_done = count == 0 && c.steps_done == 0 ? 1 : count; });
    add("frames " + number, [count](Checkpoint& c) { c.frames_done = count; });
  }
  for (const double number : {nan, infinity, -infinity, 7e31, -7e31}) {
    const auto small = static_cast<float>(number);
    add("first displacement", [small](Checkpoint& c) { c.displacement[0][0] = small; });
    add("last displacement", [small](Checkpoint& c) { c.displacement[0].back() = small; });
    if (std::isfinite(number)) continue;
    add("energy", [number](Checkpoint& c) { c.frames[1].energy = number; });
    add("volume", [number](Checkpoint& c) { c.frames[1].volume_ratio = number; });
    add("determinant", [number](Checkpoint& c) { c.frames[1].min_det = number; });
    add("strain bound", [number](Checkpoint& c) { c.frames[1].strain_limit = number; });
    add("limit", [number](Checkpoint& c) { c.frames[1].display_limit = number; });
    add("milliseconds", [number](Checkpoint& c) { c.frames[1].milliseconds = number; });
    add("time", [number](Checkpoint& c) { c.frames[1].time = number; });
  }
  add("time that goes back", [](Checkpoint& c) { std::swap(c.frames[0].time, c.frames[1].time); });
  add("iterations", [](Checkpoint& c) { c.frames[0].iterations = -1; });
  add("unfinished steps", [](Checkpoint& c) { c.frames[0].unfinished = -1; });
  add("a frame too few", [](Checkpoint& c) { c.frames.pop_back(); });
  add("a displacement too few", [](Checkpoint& c) { c.displacement[0].pop_back(); });
  add("a part too many", [](Checkpoint& c) { c.displacement.emplace_back(); });
  return list;
}

std::vector<double>& state_of(Checkpoint& c) { return c.now.numbers; }

// And those of a method with a state. Which number means what is the method's own: some at the front, the middle, the
// end.
std::vector<Named> state_forgeries() {
  std::vector<Named> list = common_forgeries();
  for (const double number : {nan, infinity, 7e31, -1e300})
    for (const double share : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.9999})
      list.push_back({"number " + std::to_string(number) + " at " + std::to_string(share), [=](Checkpoint& c) {
                        std::vector<double>& all = state_of(c);
                        all[static_cast<std::size_t>(share * static_cast<double>(all.size()))] = number;
                      }});
  // Farther from the rig than the watch over a run lets flesh be seen.
  list.push_back({"fifty metres", [](Checkpoint& c) { c.displacement[0][4] = 50; }});
  list.push_back({"a number too many", [](Checkpoint& c) { state_of(c).push_back(0); }});
  list.push_back({"a number too few", [](Checkpoint& c) { state_of(c).pop_back(); }});
  list.push_back({"no numbers", [](Checkpoint& c) { state_of(c).clear(); }});
  return list;
}

// Stops the run after four frames, and has it go on from its own checkpoint and from each forged one.
void expect_refused(const Run& run, const std::vector<Named>& forgeries) {
  BakeOptions options = options_for(0);
  options.end = 0.3;
  const BakeResult whole = run(options, {});
  options.checkpoint = scratch_path("checkpoint");
  options.resume = true;
  int frames = 0;
  const BakeResult stopped = run(options, [&](const ProgressReport&) { return ++frames < 4; });
  ASSERT_FALSE(stopped.complete);
  EXPECT_TRUE(stopped.resumable);
  const Checkpoint good = any_checkpoint(options.checkpoint);
  for (const Named& forgery : forgeries) {
    Checkpoint forged = good;
    forgery.forge(forged);
    write_checkpoint(options.checkpoint, forged);
    SCOPED_TRACE(forgery.what);
    // A run that goes on all the same is stopped, were it endless.
    int reports = 0;
    const std::string sentence =
        refusal(ErrorKind::input, [&] { run(options, [&](const ProgressReport&) { return ++reports < 3; }); });
    EXPECT_NE(sentence.find(options.checkpoint.string()), std::string::npos) << sentence;
    EXPECT_TRUE(sentence.ends_with("without --resume.")) << sentence;
  }
  write_checkpoint(options.checkpoint, good);
  const BakeResult rest = run(options, {});
  EXPECT_TRUE(rest.complete);
  EXPECT_EQ(values(rest), values(whole));
}

TEST(CheckCheckpoint, FleshInTetrahedra) {
  const Character character = tube_character();
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    const FleshSettings settings = quick_settings(reference);
    const CookedFlesh scene = prepare_flesh(character, settings);
    expect_refused([&](const BakeOptions& options,
                       const Progress& progress) { return bake_flesh(character, scene, settings, options, progress); },
                   state_forgeries());
  }
}

TEST(CheckCheckpoint, FleshInALattice) {
  const Character character = tube_character();
  const ControlLattice lattice = build_lattice(character, simulation_surface(character), {60}).lattice;
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    FleshSettings settings = quick_settings(reference);
    settings.lattice.file = auto_lattice;
    CookedFlesh scene = prepare_flesh(character, settings);
    scene.lattice = prepare_lattice(scene, lattice, settings);
    expect_refused([&](const BakeOptions& options,
                       const Progress& progress) { return bake_flesh(character, scene, settings, options, progress); },
                   state_forgeries());
  }
}

TEST(CheckCheckpoint, MixedElements) {
  const Character character = tube_character();
  MixedSettings settings;
  settings.tetrahedra = 700;
  const CookedMixed scene = prepare_mixed(character, settings);
  expect_refused([&](const BakeOptions& options,
                     const Progress& progress) { return bake_mixed(character, scene, settings, options, progress); },
                 common_forgeries());
}

TEST(CheckCheckpoint, RigSpace) {
  const Character character = tube_character();
  RigSpaceSettings settings;
  settings.free = {"upper.translation.*"};
  settings.tetrahedra = 600;
  settings.poses = 8;
  settings.adaptive = true;
  CookedRigSpace scene = prepare_rig_space(character, settings, [&character](std::span<const int> vertices) {
    return make_rig(nullptr, character, simulation_surface(character), vertices);
  });
  learn_skinning(scene, make_examples(scene, {}, settings), settings);
  correct_interior(scene, settings);
  decide_rig_space_material(scene, settings);
  const ClipAnimation animation(dynamic_cast<const CharacterRig&>(*scene.whole_rig), character.clips[0]);
  std::vector<Named> forgeries = state_forgeries();
  // The last numbers of a state: the step of a Hessian, how often steps are halved, and the free values a step before.
  for (const double halvings : {-1.0, 0.5, 6.0, 64.0, 1e9})
    forgeries.push_back({"halvings " + std::to_string(halvings),
                         [halvings](Checkpoint& c) { state_of(c)[state_of(c).size() - 4] = halvings; }});
  expect_refused(
      [&](const BakeOptions& options, const Progress& progress) {
        return bake_rig_space(character, scene, settings, &animation, options, progress);
      },
      forgeries);
}

TEST(CheckCheckpoint, SurfaceDynamics) {
  const Character character = tube_character();
  SurfaceModel model = build_surface_model(character, simulation_surface(character), {});
  for (VertexParameters& parameters : model.parameters) parameters.alpha = 0.1;
  const CookedSurface scene = prepare_surface(character, cook_runtime_file(model), "model");
  expect_refused([&](const BakeOptions& options,
                     const Progress& progress) { return bake_surface(character, scene, options, progress); },
                 state_forgeries());
}

// Flesh that jumps from frame to frame farther than it is long stays within what is refused.
TEST(CheckCheckpoint, ARunOverAJumpGoesOn) {
  Character character = tube_character();
  Channel& shake = character.clips[0].channels[1];
  for (std::size_t k = 0; k < shake.times.size(); ++k) shake.values[3 * k] = k < 2 ? 0 : 3000;
  const FleshSettings settings = quick_settings();
  const CookedFlesh scene = prepare_flesh(character, settings);
  expect_refused([&](const BakeOptions& options,
                     const Progress& progress) { return bake_flesh(character, scene, settings, options, progress); },
                 {});
}

}  // namespace
}  // namespace sinew
