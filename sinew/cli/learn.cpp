// sinew learn FILE -o SKINNING.vskin: how the inside of a character's body follows its controls.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "sinew/base/parallel.h"
#include "sinew/character/size.h"
#include "sinew/cli/rig_space_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/learn_file.h"

namespace sinew::cli {
namespace {

struct Options {
  LearnJob job;
  BodyOptions body;
  DynamicsOptions dynamics;
  RigSpaceOptions rig_space;
  std::string unit;
  int threads = 0;
  bool quiet = false;
};

void run(const Options& options) {
  LearnJob job = options.job;
  set_thread_count(options.threads);
  job.settings = options.rig_space.settings(options.body, options.dynamics);
  if (!options.unit.empty()) job.unit = parse_unit(options.unit);
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
              printable(job.output.string()).c_str(), report.parameters, report.boundary, report.interior, report.tetrahedra);
  std::printf("%d poses in %.2f s; %.2f boundary vertices per interior one, off by %.3f %% of the height, %.3f ms per interior vertex\n",
              report.poses, report.examples_seconds, report.correspondences, 100 * report.residual, 1e3 * report.seconds_per_vertex);
}

}  // namespace

void add_learn(CLI::App& app) {
  CLI::App* command = app.add_subcommand("learn", "Learn how the inside of a body follows its controls, for `--method rigspace`");
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->job.input, "Character: .glb, .gltf or .vrm")->required();
  command->add_option("-o,--output", options->job.output, "Result: .vskin")->required();
  command->add_option("--height", options->job.height, "Height of the character in metres");
  command->add_option("--unit", options->unit, "Length of the file's unit: m, cm, mm, in, ft or metres");
  command->add_option("--threads", options->threads, "Threads to use (default: all)")->check(CLI::Range(0, 1024));
  command->add_flag("--quiet", options->quiet, "Print errors only");
  options->body.add_to(*command);
  options->dynamics.add_to(*command);
  options->rig_space.add_to(*command);
  command->callback([options] { run(*options); });
}

}  // namespace sinew::cli
