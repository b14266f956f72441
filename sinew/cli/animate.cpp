#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/choose_clip.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/method_options.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/cook/methods.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/motion/add_motions.h"

namespace sinew::cli {
namespace {

struct AnimateOptions {
  AnimateJob job;
  MethodOptions method;
  SizeOptions size;
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

// Names of the methods that answer with curves.
std::string heading_of_curves() {
  for (const auto& method : all_methods())
    if (method->traits().gives_curves) return method->title();
  return "";
}

// Title of the method that is given rotations of elements.
std::string heading_of_rotations() {
  for (const auto& method : all_methods())
    if (method->traits().given_rotations) return method->title();
  return "";
}

// Clips that get the same sentence share one line.
void print_ends(const std::vector<ClipReport>& clips) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const ClipReport& clip : clips) {
    if (!clip.end) continue;
    const std::string ending = clip.end->decided + " (" + clip.end->why + ")";
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == ending; });
    if (same == lines.end())
      lines.push_back({ending, printable(clip.name)});
    else
      same->second += ", " + printable(clip.name);
  }
  for (const auto& [ending, names] : lines) std::printf("%s: %s\n", ending.c_str(), names.c_str());
}

void print_quality(const Quality& quality) {
  std::printf("quality: seen %.2f %% of the size, largest %.2f %%", 100 * quality.seen, 100 * quality.largest);
  if (quality.stretch)
    std::printf(", stretch %.2f, worst %.2f", *quality.stretch, quality.worst.value_or(*quality.stretch));
  std::printf(", flips %d, rigid %.2f %%", quality.flips, 100 * quality.rigid);
  if (quality.sunk) std::printf(", sunk %.2f %%", 100 * *quality.sunk);
  if (quality.pop) std::printf(", pop %.2f", *quality.pop);
  if (quality.loop) std::printf(", loop %.2f %%", 100 * *quality.loop);
  std::printf(", volume %.2f to %.2f\n", quality.least_volume, quality.most_volume);
}

void print_summary(const RunReport& report) {
  for (const std::string& warning : report.warnings) std::cout << "note: " << printable(warning) << '\n';
  double total = 0;
  for (const StageReport& stage : report.stages) total += stage.seconds;
  std::cout << std::flush;
  if (const auto cells = report.settings.find("cells"); cells != report.settings.end())
    std::printf("%s: %s cells", printable(report.output).c_str(), cells->second.c_str());
  else if (report.tetrahedra > 0)
    std::printf("%s: %zu tetrahedra", printable(report.output).c_str(), report.tetrahedra);
  else
    std::printf("%s: %zu vertices", printable(report.output).c_str(), report.welded_vertices);
  int targets = 0;
  for (const MorphFitReport& mesh : report.morph_fit) targets = std::max(targets, mesh.targets);
  if (targets > 0)
    std::printf(", %d morph targets, RMS error %.4f %% of height (largest %.3f %%)", targets,
                100 * report.morph_rms_error / report.height, 100 * report.morph_max_error / report.height);
  if (const std::size_t count = report.accessories.size(); count > 0)
    std::printf(", %zu %s along", count, count == 1 ? "accessory goes" : "accessories go");
  std::printf(", %.2f s\n", total);
  for (const ClipReport& clip : report.clips)
    if (clip.motion)
      std::printf("motion %s: %s\n", printable(clip.name).c_str(), describe_motion(*clip.motion).c_str());
  print_ends(report.clips);
  if (report.quality) print_quality(*report.quality);
  for (const ClipReport& clip : report.clips)
    if (clip.real_time) print_real_time(clip.name, *clip.real_time);
}

double speed_from(const std::string& text) {
  return text.empty() ? 1 : number_from(text, {"--real-time", "a speed", "0.5, or nothing"});
}

Loop loop_from(const std::string& when) {
  return when == "on" ? Loop::on : when == "off" ? Loop::off : Loop::automatic;
}

void run_animate(const AnimateOptions& options) {
  AnimateJob job = options.job;
  set_thread_count(options.threads);
  job.method = options.method.method();
  job.height = options.size.height;
  job.unit = options.size.unit();
  if (!options.range.empty()) {
    job.begin = options.range[0];
    job.end = options.range[1];
  }
  if (job.resume && job.checkpoint.empty()) throw usage_error("--resume: name the checkpoint with --checkpoint FILE.");
  catch_interrupts();
  const AnimateResult result = animate_file(job, terminal_progress(options.quiet));
  if (!result.complete) {
    clear_progress();
    if (!job.checkpoint.empty() && !result.resumable)
      for (const std::string& warning : result.report.warnings) std::cerr << "note: " << printable(warning) << '\n';
    std::cerr << "sinew: stopped on request; no result was written"
              << (result.resumable ? "; the same command with --resume continues from here." : ".") << '\n';
    throw interruption();
  }
  if (options.quiet)
    for (const std::string& failure : result.report.failures) std::cerr << "sinew: " << printable(failure) << '\n';
  else
    print_summary(result.report);
}

}  // namespace

