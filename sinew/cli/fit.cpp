// sinew fit FILE -o MODEL.sinew: learns a character's flesh, or its material, from examples of it.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/choose_clip.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/setting_options.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/jobs/fit/fit_material.h"
#include "sinew/jobs/fit_file.h"

namespace sinew::cli {
namespace {

struct FitOptions {
  FitJob job;
  std::vector<std::string> examples, clips;
  std::vector<double> range;
  bool material = false, simulate = false, isotropic = false, no_damping = false, no_exercise = false, quiet = false;
  std::string reference = "rig", scheme = "gradient";
  SizeOptions size;
  int threads = 0;
  SettingOptions settings;
};

// Pairs --example with --clip; with --simulate, clips stand alone.
std::vector<FitExample> examples_from(const FitOptions& options) {
  for (const std::string& clip : options.clips) checked_clip(clip);
  if (options.simulate && !options.examples.empty())
    throw usage_error("--simulate: makes its own examples; leave out either it or --example.");
  const std::size_t count = options.simulate ? std::max<std::size_t>(options.clips.size(), 1) : options.examples.size();
  if (!options.simulate && options.clips.size() > 1 && options.clips.size() != count)
    throw usage_error("--clip: given " + std::to_string(options.clips.size()) + " times for " + std::to_string(count) +
                      " examples; give one --clip for each --example.");
  if (!options.range.empty() && count != 1)
    throw usage_error("--range: applies to a single example; leave it out, or name only one example.");
  std::vector<FitExample> examples(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (!options.simulate) examples[k].file = options.examples[k];
    if (!options.clips.empty()) examples[k].clip = options.clips[options.clips.size() == 1 ? 0 : k];
    if (options.range.empty()) continue;
    examples[k].begin = options.range[0];
    examples[k].end = options.range[1];
  }
  return examples;
}

ShapeReference reference_from(const std::string& word) {
  if (word == "rig") return ShapeReference::rig;
  if (word == "rest") return ShapeReference::rest;
  throw usage_error("--shape: '" + word + "' is neither rig nor rest.");
}

FitScheme scheme_from(const std::string& word) {
  if (word == "gradient") return FitScheme::gradient;
  if (word == "alternating") return FitScheme::alternating;
  throw usage_error("--scheme: '" + word + "' is neither gradient nor alternating.");
}

double percent_of(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void print_summary(const FitJob& job, const FitReport& report) {
  for (const std::string& note : report.notes) std::cout << "note: " << printable(note) << '\n';
  std::cout << std::flush;
  for (const FitExampleReport& e : report.examples)
    std::printf("%s: the rig alone is off by %.4f %% of the height (RMS), the model by %.4f %%: %.1f %% removed\n",
                printable(e.clip).c_str(), percent_of(e.goal_rms, report.height), percent_of(e.rms, report.height),
                100 - percent_of(e.rms, e.goal_rms));
  if (const HeldOutReport& held = report.held_out; !held.what.empty())
    std::printf("held out: the model removed %.1f %% of the rig's error in %s, which it had not learned yet\n",
                100 - percent_of(held.rms, held.goal_rms), printable(held.what).c_str());
  for (const SmoothnessTrial& trial : report.trials)
    std::printf("smoothness %g: %.1f %% of the rig's error remain in learned parts, %.1f %% in held-out parts%s\n",
                trial.smoothness, 100 * trial.learned, 100 * trial.unseen,
                trial.smoothness == report.smoothness ? " (chosen)" : "");
  double total = 0;
  for (const StageReport& stage : report.stages) total += stage.seconds;
  std::printf("%s: %zu vertices, %zu bytes, %d iterations, %.2f s\n", printable(job.output.string()).c_str(),
              report.vertices, report.file_bytes, report.iterations, total);
}

// Options of a model say nothing of a material.
void refuse_model_options(const FitOptions& options, const OptionSet& set) {
  constexpr const char* allowed[] = {"FILE",       "--output",  "--material", "--example", "--clip",
                                     "--range",    "--fps",     "--report",   "--height",  "--unit",
                                     "--settings", "--threads", "--quiet"};
  for (const Option& option : set.all())
    if (option.given && options.settings.methods_with(option).empty() &&
        std::find(std::begin(allowed), std::end(allowed), option.name) == std::end(allowed))
      throw usage_error(option.name + ": has no meaning with --material; leave one of the two out.");
}

void print_material(const FitJob& job, const MaterialFit& fit) {
  for (const std::string& note : fit.notes) std::cout << "note: " << printable(note) << '\n';
  std::cout << std::flush;
  for (const EstimatedValue& value : fit.estimate.values)
    if (value.undetermined.empty())
      std::printf("%s: %.4g, standard error %.2g %%\n", value.key, value.value, 100 * value.error);
  std::printf("%s: the rig alone is off by %.4f %% of the height (RMS), flesh of this material by %.4f %%; %d runs\n",
              printable(job.output.string()).c_str(), percent_of(fit.estimate.observed, fit.height),
              percent_of(fit.estimate.residual, fit.height), fit.estimate.runs);
}

void run_material(const FitOptions& options, FitJob job, const OptionSet& set) {
  refuse_model_options(options, set);
  catch_interrupts();
  const MaterialFit fit = fit_material(job, terminal_progress(options.quiet));
  clear_progress();
  if (!fit.complete) {
    std::cerr << "sinew: stopped on request; no settings were written.\n";
    throw interruption();
  }
  if (!options.quiet) print_material(job, fit);
}

void run_fit(const FitOptions& options, const OptionSet& set) {
  FitJob job = options.job;
  set_thread_count(options.threads);
  job.examples = examples_from(options);
  job.reference = reference_from(options.reference);
  job.fit.scheme = scheme_from(options.scheme);
  job.fit.anisotropic = !options.isotropic;
  job.fit.damping = !options.no_damping;
  job.exercise = !options.no_exercise;
  job.settings = options.settings.settings<FleshSettings>("flesh");
  job.height = options.size.height;
  job.unit = options.size.unit();
  if (options.material) return run_material(options, std::move(job), set);
  if (job.resume && job.checkpoint.empty()) throw usage_error("--resume: name the checkpoint with --checkpoint FILE.");
  catch_interrupts();
  const FitResult result = fit_file(job, terminal_progress(options.quiet));
  if (!result.complete) {
    clear_progress();
    const bool can_resume = !job.checkpoint.empty() && !result.report.stages.empty();
    std::cerr << "sinew: stopped on request; no model was written"
              << (can_resume ? "; the same command with --resume continues from here." : ".") << '\n';
    throw interruption();
  }
  clear_progress();
  if (!options.quiet) print_summary(job, result.report);
}

}  // namespace

void add_fit(CommandLine& line) {
  Verb& verb = line.add_verb("fit", "FILE --simulate -o MODEL.sinew",
                             "Learn a character's flesh from examples, for games and `--method surface`");
  const auto options = std::make_shared<FitOptions>();
  FitJob& job = options->job;
  OptionSet& set = verb.options;
  set.add("FILE", job.input, "Character: .glb, .gltf or .vrm").required();
  set.add("-o, --output FILE", job.output, "Model to write (.sinew), or with --material the settings (.json)")
      .required();
  set.add("--material", options->material,
          "Estimate stiffness, damping and core from the examples, as settings for `sinew animate --settings`");
  set.add("--simulate", options->simulate, "Make the examples here, with the method flesh and its options");
  set.add("--example FILE ...", options->examples,
          "Or the character with its flesh over a clip (.pc2, .mdd, .glb, .gltf or .vrm), with --material also markers "
          "(.csv: name,time,x,y,z); may be repeated");
  set.add("--clip NAME ...", options->clips, "Clip that an example shows (default: the first); repeated, one for each");
  set.add("--range BEGIN END", options->range, "0", "Seconds of the clip's time line that the example shows");
  set.add("--fps N", job.frames_per_second, "30", "Frames per second of PC2 examples (default 30)");
  set.add("--report FILE", job.report, "Report of the fit to write (.json)");
  set.add("--show FILE", job.show, "Picture of the parameters on the character to write (.png)");
  set.add("--paint FILE", job.paint,
          "Character with the parameters as vertex attributes to write (.glb), to be painted");
  set.add("--steps N", job.steps_per_second, "120", "Steps per second of the model (default 120)");
  options->size.add_to(set);
  set.add("--shape NAME", options->reference,
          "Shape that neighbours and spokes keep: rig (default; flesh comes to rest where the rig puts it) or rest "
          "(pushes "
          "collapsed joints out)")
      .advanced();
  set.add("--no-exercise", options->no_exercise,
          "With --simulate: learn from the clips alone, without an added exercise that shakes every bone")
      .advanced();
  set.add("--bound X", job.fit.range_margin, "1.1",
          "Limit displayed flesh to X times the examples' distance from the rig (default 1.1; 0: no limit)")
      .advanced();
  set.add("--scheme NAME", options->scheme, "gradient (default) or alternating (as in the paper)").advanced();
  set.add("--isotropic", options->isotropic, "Pull towards the goal equally in all directions").advanced();
  set.add("--no-damping", options->no_damping, "Without damping against the goal's motion (the paper's model)")
      .advanced();
  set.add("--iterations N", job.fit.iterations, "200", "Most iterations (default 200; alternating 500)").advanced();
  set.add("--fit-tolerance E", job.fit.tolerance, "2e-3",
          "Stop when an iteration gains less than this share of the rig's error (default 2e-3)")
      .advanced();
  set.add("--step-ratio MU", job.fit.step_ratio, "0.01", "Alternating: relative size of a step (default 1 / frames)")
      .advanced();
  set.add("--smoothness W", job.fit.smoothness, "0.5",
          "Gradient: weight of differences between neighbours (default 0.5)")
      .advanced();
  set.add("--cross-validate", job.cross_validate,
          "Choose the smoothness by cross-validation over parts of the examples")
      .advanced();
  set.add("--velocity SECONDS", job.fit.velocity_weight, "0.01",
          "Weight of velocities relative to positions (default 0)")
      .advanced();
  set.add("--modes K", job.modes, "8",
          "Largest number of low-frequency body modes in the goal, by the options of flesh (default 0)")
      .advanced();
  set.add("--mode-coupling X", job.mode_coupling, "0.1",
          "Strength with which the surface's distance from the goal excites the modes (default 0)")
      .advanced();
  set.add("--checkpoint FILE", job.checkpoint, "File from which an interrupted fit can continue").advanced();
  set.add("--resume", job.resume, "Continue from the checkpoint, if it exists").advanced();
  set.add("--threads N", options->threads, "4", "Threads to use (default: all)").between(0, 1024).advanced();
  set.add("--quiet", options->quiet, "Print errors only");
  options->settings.add_to(set, {{"flesh", "Flesh", settings_of(FleshSettings())}});
  verb.action = [options, &verb] { run_fit(*options, verb.options); };
}

}  // namespace sinew::cli
