// sinew-study rigspace: the experiments of docs/rig_space_comparisons.md.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cli/command_line.h"
#include "sinew/jobs/open_character.h"
#include "sinew/rig/outside/pipe_rig.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"
#include "studies/rig_space/open_case.h"
#include "studies/rig_space/pictures.h"
#include "studies/rig_space/serve_rig.h"
#include "studies/rig_space/tables.h"

namespace sinew::study {
namespace {

constexpr double package_seconds = 2e-3;  // time per evaluation, as in an animation package

struct Subject {
  const char* name;
  const char* file;
  const char* layers;  // on top of the file's own rig, or null
  const char* clip;
  std::vector<std::string> free;
  double cell_size;  // metres
  int reference_steps, outside_reference_steps;
};

// Meshes have the size of the paper's: elephant 761 boundary and 1328 interior vertices, wrestler 1302 and 967. A
// regular lattice has more of its vertices on the boundary; the totals are equal.
const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      {"trunk", "elephant.glb", "elephant.rig.json", "walk", {"trunk_wire*", "trunk_wire_4.scale"}, 0.187, 360, 20},
      {"belly", "elephant.glb", "elephant.rig.json", "walk", {"belly_wire*"}, 0.187, 360, 4},
      {"sumo",
       "sumo.glb",
       nullptr,
       "stomp",
       {"belly*", "chest*", "cheek*", "hair*", "buttock*", "flesh*"},
       0.071,
       40,
       0},
  };
  return all;
}

std::filesystem::path folder_of(const StudyOptions& options) {
  const std::filesystem::path folder = options.files.empty() ? "samples/rigs" : options.files.front();
  if (!std::filesystem::is_directory(folder))
    throw usage_error(folder.string() + ": this is no folder; give the one of the sample rigs, samples/rigs.");
  return folder;
}

RigSpaceCase open_subject(const Subject& subject, const StudyOptions& options, StudySession& session,
                          RigSpaceSettings settings = {}) {
  const std::filesystem::path folder = folder_of(options);
  settings.free = subject.free;
  if (subject.layers) settings.rig = (folder / subject.layers).string();
  settings.cell_size = subject.cell_size;
  return open_rig_space_case(subject.name, folder / subject.file, subject.clip, settings, session.progress());
}

// Command that runs this program as an external rig.
std::vector<std::string> server(const Subject& subject, const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> command{error ? "sinew-study" : self.string(), "rigspace", "--serve",
                                   std::to_string(package_seconds)};
  if (subject.layers) command.push_back(std::filesystem::absolute(folder / subject.layers).string());
  return command;
}

SpeedOptions speed_options(const StudyOptions& options, int steps, int reference_steps) {
  SpeedOptions how;
  how.steps = std::min(steps, options.steps.value_or(steps));
  how.equilibrium_steps = std::min(how.steps, 40);  // they are slow, and all steps are alike
  how.reference_steps = std::min({how.steps, reference_steps, options.reference_steps.value_or(reference_steps)});
  return how;
}

void run_speed(const StudyOptions& options, StudySession& session) {
  for (const Subject& subject : subjects()) {
    const RigSpaceCase opened = open_subject(subject, options, session);
    SpeedOptions how = speed_options(options, 360, subject.reference_steps);
    session.show(speed_table(speed_experiment(opened, how, session.progress()), std::string("speed_") + subject.name,
                             "the rig in this program"));
    if (subject.outside_reference_steps == 0) continue;
    const std::filesystem::path folder = folder_of(options);
    const Character character = open_character((folder / subject.file).string()).character;
    PipeRigOptions pipe;
    pipe.timeout = 600;
    PipeRig outside(server(subject, folder), std::filesystem::absolute(folder / subject.file).string(),
                    file_vertices(character, opened.scene->surface, opened.scene->used), pipe);
    how = speed_options(options, 120, subject.outside_reference_steps);
    how.outside = &outside;
    session.show(speed_table(speed_experiment(opened, how, session.progress()),
                             std::string("speed_outside_") + subject.name,
                             "a rig outside, as slow as an animation package"));
  }
}

