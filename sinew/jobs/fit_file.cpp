#include "sinew/jobs/fit_file.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "sinew/bake/checkpoint.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cook/surface/choose_modes.h"
#include "sinew/cook/surface_paint.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/fit/settling.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/files/png.h"
#include "sinew/jobs/fit/fit_checkpoint.h"
#include "sinew/jobs/fit/fit_examples.h"
#include "sinew/jobs/fit/helpful_clips.h"
#include "sinew/jobs/fit/surface_parameter_attributes.h"
#include "sinew/jobs/open_character.h"

namespace sinew {
namespace {

void check_job(const FitJob& job) {
  if (!is_standard_output(job.output) && job.output.extension() != ".sinew")
    throw usage_error(job.output.string() + ": the model's name must end in .sinew.");
  if (!job.show.empty() && !is_standard_output(job.show) && job.show.extension() != ".png")
    throw usage_error(job.show.string() + ": the picture's name must end in .png.");
  if (!job.paint.empty() && !is_standard_output(job.paint) && job.paint.extension() != ".glb" &&
      job.paint.extension() != ".gltf" && job.paint.extension() != ".vrm")
    throw usage_error(job.paint.string() + ": the painted character's name must end in .glb, .gltf or .vrm.");
  if (!(job.steps_per_second >= 10 && job.steps_per_second <= 1000))
    throw usage_error("--steps: must lie between 10 and 1000 steps per second.");
  if (!(job.frames_per_second > 0 && job.frames_per_second <= 10'000))
    throw usage_error("--fps: must lie between 0 and 10000 frames per second.");
  const SurfaceFitOptions& fit = job.fit;
  if (fit.iterations < 0) throw usage_error("--iterations: must not be negative.");
  if (!(fit.tolerance >= 0 && fit.tolerance < 1)) throw usage_error("--fit-tolerance: must lie between 0 and 1.");
  if (!(fit.step_ratio >= 0 && fit.step_ratio <= 1)) throw usage_error("--step-ratio: must lie between 0 and 1.");
  if (!(fit.range_margin == 0 || (fit.range_margin >= 1 && fit.range_margin <= 1000)))
    throw usage_error("--bound: must be 0 or lie between 1 and 1000.");
  if (!(fit.smoothness >= 0 && std::isfinite(fit.smoothness))) throw usage_error("--smoothness: must not be negative.");
  if (job.cross_validate && fit.scheme != FitScheme::gradient)
    throw usage_error("--cross-validate: works with the gradient scheme only; leave out either it or --scheme.");
  if (job.cross_validate && !job.checkpoint.empty())
    throw usage_error("--cross-validate: cannot be resumed; leave out either it or --checkpoint.");
  if (!(fit.velocity_weight >= 0 && fit.velocity_weight <= 10))
    throw usage_error("--velocity: must lie between 0 and 10 seconds.");
  if (job.modes < 0 || job.modes > static_cast<int>(max_surface_modes))
    throw usage_error("--modes: must lie between 0 and " + std::to_string(max_surface_modes) + ".");
  if (!(job.mode_coupling >= 0 && job.mode_coupling <= 1000))
    throw usage_error("--mode-coupling: must lie between 0 and 1000.");
  if (job.mode_coupling > 0 && job.modes == 0)
    throw usage_error("--mode-coupling: has no effect without modes; add --modes.");
  if (!job.checkpoint.empty()) check_checkpoint_name(job.checkpoint);
  const std::array outputs{job.output, job.report, job.show, job.paint, job.checkpoint};
  check_outputs_apart(outputs, std::array{job.input});
  for (const std::filesystem::path& path : outputs) {
    if (path.empty()) continue;
    check_can_write(path, path == job.report ? Content::text : Content::binary);
  }
}

double root_mean(double sum, double weights) { return weights > 0 ? std::sqrt(sum / weights) : 0; }

// Painted parameters replace learned ones.
SurfacePaintReport use_painted(const FitJob& job, const Character& character, const SimulationSurface& surface,
                               SurfaceModel& model) {
  const SurfacePaintReport painted = apply_surface_paint(character, surface, model);
  if (job.examples.empty() && painted.vertices == 0)
    throw usage_error(
        "there is nothing to learn from: name examples with --example, let them be made with --simulate, or "
        "paint _SINEW_ALPHA and its like on " +
        character.file + ".");
  return painted;
}

void note_paint(const SurfacePaintReport& painted, FitReport& told) {
  if (painted.vertices > 0)
    told.notes.push_back("The painted parameters replace the learned ones on " + std::to_string(painted.vertices) +
                         " vertices.");
}

double validated_smoothness(const FitJob& job, const SurfaceModel& model, std::span<const SurfaceExample> examples,
                            const Progress& progress, FitReport& told) {
  const CrossValidation validation = choose_smoothness(model, examples, job.fit, {}, progress);
  if (!validation.complete) throw Stopped();
  told.trials = validation.trials;
  return validation.smoothness;
}

// Errors of the model as written, per example and in total.
void report_errors(const SurfaceModel& model, std::span<const SurfaceExample> examples, FitReport& told) {
  SurfaceError total;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const SurfaceError error = surface_error(model, examples.subspan(k, 1), {});
    told.examples[k].goal_rms = root_mean(error.goal_sum, error.weights);
    told.examples[k].rms = root_mean(error.sum, error.weights);
    total.sum += error.sum;
    total.goal_sum += error.goal_sum;
    total.weights += error.weights;
  }
  told.goal_rms = root_mean(total.goal_sum, total.weights);
  told.rms = root_mean(total.sum, total.weights);
}

void report_held_out(const HeldOut& held_out, std::span<const SurfaceExample> examples, double step, FitReport& told) {
  if (!held_out.any) return;
  const SurfaceMotion& motion = examples[held_out.example].motion;
  char length[64];
  std::snprintf(length, sizeof length, "the last %.2g s of ",
                static_cast<double>(motion.bones.size() - held_out.begin) * step);
  told.held_out = {(held_out.whole ? "" : length) + ("'" + motion.name + "'"),
                   root_mean(held_out.error.goal_sum, held_out.error.weights),
                   root_mean(held_out.error.sum, held_out.error.weights)};
}

// A note whether the model can be trusted with unseen motion, and which clips it should see.
std::string note_on_what_is_missing(const Character& character, const SimulationSurface& surface,
                                    std::span<const SurfaceExample> examples, double step,
                                    const HeldOutReport& held_out) {
  constexpr double much = 0.6;  // share of the rig's error
  if (held_out.what.empty() || !(held_out.rms > much * held_out.goal_rms)) return {};
  std::string note = "The examples are not enough: in " + held_out.what +
                     ", which it had not learned yet, the model left " +
                     std::to_string(std::lround(100 * held_out.rms / held_out.goal_rms)) + " % of the rig's error";
  const std::vector<HelpfulClip> clips = helpful_clips(character, surface, examples, step);
  if (clips.empty())
    return note + "; no other clip would add to them, so use a longer --range or examples of other motions.";
  note += "; more of the character's clips would help:";
  for (std::size_t k = 0; k < clips.size(); ++k)
    note += std::string(k > 0 ? "," : "") + " --clip '" + clips[k].name + "' (" +
            std::to_string(std::lround(100 * clips[k].share)) +
            " % of the skin moves more strongly there than in the examples)";
  return note + ".";
}

FitResult fit(const FitJob& job, const Progress& progress) {
  check_job(job);
  Stopwatch watch;
  FitResult result;
  FitReport& told = result.report;
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(job.input, {job.height, job.unit});
  Character& character = opened.character;
  told.height = opened.size.height();
  if (!opened.size.sentence.empty()) told.notes.push_back(opened.size.sentence);
  const SimulationSurface surface = simulation_surface(character);

  SurfaceModelOptions options;
  options.step = 1 / job.steps_per_second;
  options.reference = job.reference;
  options.height = standing_height(surface);
  SurfaceModel model = build_surface_model(character, surface, options);
  told.vertices = model.rest.size();
  told.stages.push_back({"read", watch.lap()});

  constexpr double examples_share = 0.4;
  std::vector<SurfaceExample> examples =
      read_fit_examples(job, character, surface, model, part_of(progress, 0, examples_share), told);
  told.stages.push_back({"examples", watch.lap()});
  if (job.modes > 0 && !examples.empty()) {
    const Progress of_modes = part_of(progress, examples_share, examples_share + 0.1);
    const CookedFlesh scene = prepare_flesh(character, job.settings, part_of(of_modes, 0, 0.4));
    told.notes.push_back(
        choose_modes(scene, {job.modes, job.mode_coupling, job.fit}, model, examples, part_of(of_modes, 0.4, 1)));
    told.stages.push_back({"modes", watch.lap()});
  }

  if (!examples.empty()) {
    const double fit_begin = job.cross_validate ? 0.9 : examples_share;
    FitJob settled = job;
    if (job.cross_validate) {
      settled.fit.smoothness = validated_smoothness(job, model, std::span(examples).first(performances(job)),
                                                    part_of(progress, examples_share, fit_begin), told);
      told.stages.push_back({"cross-validation", watch.lap()});
    }
    told.smoothness = settled.fit.smoothness;
    HeldOut held_out;
    const SurfaceFitResult learned =
        fit_or_resume(settled, model, examples, held_out, part_of(progress, fit_begin, 0.98));
    told.iterations = learned.iterations;
    told.converged = learned.converged;
    told.notes.insert(told.notes.end(), learned.stages.begin(), learned.stages.end());
    told.rms_before_rounding = root_mean(learned.error.sum, learned.error.weights);
    told.stages.push_back({"fit", watch.lap()});
    if (!learned.complete) {
      result.complete = false;
      return result;
    }
    report_held_out(held_out, examples, model.step, told);
    if (const double ratio = damp_where_examples_are_silent(model, examples); ratio > 0)
      told.notes.push_back("The examples do not show how fast the flesh comes to rest, so it gets at least " +
                           std::to_string(std::lround(100 * ratio)) + " % of critical damping.");
  }
  if (const std::string note = note_on_what_is_missing(character, surface, examples, model.step, told.held_out);
      !note.empty())
    told.notes.push_back(note);
  note_paint(use_painted(job, character, surface, model), told);
  if (const double least = make_settle(model); least > 0)
    told.notes.push_back(
        "With the learned damping the flesh would never come to rest, so its damping (delta) is raised to " +
        std::to_string(least) + " where it was less.");

  const std::vector<std::byte> bytes = cook_runtime_file(model);
  result.model = read_runtime_file(bytes, job.output.string());
  for (SurfaceExample& example : examples) example.weight.clear();
  report_errors(result.model, examples, told);
  told.file_bytes = bytes.size();
  if (!job.show.empty()) write_png(job.show, render_surface_parameters(surface, result.model));
  if (!job.paint.empty()) write_surface_parameters(*opened.document, character, surface, result.model, job.paint);
  write_file(job.output, bytes);
  told.stages.push_back({"write", watch.lap()});
  if (!job.report.empty()) write_text_file(job.report, fit_report_json(job, told));
  report(progress, "done", 1);
  return result;
}

}  // namespace

FitResult fit_file(const FitJob& job, const Progress& progress) {
  try {
    const StopInLoops stop(progress);
    return in_context(job.input.string(), "try stiffer flesh (--look subtle), a smaller --step or another --tetrahedra",
                      [&] { return fit(job, stop.progress()); });
  } catch (const Stopped&) {
    return {{}, {}, false};
  }
}

}  // namespace sinew
