// A step of flesh in control lattices: a character with its whole skin, warped, in lattices with the sizes of Capell
// (2004), chapters 4 to 6, with all functions or an adaptive selection.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/measures.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/clip.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/display/display_limit.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/lattice/lattice_environment.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/lattice/lattice_surface.h"
#include "sinew/jobs/open_character.h"

namespace {

using namespace sinew;

struct Case {
  const char* name;
  const char* file;  // of samples/, or of the folder of characters
  const char* clip;
  int cells, levels;
  int most_functions;  // 0: all
};

enum class Touching { no_collider, nothing, a_ball };
const char* name_of(Touching touching) {
  return touching == Touching::no_collider ? ""
         : touching == Touching::nothing   ? "/ball_out_of_reach"
                                           : "/ball_pressed_in";
}

std::filesystem::path find(const std::string& file) {
  const std::filesystem::path root = SINEW_SOURCE_DIR, sample = root / "samples" / file;
  if (std::filesystem::exists(sample)) return sample;
  const char* folder = std::getenv("SINEW_CHARACTERS");
  return (folder != nullptr ? std::filesystem::path(folder) : root / ".." / "shared" / "characters") / file;
}

struct Model {
  std::string name;
  std::shared_ptr<const LatticeBody> body;
  std::vector<std::vector<Affine>> poses;
  std::size_t cells = 0, vertices = 0;
};

// Only one is kept at a time.
const Model& model_of(const Case& c, Reference reference) {
  static Model kept;
  const std::string name = std::string(c.name) + (reference == Reference::rig ? "/rig" : "/elastic");
  if (kept.name == name) return kept;
  kept = {};
  const Character character = open_character(find(c.file)).character;
  FleshSettings settings;
  settings.reference = reference;
  settings.lattice.file = auto_lattice;
  settings.lattice.levels = c.levels;
  settings.lattice.most_functions = c.most_functions;
  if (c.most_functions > 0) settings.lattice.adapt = 0.002;
  const CookedFlesh scene = prepare_flesh(character, settings);
  const ControlLattice lattice = build_lattice(character, scene.surface, {c.cells}).lattice;
  kept.body = prepare_lattice(scene, lattice, settings);
  kept.cells = lattice.cells();
  kept.vertices = lattice.positions.size();
  const Clip* clip = &character.clips.front();
  for (const Clip& known : character.clips)
    if (known.name == c.clip) clip = &known;
  for (int step = 0; step < 240; ++step)
    kept.poses.push_back(bone_transforms(character, scene.surface,
                                         sample(character.skeleton, clip, step * settings.step.value_or(usual_step))));
  kept.name = name;
  return kept;
}

// A ball at the foremost point of the body, half of its radius deep, or far away.
Environment ball(const Model& model, Touching touching) {
  const LatticeDescription& d = model.body->description;
  VertexFrames frames;
  predict_frames(d.surface_rest, d.surface_influences, model.poses.front(), frames);
  Vec3 front = frames.goal.front(), low = front, high = front;
  for (const Vec3& p : frames.goal) {
    if (p.z > front.z) front = p;
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  Environment environment;
  const double radius = 0.1 * (high.y - low.y), away = touching == Touching::nothing ? 100 : 0.5;
  environment.colliders.capsules.push_back(sphere_collider(front + Vec3{0, 0, away * radius}, radius));
  return environment;
}

// A step, and the surface after it.
void step(benchmark::State& state, const Case& c, Reference reference, Touching touching) {
  if (!std::filesystem::exists(find(c.file))) {
    state.SkipWithError("the character is not here; set SINEW_CHARACTERS");
    return;
  }
  const Model& model = model_of(c, reference);
  const auto flesh = lattice_flesh(model.body);
  const auto carrier = surface_carrier(model.body);
  std::vector<Vec3> surface(carrier->surface_vertices());
  double iterations = 0, time = 0;
  std::size_t k = 0;
  // Back and forth, so that the motion has no jump.
  const auto pose = [&](std::size_t at) -> const std::vector<Affine>& {
    const std::size_t n = model.poses.size(), turn = at % (2 * n - 2);
    return model.poses[turn < n ? turn : 2 * n - 2 - turn];
  };
  flesh->reset({0, pose(0)}, {flesh->step(), pose(1)});
  double contacts = 0;
  if (touching != Touching::no_collider) flesh->set_environment(ball(model, touching));
  for (auto _ : state) {
    time += flesh->step();
    const std::vector<Affine>& bones = pose(++k);
    flesh->advance({time, bones});
    carrier->displace(bones, flesh->local_displacements(), surface);
    limit_displacements(model.body->description.surface_limit, 0, surface);
    iterations += flesh->statistics().iterations;
    contacts += flesh->statistics().contacts;
  }
  benchmark::DoNotOptimize(surface.data());
  state.counters["iterations"] = iterations / static_cast<double>(state.iterations());
  if (touching != Touching::no_collider)
    state.counters["contacts"] = contacts / static_cast<double>(state.iterations());
  state.counters["cells"] = static_cast<double>(model.cells);
  state.counters["lattice_vertices"] = static_cast<double>(model.vertices);
  state.counters["unknowns"] = 3.0 * static_cast<double>(model.body->free_functions());
  state.counters["most_unknowns"] = 3.0 * c.most_functions;
}

bool register_all() {
  const char* cow = "gltf/quat_cow/Cow.glb";
  const Case cases[] = {{"cow", cow, "AnimalArmature|Gallop", 400, 1, 0},
                        {"88_coarse", "sumo.glb", "stomp", 330, 1, 0},
                        {"88_adapted", "sumo.glb", "stomp", 330, 3, 300},
                        {"2637_active", "sumo.glb", "stomp", 640, 2, 879},
                        {"9957_uniform", "sumo.glb", "stomp", 640, 2, 0}};
  for (const Case& c : cases)
    for (const Reference reference : {Reference::rig, Reference::elastic}) {
      const std::string name =
          std::string("lattice_step/") + c.name + (reference == Reference::rig ? "/rig" : "/elastic");
      for (const Touching touching : {Touching::no_collider, Touching::nothing, Touching::a_ball})
        benchmark::RegisterBenchmark(
            (name + name_of(touching)).c_str(),
            [c, reference, touching](benchmark::State& state) { step(state, c, reference, touching); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    }
  return true;
}

[[maybe_unused]] const bool registered = register_all();

}  // namespace