void run_interior(const StudyOptions& options, StudySession& session) {
  const RigSpaceCase opened = open_subject(subjects().at(1), options, session);
  const InteriorExperiment experiment = interior_experiment(opened, {}, session.progress());
  session.show(interior_table(experiment));
  session.keep(interior_frames_table(experiment));
  session.picture("rigspace_interior", [&] { return interior_picture(experiment); });
  session.picture("rigspace_interior_close", [&] { return interior_close_picture(experiment); });
}

void run_deferral(const StudyOptions& options, StudySession& session) {
  for (const Subject& subject : subjects()) {
    const RigSpaceCase opened = open_subject(subject, options, session);
    DeferralOptions how;
    how.steps = std::min(how.steps, options.steps.value_or(how.steps));
    session.show(deferral_table(deferral_experiment(opened, how, session.progress())));
  }
}

// The clip that moves the belly most.
Subject jumping_belly() {
  Subject subject = subjects().at(1);
  subject.name = "belly, jumping";
  subject.clip = "jump";
  return subject;
}

void run_steps(const StudyOptions& options, StudySession& session) {
  const RigSpaceCase opened = open_subject(jumping_belly(), options, session);
  const StepLengthExperiment experiment = step_length_experiment(opened, {}, session.progress());
  session.show(step_length_table(experiment));
  session.picture("rigspace_steps", [&] { return step_length_picture(experiment); });
}

void run_stops(const StudyOptions& options, StudySession& session) {
  const RigSpaceCase opened = open_subject(jumping_belly(), options, session);
  session.show(stops_table(stops_experiment(opened, {}, session.progress())));
}

void run_stiffness(const StudyOptions& options, StudySession& session) {
  constexpr const char* changed = "belly_wire*";
  constexpr int steps = 360;
  Subject subject = subjects().at(1);
  subject.name = "belly and trunk";
  subject.free = {"belly_wire*", "trunk_wire*"};
  // The same modulus for all runs, except for the factor.
  RigSpaceSettings settings;
  settings.young = open_subject(subject, options, session).scene->material.young;
  std::vector<StiffnessRun> runs;
  for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    settings.controls = {{changed, factor, {}}};
    runs.push_back({factor, open_subject(subject, options, session, settings)});
  }
  session.show(stiffness_table(stiffness_experiment(runs, changed, steps, settings.step, session.progress())));
}

void run_rigspace(const StudyOptions& options, StudySession& session) {
  if (chosen(options, "speed")) run_speed(options, session);
  if (chosen(options, "interior")) run_interior(options, session);
  if (chosen(options, "deferral")) run_deferral(options, session);
  if (chosen(options, "steps")) run_steps(options, session);
  if (chosen(options, "stops")) run_stops(options, session);
  if (chosen(options, "stiffness")) run_stiffness(options, session);
}

}  // namespace

void add_rigspace(cli::CommandLine& line) {
  const auto options = std::make_shared<StudyOptions>();
  const auto serve_seconds = std::make_shared<std::optional<double>>();
  cli::Verb& verb = add_study(line,
                              {"rigspace",
                               "Rig-space physics beside the exact method",
                               "FOLDER",
                               "Folder of the sample rigs (default: samples/rigs)",
                               {"speed", "interior", "deferral", "steps", "stops", "stiffness"},
                               run_rigspace},
                              options);
  verb.options.add("--steps N", options->steps, "100", "Steps of each run, at most").between(2, 100000);
  verb.options
      .add("--reference-steps N", options->reference_steps, "20",
           "Steps of the slow reference method, at most; 0 leaves it out")
      .between(0, 100000);
  verb.options
      .add("--serve SECONDS", *serve_seconds, "0.002", "For itself: be a rig outside, whose layers FOLDER names")
      .hidden();
  verb.action = [options, serve_seconds, run = verb.action] {
    if (!*serve_seconds) return run();
    serve_rig(options->files.empty() ? std::filesystem::path() : std::filesystem::path(options->files.front()),
              **serve_seconds);
  };
}

}  // namespace sinew::study
