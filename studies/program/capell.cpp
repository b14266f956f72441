// sinew-study capell: the experiments of docs/lattice_comparisons.md.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/printable.h"
#include "sinew/jobs/open_character.h"
#include "studies/capell/pictures.h"
#include "studies/capell/tables.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"
#include "studies/reference/tet_file.h"

namespace sinew::study {
namespace {

void run_bend(StudySession& session) {
  const LatticeBar bar = make_lattice_bar({});
  const std::vector<LatticeBendRun> runs = lattice_bend_experiment(bar, {}, session.progress());
  session.show(lattice_bend_table(runs));
  session.picture("capell_bend", [&] {
    std::vector<LatticeBendRun> shown;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(shown),
                 [](const LatticeBendRun& run) { return run.how.warping != Warping::vertex; });
    return lattice_bend_picture(bar, shown);
  });
}

bool is_limb(const std::string& file) { return std::filesystem::path(file).extension() == ".tet"; }

LimbMesh read_limb(const std::string& path) {
  const std::optional<TetFile> file = read_tet_file(path);
  if (!file)
    throw input_error(path + ": cannot be read as a limb of tetrahedra; give one of the benchmark's .tet files.");
  LimbMesh limb{std::filesystem::path(path).stem().string(), {file->vertices, {}}, file->core, file->tip};
  for (std::size_t k = 0; k + 3 < file->tetrahedra.size(); k += 4)
    limb.mesh.tetrahedra.push_back(
        {file->tetrahedra[k], file->tetrahedra[k + 1], file->tetrahedra[k + 2], file->tetrahedra[k + 3]});
  return limb;
}

void run_limb(const StudyOptions& options, StudySession& session) {
  std::vector<LimbMesh> limbs;
  for (const std::string& file : options.files)
    if (is_limb(file)) limbs.push_back(read_limb(file));
  if (limbs.empty()) return;
  constexpr double converged_sag = 0.0121;  // of the benchmark's limbs, co-rotated, mesh size to zero
  session.show(limb_table(limb_experiment(limbs, {}, session.progress()), converged_sag));
}

void run_head(const StudyOptions& options, StudySession& session) {
  for (const std::string& file : options.files) {
    if (is_limb(file)) continue;
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const HeadExperiment experiment = head_experiment(open_character(file).character, name, {}, session.progress());
    session.show(head_table(experiment));
    session.picture("capell_head_" + name, [&] { return head_picture(experiment); });
  }
}

void run_adaptive(const StudyOptions& options, StudySession& session) {
  for (const std::string& file : options.files) {
    if (is_limb(file)) continue;
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const AdaptiveExperiment experiment =
        adaptive_experiment(open_character(file).character, name, {}, session.progress());
    session.show(adaptive_table(experiment));
    session.picture("capell_adaptive_" + name, [&] { return adaptive_picture(experiment); });
  }
}

void run_mouth(StudySession& session) {
  const MouthExperiment experiment = mouth_experiment(session.progress());
  session.show(mouth_table(experiment.rows));
  session.picture("capell_mouth", [&] { return mouth_picture(experiment); });
}

void run_paint(const StudyOptions& options, StudySession& session) {
  for (const std::string& file : options.files) {
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const PaintOptions paint = paint_of(name);
    if (paint.parts.empty()) continue;
    const PaintExperiment experiment =
        paint_experiment(open_character(file).character, name, paint, session.progress());
    session.show(paint_table(experiment));
    session.picture("capell_paint_" + name, [&] { return paint_picture(experiment); });
  }
}

void run_bodies(const StudyOptions& options, StudySession& session) {
  std::vector<BodiesExperiment> experiments;
  for (const std::string& file : options.files) {
    if (is_limb(file)) continue;
    const std::string name = printable(std::filesystem::path(file).stem().string());
    for (const Reference reference : {Reference::rig, Reference::elastic}) {
      BodiesOptions how;
      how.reference = reference;
      experiments.push_back(bodies_experiment(open_character(file).character, name, how, session.progress()));
      session.show(bodies_table(experiments.back()));
    }
  }
  if (!experiments.empty()) session.keep(bodies_table(experiments));
}

void run_capell(const StudyOptions& options, StudySession& session) {
  if (chosen(options, "bend")) run_bend(session);
  if (chosen(options, "limb")) run_limb(options, session);
  if (chosen(options, "mouth")) run_mouth(session);
  if (chosen(options, "head")) run_head(options, session);
  if (chosen(options, "adaptive")) run_adaptive(options, session);
  if (chosen(options, "paint")) run_paint(options, session);
  if (chosen(options, "forms"))
    session.show(two_forms_table(two_forms_experiment({0, 45, 90, 135, 170}, session.progress())));
  if (chosen(options, "bodies")) run_bodies(options, session);
}

}  // namespace

void add_capell(cli::CommandLine& line) {
  add_study(line,
            {"capell",
             "Control lattices beside tetrahedra and the figures of the thesis",
             "FILES",
             "Characters that turn their heads, and limbs (.tet)",
             {"bend", "limb", "mouth", "head", "adaptive", "paint", "forms", "bodies"},
             run_capell},
            std::make_shared<StudyOptions>());
}

}  // namespace sinew::study
