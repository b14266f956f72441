#include "studies/capell/bodies.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/clip.h"
#include "sinew/cook/fill_surface.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

constexpr int steps_per_frame = 8;
constexpr int frames_per_equilibrium = 5;

using Poses = std::vector<std::vector<Affine>>;

Poses poses_of(const Character& character, const SimulationSurface& surface, const Clip& clip, double seconds,
               double step) {
  const int steps = static_cast<int>(std::floor(std::min(seconds, clip.end - clip.start) / step));
  Poses poses;
  for (int k = 0; k <= std::max(steps, 2); ++k)
    poses.push_back(bone_transforms(character, surface, sample(character.skeleton, &clip, clip.start + k * step)));
  return poses;
}

// Root mean square acceleration of the bones' heads, m/s^2.
double liveliness(const Poses& poses, const SimulationSurface& surface, double step) {
  double sum = 0;
  for (std::size_t k = 2; k < poses.size(); ++k)
    for (std::size_t b = 0; b < surface.bones.size(); ++b) {
      const Vec3& head = surface.bones[b].segments.front().head;
      const Vec3 a = poses[k][b] * head - 2.0 * (poses[k - 1][b] * head) + poses[k - 2][b] * head;
      sum += dot(a, a);
    }
  return std::sqrt(sum / static_cast<double>((poses.size() - 2) * surface.bones.size())) / (step * step);
}

const Clip& clip_of(const Character& character, const std::string& name, const SimulationSurface& surface,
                    const BodiesOptions& options, double step) {
  // The liveliest clip whose motion is not mostly clipped by the display limit.
  constexpr double too_lively = 150;
  if (!options.clip.empty()) return character.clips[static_cast<std::size_t>(choose_clip(character, options.clip))];
  const Clip* chosen = nullptr;
  double best = -HUGE_VAL;
  for (const Clip& clip : character.clips) {
    const double lively = liveliness(poses_of(character, surface, clip, options.seconds, step), surface, step);
    const double value = lively > too_lively ? -lively : lively;
    if (value > best) best = value, chosen = &clip;
  }
  if (chosen == nullptr) throw input_error(name + ": it has no clip; give a character that moves.");
  return *chosen;
}

struct Run {
  BodiesRow row;
  // Displacements of the surface from the rig's, and their static part, where the pose stands still.
  std::vector<std::vector<Vec3>> frames, standing;
};

std::vector<Vec3> displayed(const DisplayLimit& limit, BodyMotion& flesh, SurfaceCarrier& carrier,
                            const std::vector<Affine>& bones) {
  std::vector<Vec3> local(flesh.local_displacements().begin(), flesh.local_displacements().end());
  std::vector<Vec3> surface(carrier.surface_vertices());
  limit_displacements(limit.of_points, 0, local);
  carrier.displace(bones, local, surface);
  limit_displacements(limit.of_vertices, 0, surface);
  return surface;
}

// With the rig as reference the static part is zero.
void stand(const CookedFlesh& scene, const FleshSettings& settings, const Poses& poses, Run& run) {
  const std::unique_ptr<BodyMotion> flesh = make_flesh(scene, settings);
  const std::unique_ptr<SurfaceCarrier> carrier = surface_carrier(scene);
  const DisplayLimit limit = *display_clamps(scene, settings).limit;
  std::vector<std::vector<Vec3>> moving;
  for (std::size_t f = frames_per_equilibrium - 1; f < run.frames.size(); f += frames_per_equilibrium) {
    const std::vector<Affine>& pose = poses[(f + 1) * steps_per_frame];
    flesh->reset({0, pose}, {flesh->step(), pose});
    run.standing.push_back(displayed(limit, *flesh, *carrier, pose));
    moving.push_back(run.frames[f]);
    for (std::size_t v = 0; v < moving.back().size(); ++v) moving.back()[v] -= run.standing.back()[v];
  }
  run.frames = std::move(moving);
}

void play(const CookedFlesh& scene, const FleshSettings& settings, const Poses& poses, Run& run) {
  const std::unique_ptr<BodyMotion> flesh = make_flesh(scene, settings);
  const std::unique_ptr<SurfaceCarrier> carrier = surface_carrier(scene);
  const DisplayLimit limit = *display_clamps(scene, settings).limit;
  const double h = flesh->step();
  std::vector<double> milliseconds;
  std::vector<Vec3> surface;
  flesh->reset({0, poses[0]}, {h, poses[1]});
  for (std::size_t step = 1; step < poses.size(); ++step) {
    const RigState rig{static_cast<double>(step) * h, poses[step]};
    Stopwatch watch;
    flesh->advance(rig);
    surface = displayed(limit, *flesh, *carrier, poses[step]);
    milliseconds.push_back(1e3 * watch.seconds());
    run.row.iterations += flesh->statistics().iterations / static_cast<double>(poses.size() - 1);
    if (step % steps_per_frame != 0) continue;
    run.frames.push_back(surface);
    const BodyMeasures measures = flesh->measure(rig);
    run.row.volume_low = std::min(run.row.volume_low, measures.volume_ratio);
    run.row.volume_high = std::max(run.row.volume_high, measures.volume_ratio);
    run.row.least_det = std::min(run.row.least_det, measures.min_det);
  }
  run.row.milliseconds = median(milliseconds);
  if (settings.reference == Reference::elastic) stand(scene, settings, poses, run);
}

