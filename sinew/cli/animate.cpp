#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/character/size.h"
#include "sinew/cli/leading_number.h"
#include "sinew/cli/method_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/animate_file.h"

namespace sinew::cli {
namespace {

struct Options {
  AnimateJob job;
  MethodOptions method;
  std::string unit;
  std::vector<double> range;
  int threads = 0;
  bool quiet = false;
};

void print_real_time(const std::string& clip, const RealTimeReport& run) {
  std::printf("%s: %.2f s of motion in %.2f s on the clock, %.0f steps per second", printable(clip).c_str(),
              run.simulated_seconds, run.seconds, run.steps_per_second);
  for (const RealTimeReport::Steps& steps : run.steps)
    if (steps.count > 0) std::printf(", %d of 1/%.6g s", steps.count, 1 / steps.step);
  if (run.times_behind > 0)
    std::printf("; fell behind %d times, by %.2f s in all\n", run.times_behind, run.seconds_behind);
  else
    std::printf("; never fell behind\n");
}

void print_summary(const RunReport& report) {
  for (const std::string& warning : report.warnings) std::cout << "note: " << printable(warning) << '\n';
  double total = 0;
  for (const StageReport& stage : report.stages) total += stage.seconds;
  std::cout << std::flush;
  if (report.tetrahedra > 0)
    std::printf("%s: %zu tetrahedra", printable(report.output).c_str(), report.tetrahedra);
  else
    std::printf("%s: %zu vertices", printable(report.output).c_str(), report.welded_vertices);
  int targets = 0;
  for (const MorphFitReport& mesh : report.morph_fit) targets = std::max(targets, mesh.targets);
  if (targets > 0)
    std::printf(", %d morph targets, RMS error %.4f %% of height (largest %.3f %%)", targets,
                100 * report.morph_rms_error / report.height, 100 * report.morph_max_error / report.height);
  std::printf(", %.2f s\n", total);
  for (const ClipReport& clip : report.clips)
    if (clip.real_time) print_real_time(clip.name, *clip.real_time);
}

double speed_from(const std::string& text) {
  if (text.empty()) return 1;
  const std::optional<LeadingNumber> number = leading_number(text);
  if (!number || !number->rest.empty())
    throw usage_error("--real-time: '" + text + "' is no speed; write a number, such as 0.5, or nothing.");
  return number->value;
}

void run(const Options& options) {
  AnimateJob job = options.job;
  set_thread_count(options.threads);
  job.method = options.method.method();
  if (job.method == Method::flesh) job.settings = options.method.flesh_settings();
  if (job.method == Method::mixed) job.mixed = options.method.mixed_settings();
  if (job.method == Method::rig_space) job.rig_space = options.method.rig_space_settings();
  if (!options.unit.empty()) job.unit = parse_unit(options.unit);
  if (!options.range.empty()) {
    job.begin = options.range[0];
    job.end = options.range[1];
  }
  if (job.resume && job.checkpoint.empty()) throw usage_error("--resume: name the checkpoint with --checkpoint FILE.");
  catch_interrupts();
  const AnimateResult result = animate_file(job, terminal_progress(options.quiet));
  if (!result.complete) {
    clear_progress();
    const bool can_resume = !job.checkpoint.empty() && !result.report.clips.empty();
    std::cerr << "sinew: stopped on request; no result was written"
              << (can_resume ? ", and the same command with --resume goes on where this one stopped." : ".") << '\n';
    throw interruption();
  }
  if (!options.quiet) print_summary(result.report);
}

}  // namespace

void add_animate(CLI::App& app) {
  CLI::App* command = app.add_subcommand("animate", "Deform a rigged character by physics over a clip");
  const auto options = std::make_shared<Options>();
  AnimateJob& job = options->job;
  command->add_option("FILE", job.input, "Character: .glb, .gltf or .vrm")->required();
  command->add_option("-o,--output", job.output, "Result: .glb or .gltf (plays everywhere), .pc2 or .mdd (point cache)")
      ->required();
  command->add_option("--preview", job.preview, "Filmstrip to write (.png)");
  command->add_option("--report", job.report, "Report of the run to write (.json)");
  command->add_option("--clip", job.clip, "Clip by name (default: the first), or all");
  command->add_option("--range", options->range, "Seconds of the clip's time line to play: BEGIN END")
      ->expected(2)
      ->type_name("BEGIN END");
  command->add_option("--fps", job.frames_per_second, "Frames per second of the result (default 30)");
  command
      ->add_option_function<std::string>(
          "--real-time",
          [options](const std::string& speed) { options->job.real_time = speed_from(speed); },
          "Flesh in a lattice: play the clip at the clock's pace, times SPEED (default 1), with steps as long as the machine needs; records what was seen")
      ->expected(0, 1)
      ->type_name("[SPEED]");
  command->add_flag("--loop", job.loop, "Make the flesh of a cyclic clip cyclic");
  command->add_option("--morphs", job.morphs.targets,
                      "Number of morph targets (default: as many as the error bound needs)");
  command->add_option("--morph-error", job.morphs.rms_error,
                      "RMS error bound as a fraction of the height (default 0.001)");
  command->add_flag("--morph-normals", job.morphs.normals, "Morph normals too, so that viewers shade what has moved");
  command->add_option("--height", job.height, "Height of the character in metres");
  command->add_option("--unit", options->unit, "Length of the file's unit: m, cm, mm, in, ft or metres");
  command->add_option("--checkpoint", job.checkpoint, "File that an interrupted run can go on from");
  command->add_flag("--resume", job.resume, "Go on from the checkpoint, where it exists");
  command->add_option("--threads", options->threads, "Threads to use (default: all)")->check(CLI::Range(0, 1024));
  command->add_flag("--quiet", options->quiet, "Print errors only");
  options->method.add_to(*command);
  command
      ->add_option("--skeleton", job.skeleton,
                   "Topmost joint of the skeleton of a character without skin weights (default: found)")
      ->group(mixed_group);
  command->add_option("--model", job.model, "Model to move by, as `sinew fit` makes it (.sinew)")->group(surface_group);
  command->add_option("--steps", job.steps_per_second, "Steps per second, to which the model is converted (default: its own)")
      ->group(surface_group);
  command->add_option("--curves", job.curves, "Values of the free controls over time to write (.csv)")->group(rig_space_group);
  command->add_option("--skinning", job.skinning, "Inside of the body as `sinew learn` found it (.vskin; default: found anew)")
      ->group(rig_space_group);
  command->callback([options] { run(*options); });
}

}  // namespace sinew::cli
