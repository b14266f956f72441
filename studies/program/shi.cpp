// sinew-study shi: the experiments of docs/surface_comparisons.md.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/printable.h"
#include "sinew/jobs/fit/surface_parameter_attributes.h"
#include "sinew/jobs/open_character.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"
#include "studies/surface/dancing_tube.h"
#include "studies/surface/pictures.h"
#include "studies/surface/tables.h"

namespace sinew::study {
namespace {

struct Pupil {
  Character character;
  std::string name, learned, unseen;  // clips; empty: chosen
};

// Parses FILE, FILE:LEARNED or FILE:LEARNED:UNSEEN; an existing file with the whole name takes precedence.
Pupil read_pupil(const std::string& argument) {
  std::string file = argument;
  std::vector<std::string> clips;
  while (!std::filesystem::exists(file) && clips.size() < 2) {
    const std::size_t colon = file.rfind(':');
    if (colon == std::string::npos || colon == 0) break;
    clips.insert(clips.begin(), file.substr(colon + 1));
    file.resize(colon);
  }
  clips.resize(2);
  return {open_character(file).character, printable(std::filesystem::path(file).stem().string()), clips[0], clips[1]};
}

std::vector<Pupil> pupils(const StudyOptions& options) {
  std::vector<Pupil> result;
  for (const std::string& file : options.files) result.push_back(read_pupil(file));
  if (result.empty()) result.push_back({dancing_tube(), "tube", "", ""});
  return result;
}

void run_fall(StudySession& session) {
  const FallingTube experiment = falling_tube_experiment({}, session.progress());
  session.show(falling_tube_table(experiment));
  session.keep(falling_tube_frames_table(experiment));
  session.picture("shi_fall", [&] { return falling_tube_picture(experiment); });
}

void run_material(StudySession& session) {
  const SoftPart experiment = soft_part_experiment({}, session.progress());
  session.show(soft_part_table(experiment));
  SimulationSurface surface;
  surface.rest = experiment.rest;
  session.picture("shi_material_uniform", [&] { return render_surface_parameters(surface, experiment.uniform); });
  session.picture("shi_material_painted", [&] { return render_surface_parameters(surface, experiment.painted); });
}

// Only for the first character, because its iterations take most of the time.
void run_schemes(const Pupil& pupil, StudySession& session) {
  SchemesOptions how;
  how.clip = pupil.learned;
  const SchemesExperiment experiment = schemes_experiment(pupil.character, pupil.name, how, session.progress());
  session.show(schemes_table(experiment));
  session.keep(scheme_iterations_table(experiment));
}

void run_learning(const std::vector<Pupil>& all, StudySession& session) {
  std::vector<LearningExperiment> experiments;
  for (const Pupil& pupil : all) {
    LearningOptions how;
    how.learned = pupil.learned;
    how.unseen = pupil.unseen;
    experiments.push_back(learning_experiment(pupil.character, pupil.name, how, session.progress()));
    const LearningExperiment& experiment = experiments.back();
    session.picture("shi_learning_" + pupil.name, [&] { return learning_picture(pupil.character, experiment); });
    session.picture("shi_parameters_" + pupil.name,
                    [&] { return render_surface_parameters(experiment.surface, experiment.model); });
  }
  session.show(learning_table(experiments));
}

void run_shi(const StudyOptions& options, StudySession& session) {
  if (chosen(options, "fall")) run_fall(session);
  if (chosen(options, "drag")) session.show(local_drag_table(local_drag_experiment()));
  if (chosen(options, "recovery")) session.show(recovery_table(recovery_experiment({}, session.progress())));
  if (chosen(options, "material")) run_material(session);
  if (!chosen(options, "schemes") && !chosen(options, "learning")) return;
  const std::vector<Pupil> all = pupils(options);
  if (chosen(options, "schemes")) run_schemes(all.front(), session);
  if (chosen(options, "learning")) run_learning(all, session);
}

}  // namespace

void add_shi(cli::CommandLine& line) {
  add_study(line,
            {"shi",
             "Surface models beside the flesh that they learn from",
             "FILES",
             "Characters whose flesh is learned, FILE or FILE:LEARNED:UNSEEN with the names of two clips",
             {"fall", "drag", "recovery", "material", "schemes", "learning"},
             run_shi},
            std::make_shared<StudyOptions>());
}

}  // namespace sinew::study
