// sinew-study mixed: the experiments of docs/mixed_fem_comparisons.md.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/printable.h"
#include "sinew/jobs/open_character.h"
#include "studies/mixed/pictures.h"
#include "studies/mixed/tables.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"

namespace sinew::study {
namespace {

void run_bars(const StudyOptions& options, StudySession& session) {
  const Bar bar = make_bar({});
  if (chosen(options, "bend")) {
    const std::vector<BendRun> runs = bend_experiment(bar, {}, session.progress());
    session.show(bend_table(runs));
    const auto picture = [&](const char* name, const auto& shown) {
      std::vector<BendRun> some;
      std::copy_if(runs.begin(), runs.end(), std::back_inserter(some), shown);
      session.picture(name, [&] { return bend_picture(bar, some); });
    };
    const auto is_quadratic = [](const BendRun& run) { return stretch_energy(run.material).quadratic; };
    picture("mixed_bend_fem", [&](const BendRun& run) { return !is_mixed(run.method); });
    picture("mixed_bend_linear", [&](const BendRun& run) { return is_mixed(run.method) && is_quadratic(run); });
    picture("mixed_bend_newton", [&](const BendRun& run) { return is_mixed(run.method) && !is_quadratic(run); });
  }
  if (chosen(options, "twist")) {
    const std::vector<TwistPose> poses = twist_experiment(bar, {}, session.progress());
    session.show(twist_table(poses));
    session.picture("mixed_twist", [&] { return twist_picture(bar, poses, 120); });
  }
  if (chosen(options, "press")) {
    const Bar fine = make_bar({36, 6, bar.width});
    const std::vector<PressPose> poses = press_experiment(fine, {}, session.progress());
    session.show(press_table(poses));
    session.picture("mixed_press", [&] { return press_picture(fine, poses); });
  }
  if (!chosen(options, "free")) return;
  std::vector<ReferenceRow> rows = reference_experiment(bar, {3e4, 0.45, 1000}, session.progress());
  for (const std::string& file : options.files) {
    const auto more =
        character_reference(open_character(file).character, printable(std::filesystem::path(file).stem().string()),
                            4000, session.progress());
    rows.insert(rows.end(), more.begin(), more.end());
  }
  session.show(reference_table(rows));
}

void run_joints(const StudyOptions& options, StudySession& session) {
  std::vector<JointRun> runs;
  std::vector<std::string> names;
  for (const std::string& file : options.files) {
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const JointExperiment experiment = joint_experiment(open_character(file).character, name, {}, session.progress());
    runs.insert(runs.end(), experiment.runs.begin(), experiment.runs.end());
    // Files in several folders may have the same name.
    const auto before = std::count(names.begin(), names.end(), name);
    names.push_back(name);
    session.picture(
        "mixed_joints_" + name + (before == 0 ? std::string() : std::string("_") + std::to_string(before + 1)),
        [&] { return joint_picture(experiment); });
  }
  if (runs.empty()) return;
  session.show(joint_table(runs));
  session.keep(joint_frame_table(runs));
}

void run_mixed(const StudyOptions& options, StudySession& session) {
  if (!options.only.empty() && chosen(options, "joints") && options.files.empty())
    throw usage_error("joints are those of characters; name some files.");
  run_bars(options, session);
  if (chosen(options, "joints")) run_joints(options, session);
}

}  // namespace

void add_mixed(cli::CommandLine& line) {
  add_study(line,
            {"mixed",
             "Mixed elements beside finite elements, free rotations, and geometric skinning",
             "FILES",
             "Characters whose hip, shoulder and elbow are bent",
             {"bend", "twist", "press", "free", "joints"},
             run_mixed},
            std::make_shared<StudyOptions>());
}

}  // namespace sinew::study
