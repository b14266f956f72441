// sinew learn FILE -o SKINNING.vskin: learns how the inside of a character's body follows its controls.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "sinew/base/threads/parallel.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/setting_options.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/jobs/learn_file.h"

namespace sinew::cli {
namespace {

struct LearnOptions {
  LearnJob job;
  SettingOptions settings;
  SizeOptions size;
  int threads = 0;
  bool quiet = false;
};

void run_learn(const LearnOptions& options) {
  LearnJob job = options.job;
  set_thread_count(options.threads);
  job.settings = options.settings.settings<RigSpaceSettings>("rigspace");
  job.height = options.size.height;
  job.unit = options.size.unit();
  catch_interrupts();
  const LearnReport report = learn_file(job, terminal_progress(options.quiet));
  if (!report.complete) {
    clear_progress();
    std::cerr << "sinew: stopped on request; no result was written.\n";
    throw interruption();
  }
  if (options.quiet) return;
  for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
  std::printf("%s: %zu parameters, %zu boundary and %zu interior vertices, %zu tetrahedra\n",
              printable(job.output.string()).c_str(), report.parameters, report.boundary, report.interior,
              report.tetrahedra);
  std::printf(
      "%d poses in %.2f s; %.2f boundary vertices per interior one, off by %.3f %% of the height, %.3f ms per interior "
      "vertex\n",
      report.poses, report.examples_seconds, report.correspondences, 100 * report.residual,
      1e3 * report.seconds_per_vertex);
}

}  // namespace

void add_learn(CommandLine& line) {
  Verb& verb = line.add_verb("learn", "FILE -o SKINNING.vskin --free PATTERNS",
                             "Learn how the inside of a body follows its controls, for `--method rigspace`");
  const auto options = std::make_shared<LearnOptions>();
  OptionSet& set = verb.options;
  set.add("FILE", options->job.input, "Character: .glb, .gltf or .vrm").required();
  set.add("-o, --output FILE", options->job.output, "Result: .vskin").required();
  options->size.add_to(set);
  set.add("--threads N", options->threads, "4", "Threads to use (default: all)").between(0, 1024);
  set.add("--quiet", options->quiet, "Print errors only");
  options->settings.add_to(set, {{"rigspace", "Rig space", settings_of(RigSpaceSettings())}});
  verb.action = [options] { run_learn(*options); };
}

}  // namespace sinew::cli
