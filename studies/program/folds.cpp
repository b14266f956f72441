// sinew-study folds: whether implicit skinning pops while joints fold (docs/skinning.md).
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cli/command_line.h"
#include "sinew/jobs/open_character.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"
#include "studies/skinning/bent_tube.h"
#include "studies/skinning/fold_paths.h"

namespace sinew::study {
namespace {

struct Experiment {
  const char* name;
  double step;  // degrees
};
constexpr Experiment fold_experiments[] = {{"coarse", 2}, {"halved", 1}, {"fine", 0.25}};

Table folds_table(const std::string& name) {
  Table table;
  table.name = "folds_" + name;
  table.title = "Paths of the skin of " + name + " in folds from 0 to 150 degrees: largest differences, % of height";
  table.columns = {
      {"fold"},      {"step, degrees", 2}, {"linear, first", 4},  {"implicit, first", 4},  {"over linear", 2},
      {"vertex", 0}, {"degrees", 2},       {"linear, second", 4}, {"implicit, second", 4}, {"over linear", 1},
      {"vertex", 0}, {"degrees", 2},       {"us a vertex", 2}};
  return table;
}

void add_folds_of(const Character& character, const std::string& name, const std::string& joint,
                  const StudyOptions& options, StudySession& session) {
  const SimulationSurface surface = simulation_surface(character);
  const auto skin = implicit_skin(surface);
  if (!skin) throw input_error("no two parts of the skin of " + name + " bend; implicit skinning has nothing to do.");
  Table table = folds_table(name);
  for (const Bend& fold : joint.empty() ? usual_folds(surface.bones) : folds_of_joint(surface.bones, joint))
    for (const Experiment& experiment : fold_experiments) {
      if (!chosen(options, experiment.name)) continue;
      const FoldPaths paths = fold_paths(character.skeleton, surface, *skin, fold, experiment.step);
      const double percent = 100 / paths.height;
      table.rows.push_back(
          {paths.fold, experiment.step, percent * paths.linear_step.size, percent * paths.implicit_step.size,
           paths.implicit_step.size / paths.linear_step.size, static_cast<double>(paths.implicit_step.vertex),
           paths.implicit_step.degrees, percent * paths.linear.size, percent * paths.implicit.size,
           paths.implicit.size / paths.linear.size, static_cast<double>(paths.implicit.vertex), paths.implicit.degrees,
           paths.microseconds / static_cast<double>(surface.rest.positions.size())});
    }
  session.show(table);
}

void run_folds(const StudyOptions& options, StudySession& session) {
  for (const std::string& argument : options.files) {
    const std::size_t colon = argument.rfind(':');
    const bool whole = colon == std::string::npos || colon == 0 || std::filesystem::exists(argument);
    const std::string file = whole ? argument : argument.substr(0, colon);
    add_folds_of(open_character(file).character, std::filesystem::path(file).stem().string(),
                 whole ? "" : argument.substr(colon + 1), options, session);
  }
  if (options.files.empty()) add_folds_of(bent_tube(), "tube", "upper", options, session);
}

}  // namespace

void add_folds(cli::CommandLine& line) {
  add_study(line,
            {"folds",
             "Second differences of implicitly skinned vertices while joints fold, beside the linear goal's",
             "FILES",
             "Characters, FILE or FILE:JOINT with a pattern of the joints that fold",
             {"coarse", "halved", "fine"},
             run_folds},
            std::make_shared<StudyOptions>());
}

}  // namespace sinew::study
