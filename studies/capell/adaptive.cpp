#include "studies/capell/adaptive.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/clip.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/display/display_limit.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/lattice/lattice_surface.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

constexpr int adaptive_steps_per_frame = 8;

const Clip& clip_of(const Character& character, const std::string& name, const std::string& clip) {
  if (character.clips.empty()) throw input_error(name + ": it has no clip; give a character that moves.");
  return clip.empty() ? character.clips.back()
                      : character.clips[static_cast<std::size_t>(choose_clip(character, clip))];
}

struct AdaptiveRun {
  std::vector<std::vector<Vec3>> frames;    // displacements of the surface from the rig's
  std::vector<std::vector<double>> detail;  // AdaptiveFrame::detail
  double milliseconds = 0, iterations = 0;
};

// Functions that are switched off have no coefficient.
std::vector<double> detail_in_use(const LatticeDescription& description, std::span<const Vec3> local) {
  std::vector<double> used(description.surface.rows(), 0.0);
  for (std::size_t v = 0; v < used.size(); ++v) {
    double all = 0;
    for (auto e = static_cast<std::size_t>(description.surface.start[v]);
         e < static_cast<std::size_t>(description.surface.start[v + 1]); ++e) {
      const auto f = static_cast<std::size_t>(description.surface.column[e]);
      if (description.level[f] == 0 || description.role[f] != FunctionRole::free) continue;
      const double value = std::abs(description.surface.value[e]);
      all += value;
      if (norm(local[f]) > 0) used[v] += value;
    }
    used[v] = all > 0 ? used[v] / all : 0;
  }
  return used;
}

AdaptiveRun run(const std::shared_ptr<const LatticeBody>& body, const std::vector<std::vector<Affine>>& poses) {
  const auto flesh = lattice_flesh(body);
  const auto carrier = surface_carrier(body);
  AdaptiveRun result;
  std::vector<double> milliseconds;
  std::vector<Vec3> surface(carrier->surface_vertices());
  const double h = flesh->step();
  flesh->reset({0, poses[0]}, {h, poses[1]});
  for (std::size_t step = 1; step < poses.size(); ++step) {
    Stopwatch watch;
    flesh->advance({static_cast<double>(step) * h, poses[step]});
    carrier->displace(poses[step], flesh->local_displacements(), surface);
    limit_displacements(body->description.surface_limit, 0, surface);
    milliseconds.push_back(1e3 * watch.seconds());
    result.iterations += static_cast<double>(flesh->statistics().iterations) / static_cast<double>(poses.size() - 1);
    if (step % adaptive_steps_per_frame != 0) continue;
    result.frames.push_back(surface);
    result.detail.push_back(detail_in_use(body->description, flesh->local_displacements()));
  }
  result.milliseconds = median(milliseconds);
  return result;
}

std::vector<AdaptiveFrame> shown_frames(const AdaptiveRun& run, const SimulationSurface& surface,
                                        const std::vector<std::vector<Affine>>& poses, double step) {
  constexpr std::size_t count = 5;
  std::vector<AdaptiveFrame> result;
  VertexFrames frames;
  for (std::size_t k = 1; k <= count; ++k) {
    const std::size_t f = std::min(run.frames.size(), k * run.frames.size() / count) - 1;
    const std::size_t at = (f + 1) * adaptive_steps_per_frame;
    predict_frames(surface.rest.positions, surface.influences, poses[at], frames);
    result.push_back({static_cast<double>(at) * step, frames.goal, run.detail[f]});
    for (std::size_t v = 0; v < frames.goal.size(); ++v) result.back().surface[v] += run.frames[f][v];
  }
  return result;
}

AdaptiveRow compared(const AdaptiveRun& run, const AdaptiveRun& uniform, double height) {
  AdaptiveRow row;
  row.milliseconds = run.milliseconds;
  row.iterations = run.iterations;
  double sum = 0;
  for (std::size_t f = 0; f < run.frames.size(); ++f) {
    const double rms = rms_distance(run.frames[f], uniform.frames[f]) / height;
    sum += rms * rms;
    for (std::size_t v = 0; v < run.frames[f].size(); ++v)
      row.largest = std::max(row.largest, distance(run.frames[f][v], uniform.frames[f][v]) / height);
  }
  row.rms = std::sqrt(sum / static_cast<double>(run.frames.size()));
  return row;
}

}  // namespace

AdaptiveExperiment adaptive_experiment(const Character& character, const std::string& name,
                                       const AdaptiveOptions& options, const Progress& progress) {
  const Clip& clip = clip_of(character, name, options.clip);
  FleshSettings settings;
  settings.lattice.file = auto_lattice;
  settings.lattice.levels = options.levels;
  const CookedFlesh scene = prepare_flesh(character, settings, part_of(progress, 0, 0.2));
  const ControlLattice lattice =
      build_lattice(character, scene.surface, {options.cells}, part_of(progress, 0.2, 0.4)).lattice;
  AdaptiveExperiment result;
  result.character = name;
  result.clip = clip.name;
  result.cells = lattice.cells();
  const int steps = static_cast<int>(std::ceil(options.seconds / settings.step.value_or(usual_step)));
  std::vector<std::vector<Affine>> poses;
  for (int step = 0; step <= steps; ++step)
    poses.push_back(bone_transforms(character, scene.surface,
                                    sample(character.skeleton, &clip, step * settings.step.value_or(usual_step))));

  report_or_stop(progress, "all functions", 0.4);
  auto body = prepare_lattice(scene, lattice, settings);
  const auto unknowns = static_cast<double>(3 * body->free_functions());
  const AdaptiveRun uniform = run(body, poses);
  for (const std::vector<Vec3>& frame : uniform.frames)
    for (const Vec3& d : frame)
      result.largest_displacement = std::max(result.largest_displacement, norm(d) / scene.height);
  result.rest = scene.surface.rest;
  result.shown.push_back(shown_frames(uniform, scene.surface, poses, settings.step.value_or(usual_step)));
  result.rows.push_back(compared(uniform, uniform, scene.height));
  result.rows.back().name = "uniform";
  result.rows.back().most_unknowns = static_cast<int>(unknowns);

  settings.lattice.adapt = options.threshold;
  for (const double share : options.shares) {
    report_or_stop(progress, "functions where the body deforms", 0.7);
    settings.lattice.most_functions = static_cast<int>(share * unknowns / 3);
    const AdaptiveRun adaptive = run(prepare_lattice(scene, lattice, settings), poses);
    if (result.shown.size() == 1)
      result.shown.push_back(shown_frames(adaptive, scene.surface, poses, settings.step.value_or(usual_step)));
    result.rows.push_back(compared(adaptive, uniform, scene.height));
    result.rows.back().name = "adaptive";
    result.rows.back().most_unknowns = 3 * settings.lattice.most_functions;
  }
  report_or_stop(progress, "the coarsest functions", 0.9);
  settings.lattice.adapt.reset();
  settings.lattice.levels = 1;
  body = prepare_lattice(scene, lattice, settings);
  result.rows.push_back(compared(run(body, poses), uniform, scene.height));
  result.rows.back().name = "coarsest level";
  result.rows.back().most_unknowns = static_cast<int>(3 * body->free_functions());
  return result;
}

}  // namespace sinew
