#include "studies/surface/schemes.h"

#include <algorithm>
#include <cmath>

#include "sinew/bake/bake.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/fit/fit_alternating.h"
#include "sinew/deform/surface/fit/fit_surface.h"
#include "sinew/deform/surface/fit/fit_together.h"
#include "sinew/jobs/fit/surface_examples.h"
#include "studies/surface/named_clip.h"

namespace sinew {
namespace {

double share_left(const SurfaceError& error) { return error.goal_sum > 0 ? std::sqrt(error.sum / error.goal_sum) : 0; }

struct Lesson {
  SurfaceModel model;
  std::vector<SurfaceExample> examples;
};

SchemeRun alternating(const Lesson& lesson, const std::string& name, double mu, int iterations,
                      const Progress& progress) {
  SchemeRun run{name, {}, 0, 0};
  SurfaceModel model = lesson.model;
  std::fill(model.parameters.begin(), model.parameters.end(), VertexParameters{.alpha = 1});
  FitAlternatingOptions options;
  options.iterations = iterations;
  options.step_ratio = mu;
  options.tolerance = 0;
  Stopwatch watch;
  const FitAlternatingResult fit = fit_alternating(model, lesson.examples, options, [&](int k, double) {
    report_or_stop(progress, "fitting, " + name, static_cast<double>(k) / iterations);
    return true;
  });
  run.seconds = watch.lap();
  for (const double e : fit.error) run.error.push_back(std::sqrt(e / std::max(fit.after.goal_sum, 1e-300)));
  run.best = share_left(fit.after);
  return run;
}

// Fits by the gradient alone, from the paper's start.
SchemeRun gradient(const Lesson& lesson, const std::string& name, int iterations, const Progress& progress) {
  SchemeRun run{name, {}, 0, 0};
  SurfaceModel model = lesson.model;
  std::fill(model.parameters.begin(), model.parameters.end(), VertexParameters{.alpha = 1});
  run.error.push_back(share_left(surface_error(model, lesson.examples, {})));
  FitTogetherOptions options;
  options.iterations = iterations;
  options.tolerance = 0;
  Stopwatch watch;
  const FitTogetherResult fit = fit_together(model, lesson.examples, options, [&](int k, double error) {
    run.error.push_back(std::sqrt(error));
    report_or_stop(progress, "fitting, " + name, static_cast<double>(k) / iterations);
    return true;
  });
  run.seconds = watch.lap();
  run.best = share_left(fit.after);
  return run;
}

// Fits as `sinew fit` does.
SchemeRun staged(const Lesson& lesson, const std::string& name, bool directions, int iterations,
                 const Progress& progress) {
  SchemeRun run{name, {}, 0, 0};
  SurfaceModel model = lesson.model;
  SurfaceFitOptions options;
  options.anisotropic = directions;
  options.iterations = iterations;
  options.smoothness = 0;
  Stopwatch watch;
  const SurfaceFitResult fit = fit_surface(model, lesson.examples, options, progress);
  run.seconds = watch.lap();
  run.best = share_left(fit.error);
  return run;
}

}  // namespace

SchemesExperiment schemes_experiment(const Character& character, const std::string& name, const SchemesOptions& options,
                                     const Progress& progress) {
  BakeOptions bake;
  bake.clip = named_clip(character, name, options.clip);
  const Clip& clip = character.clips[static_cast<std::size_t>(bake.clip)];
  bake.begin = clip.start;
  bake.end = std::min(clip.end, clip.start + options.seconds);
  bake.frames_per_second = 60;
  FleshSettings settings;
  settings.tetrahedra = options.tetrahedra;
  const CookedFlesh scene = prepare_flesh(character, settings, part_of(progress, 0, 0.1));
  const BakeResult flesh = sinew::bake(character, flesh_scene({std::shared_ptr<const CookedFlesh>(), &scene}, settings),
                                       nullptr, bake, part_of(progress, 0.1, 0.3));
  if (!flesh.complete) throw Stopped();

  Lesson lesson;
  lesson.model = build_surface_model(character, scene.surface, {.height = scene.height});
  SurfaceExample example = example_of_recording(character, scene.surface, bake, flesh.recording, lesson.model.step);
  const std::size_t frames = example.motion.bones.size();
  lesson.examples.push_back(std::move(example));

  SchemesExperiment experiment;
  experiment.character = name;
  experiment.clip = clip.name;
  experiment.vertices = lesson.model.rest.size();
  experiment.frames = frames;
  const SurfaceError error = surface_error(lesson.model, lesson.examples, {});
  experiment.goal_rms = error.weights > 0 ? std::sqrt(error.goal_sum / error.weights) : 0;
  const int iterations = options.alternating_iterations;
  const double smallest = 1 / static_cast<double>(std::max<std::size_t>(frames, 1));
  experiment.runs.push_back(
      alternating(lesson, "alternating, mu = 1/T", smallest, iterations, part_of(progress, 0.3, 0.45)));
  experiment.runs.push_back(
      alternating(lesson, "alternating, mu = 0.03", 0.03, iterations, part_of(progress, 0.45, 0.6)));
  experiment.runs.push_back(alternating(lesson, "alternating, mu = 0.1", 0.1, iterations, part_of(progress, 0.6, 0.7)));
  experiment.runs.push_back(
      gradient(lesson, "gradient, same start", options.gradient_iterations, part_of(progress, 0.7, 0.8)));
  experiment.runs.push_back(
      staged(lesson, "gradient in stages", false, options.gradient_iterations, part_of(progress, 0.8, 0.9)));
  experiment.runs.push_back(
      staged(lesson, "gradient in stages, by direction", true, options.gradient_iterations, part_of(progress, 0.9, 1)));
  return experiment;
}

}  // namespace sinew