Run run_tetrahedra(const Character& character, FleshSettings settings, int tetrahedra, const Poses& poses) {
  Run run;
  settings.tetrahedra = tetrahedra;
  Stopwatch watch;
  const CookedFlesh scene = prepare_flesh(character, settings);
  run.row.cook_seconds = watch.seconds();
  run.row.body = "tetrahedra";
  run.row.elements = static_cast<int>(scene.body->description.mesh.tetrahedra.size());
  run.row.unknowns = static_cast<int>(3 * scene.body->free_vertex.size());
  run.row.young = scene.material.young;
  play(scene, settings, poses, run);
  return run;
}

struct TimedLattice {
  ControlLattice lattice;
  double seconds = 0;  // time for building it
};

Run run_lattice(const Character& character, FleshSettings settings, const TimedLattice& built, const std::string& name,
                const Poses& poses) {
  Run run;
  settings.lattice.file = auto_lattice;
  Stopwatch watch;
  CookedFlesh scene = prepare_flesh(character, settings);
  scene.lattice = prepare_lattice(scene, built.lattice, settings);
  run.row.cook_seconds = built.seconds + watch.seconds();
  run.row.body = name;
  run.row.elements = static_cast<int>(built.lattice.cells());
  run.row.unknowns = static_cast<int>(3 * scene.lattice->free_functions());
  run.row.young = scene.material.young;
  play(scene, settings, poses, run);
  return run;
}

double mean_square(const std::vector<std::vector<Vec3>>& frames) {
  double sum = 0, count = 0;
  for (const std::vector<Vec3>& frame : frames)
    for (const Vec3& d : frame) sum += dot(d, d), count += 1;
  return count > 0 ? sum / count : 0;
}

double largest(const std::vector<std::vector<Vec3>>& frames) {
  double result = 0;
  for (const std::vector<Vec3>& frame : frames)
    for (const Vec3& d : frame) result = std::max(result, norm(d));
  return result;
}

void compare_with(const Run& fine, double height, Run& run) {
  std::vector<std::vector<Vec3>> difference = run.frames;
  for (std::size_t f = 0; f < difference.size(); ++f)
    for (std::size_t v = 0; v < difference[f].size(); ++v) difference[f][v] -= fine.frames[f][v];
  const double motion = mean_square(fine.frames);
  run.row.error = std::sqrt(mean_square(difference) / motion);
  run.row.amplitude = std::sqrt(mean_square(run.frames) / motion);
  run.row.largest_error = largest(difference) / largest(fine.frames);
  std::vector<std::vector<Vec3>> shape = run.standing;
  for (std::size_t f = 0; f < shape.size(); ++f)
    for (std::size_t v = 0; v < shape[f].size(); ++v) shape[f][v] -= fine.standing[f][v];
  run.row.shape_error = std::sqrt(mean_square(shape)) / height;
}

}  // namespace

BodiesExperiment bodies_experiment(const Character& character, const std::string& name, const BodiesOptions& options,
                                   const Progress& progress) {
  FleshSettings settings;
  settings.elasticity = Elasticity::linear;  // as in the lattices that it is compared with
  settings.reference = options.reference;
  const SimulationSurface surface = simulation_surface(character);
  const Clip& clip = clip_of(character, name, surface, options, settings.step.value_or(usual_step));
  const Poses poses = poses_of(character, surface, clip, options.seconds, settings.step.value_or(usual_step));
  BodiesExperiment result{name, clip.name, options.reference, 0, 0, {}};

  std::vector<Run> runs;
  for (const int tetrahedra : options.tetrahedra) {
    report_or_stop(progress, name + ", " + std::to_string(tetrahedra) + " tetrahedra", 0.1);
    runs.push_back(run_tetrahedra(character, settings, tetrahedra, poses));
  }
  report_or_stop(progress, name + ", lattice", 0.2);
  Stopwatch watch;
  TimedLattice built{build_lattice(character, surface, {settings.lattice.cells}).lattice, 0};
  built.seconds = watch.seconds();
  runs.push_back(run_lattice(character, settings, built, "lattice, one level", poses));
  FleshSettings two = settings;
  two.lattice.levels = 2;
  runs.push_back(run_lattice(character, two, built, "lattice, two levels", poses));
  report_or_stop(progress, name + ", adaptive lattice", 0.4);
  two.lattice.adapt = options.adapt;
  runs.push_back(run_lattice(character, two, built, "lattice, two levels, adaptive", poses));
  if (options.fine > 0) {
    report_or_stop(progress, name + ", " + std::to_string(options.fine) + " tetrahedra", 0.6);
    runs.push_back(run_tetrahedra(character, settings, options.fine, poses));
    const double height = standing_height(surface.rest);
    result.motion = std::sqrt(mean_square(runs.back().frames)) / height;
    result.largest_motion = largest(runs.back().frames) / height;
    const Run fine = runs.back();
    for (Run& run : runs) compare_with(fine, height, run);
  }
  for (Run& run : runs) result.rows.push_back(run.row);
  return result;
}

}  // namespace sinew