void add_animate(CommandLine& line) {
  Verb& verb =
      line.add_verb("animate", "FILE -o OUTPUT", "Give a rigged character flesh that moves by physics over a clip");
  const auto options = std::make_shared<AnimateOptions>();
  AnimateJob& job = options->job;
  OptionSet& set = verb.options;
  set.add("FILE", job.input, "Character: .glb, .gltf or .vrm").required();
  set.add("-o, --output FILE", job.output, "Result: .glb or .gltf (plays everywhere), .pc2 or .mdd (point cache)")
      .required();
  set.add("--motion FILE", job.motions, "Motion of any skeleton (.bvh, .glb, .vrm, .vrma), FILE@CLIP, or test:jump");
  set.add("--motion-map FILE", job.motion_map, "Bones named by hand, where --motion does not find them (.json)")
      .advanced();
  set.add(
      "--clip NAME", [options](const std::string& name) { options->job.clip = checked_clip(name); },
      "Clip by name or number (default: the first), or all");
  set.add(
         "--loop [WHEN]", [options](const std::string& when) { options->job.loop = loop_from(when); },
         "Flesh repeats with the clip: on, off or auto (default: where the rig's motion does)")
      .one_of({"on", "off", "auto"});
  set.add(
         "--accessories HOW", [options](const std::string& how) { options->job.accessories = how == "follow"; },
         "Hats, swords and other meshes without a skin: follow (default) the flesh that they sit on, or stay with the "
         "rig")
      .one_of({"follow", "rig"})
      .advanced();
  set.add("--range BEGIN END", options->range, "0", "Seconds of the clip's time line to play");
  set.add("--fps N", job.frames_per_second, "30", "Frames per second of the result (default 30)");
  set.add("--preview FILE", job.preview, "Rig beside flesh: a filmstrip (.png) or an animation (.webp) to write");
  set.add(
         "--preview-view VIEW",
         [options](const std::string& view) { options->job.preview_view = preview_view_from(view); },
         "Where the preview looks from: three-quarter, front or side (default three-quarter)")
      .advanced();
  set.add("--heat", job.preview_heat, "Colour the preview's flesh by its distance from the rig").advanced();
  set.add("--report FILE", job.report, "Report of the run to write (.json)");
  options->size.add_to(set);
  set.add(
         "--real-time [SPEED]", [options](const std::string& speed) { options->job.speed = speed_from(speed); },
         "Simulate at the clock's pace, times SPEED (default 1), in a lattice with steps as long as this machine "
         "needs, "
         "and record the frames that would have been displayed")
      .advanced();
  set.add("--morphs N", job.morphs.targets, "30", "Number of morph targets (default: as many as the error bound needs)")
      .advanced();
  set.add("--morph-error E", job.morphs.rms_error, "0.001",
          "RMS error bound as a fraction of the height (default 0.001)")
      .advanced();
  set.add("--morph-normals", job.morphs.normals, "Morph normals too, so that viewers shade what has moved").advanced();
  set.add("--take FILE", job.take, "Recorded interaction to apply: pokes, grabs, changes of gravity and tissue (.json)")
      .advanced();
  set.add("--checkpoint FILE", job.checkpoint, "File from which an interrupted run can continue").advanced();
  set.add("--resume", job.resume, "Continue from the checkpoint, if it exists").advanced();
  set.add("--threads N", options->threads, "4", "Threads to use (default: all)").between(0, 1024).advanced();
  set.add("--quiet", options->quiet, "Print only errors, and requests that could not be met");
  options->method.add_to(set);
  set.add("--curves FILE", job.curves, "Values of the free controls over time to write (.csv)")
      .group(heading_of_curves())
      .advanced();
  set.add("--write-rotations FILE", job.rotations, "Rotations of all elements over time to write, for --rotations")
      .group(heading_of_rotations())
      .advanced();
  verb.action = [options] { run_animate(*options); };
}

}  // namespace sinew::cli
