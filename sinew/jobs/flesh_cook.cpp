#include "sinew/jobs/flesh_cook.h"

#include <algorithm>
#include <utility>

#include "sinew/bake/bake_real_time.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/scenes.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/files/lattice_files.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {
namespace {

bool in_lattice(const FleshSettings& settings) { return !settings.lattice.file.empty(); }

std::string name_of(const LatticeDiscretization& lattice) { return lattice.file + "/" + std::to_string(lattice.cells); }

// A note about an anatomy file that describes some bones and leaves others out, as when one was deleted by accident.
std::vector<std::string> missing_bones_note(const std::string& file, const std::vector<std::string>& bones) {
  if (bones.empty()) return {};
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t k = 0; k < std::min(most, bones.size()); ++k) names += (k ? ", " : "") + bones[k];
  if (bones.size() > most) names += " and " + std::to_string(bones.size() - most) + " more";
  return {file + ": says nothing of these bones, which are taken for what they are found to be: " + names + "."};
}

ControlLattice lattice_from_file(const std::string& file, std::vector<std::string>& notes) {
  ControlLattice lattice = read_lattice(file);
  const LatticeValidity validity = check_lattice(lattice);
  throw_if_any(validity.defects, file);
  if (!validity.overlapping_cells.empty())
    notes.push_back(file + ": " + std::to_string(validity.overlapping_cells.size()) +
                    " pairs of cells overlap (the first: " + std::to_string(validity.overlapping_cells[0][0]) +
                    " and " + std::to_string(validity.overlapping_cells[0][1]) +
                    "); each carries the parts of the body that are its own.");
  return lattice;
}

RunReport report_of(const FleshScene& scene, const FleshSettings& settings, const ControlLattice* control) {
  RunReport report;
  report.method = "flesh";
  report_surface(scene.surface, report);
  report.height = scene.height;
  report.body_vertices = scene.body->description.mesh.positions.size();
  report.tetrahedra = scene.body->description.mesh.tetrahedra.size();
  report.free_unknowns = 3 * (scene.lattice ? scene.lattice->free_functions() : scene.body->free_vertex.size());
  FleshSettings in_force = settings;
  report.settings = {{"settings", settings_json(in_force)},
                     {"young", std::to_string(scene.material.young)},
                     {"sag", std::to_string(scene.material.sag)},
                     {"frequency", std::to_string(scene.material.frequency)},
                     {"damping_ratio", std::to_string(scene.material.damping_ratio)}};
  if (control) report.settings["cells"] = std::to_string(control->cells());
  report.stages = scene.stages;
  report.warnings = scene.notes;
  return report;
}

MethodChoice with_lattice(const MethodChoice& choice, std::string* note = nullptr) {
  MethodChoice result = choice;
  const std::string said = choose_lattice(result);
  if (note) *note = said;
  return result;
}

Recooks between(FleshSettings before, FleshSettings after) {
  return recooks_between(settings_of(before), settings_of(after));
}

}  // namespace

Recooks FleshCook::needed(const MethodChoice& choice, Change change) const {
  if (!base_ || change == Change::everything) return Recooks::everything;
  const Recooks level = between(base_->settings, with_lattice(choice).settings);
  return change == Change::paint ? std::max(level, Recooks::body) : level;
}

bool FleshCook::needs_lattice(const LatticeDiscretization& lattice) const {
  return !lattice.file.empty() && (!control_ || control_of_ != name_of(lattice));
}
bool FleshCook::needs_lattice(const MethodChoice& choice) const {
  return needs_lattice(with_lattice(choice).settings.lattice);
}

void FleshCook::forget() { *this = {}; }

void FleshCook::prepare_base(const FleshSettings& settings, const Character& character, Recooks level,
                             const Progress& progress) {
  if (level < Recooks::body) return;
  Character with_anatomy = character;
  adopt_anatomy(with_anatomy, settings.anatomy);
  base_ = level == Recooks::body ? change_flesh_base(*base_, with_anatomy, settings, progress)
                                 : prepare_flesh_base(with_anatomy, settings, progress);
  unsaid_bones_note_ = missing_bones_note(with_anatomy.anatomy.file, base_->scene.anatomy.unsaid);
  lattice_.reset();
}

void FleshCook::prepare_control(const Character& character, const FleshScene& scene,
                                const LatticeDiscretization& lattice, const Progress& progress) {
  std::vector<std::string> notes;
  if (lattice.file == auto_lattice) {
    BuiltLattice built = build_lattice(character, scene.surface, {lattice.cells}, progress);
    notes = built.notes;
    control_ = std::make_shared<const ControlLattice>(std::move(built.lattice));
  } else {
    control_ = std::make_shared<const ControlLattice>(lattice_from_file(lattice.file, notes));
  }
  control_of_ = name_of(lattice);
  control_notes_ = std::move(notes);
  lattice_.reset();
}

PreparedMethod FleshCook::prepare(const MethodChoice& asked, const Character& character, Change change,
                                  const Progress& progress) {
  std::string lattice_note;
  const MethodChoice choice = with_lattice(asked, &lattice_note);
  const FleshSettings& settings = choice.settings;
  const LatticeDiscretization& lattice = settings.lattice;
  const double share = in_lattice(settings) ? 0.5 : 1.0;
  if (change == Change::everything) forget();
  prepare_base(settings, character, needed(choice, change), part_of(progress, 0, 0.7 * share));
  FleshScene prepared = cook_flesh_scene(*base_, settings, part_of(progress, 0.7 * share, share));
  base_->scene.stages.clear();  // they are told once

  if (in_lattice(settings)) {
    Stopwatch watch;
    if (needs_lattice(lattice)) {
      prepare_control(character, prepared, lattice, part_of(progress, share, 0.8));
      prepared.stages.push_back({"lattice", watch.lap()});
    }
    try {
      if (!lattice_ || between(lattice_->settings, settings) > Recooks::stiffness)
        lattice_ = prepare_lattice_base(prepared, *control_, settings, part_of(progress, 0.8, 0.95));
      prepared.lattice = cook_lattice_flesh(*lattice_, prepared, settings, part_of(progress, 0.95, 1));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || lattice.file == auto_lattice) throw;
      throw input_error(lattice.file + ": " + error.what());
    }
    prepared.notes.insert(prepared.notes.end(), control_notes_.begin(), control_notes_.end());
    prepared.stages.push_back({"cook lattice", watch.lap()});
    if (choice.real_time) {
      prepared.lattice_steps = cook_for_steps(prepared.lattice, longest_real_time_step);
      prepared.stages.push_back({"cook longer steps", watch.lap()});
    }
  }

  const auto scene = std::make_shared<const FleshScene>(std::move(prepared));
  PreparedMethod method;
  method.flesh = scene;
  if (in_lattice(settings)) method.control = control_;
  method.report = report_of(*scene, settings, method.control.get());
  if (!lattice_note.empty()) method.report.warnings.insert(method.report.warnings.begin(), lattice_note);
  for (const std::string& note : unsaid_bones_note_) {
    method.report.warnings.push_back(note);
    method.report.failures.push_back(note);
  }
  method.scene = flesh_scene(scene, settings);
  return method;
}

}  // namespace sinew
