#include "sinew/cook/flesh/flesh_cook.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/body_cells.h"
#include "sinew/cook/flesh/anatomy_overrides.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/files/lattice_files.h"
#include "sinew/files/settings_json.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {
namespace {

bool moves_in_lattice(const FleshSettings& settings) { return !settings.lattice.file.empty(); }

std::string name_of(const LatticeDiscretization& lattice) { return lattice.file + "/" + std::to_string(lattice.cells); }

// A note about an anatomy file that describes only some bones, for example because one was deleted by accident.
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

CookReport report_of(const CookedFlesh& cooked, const FleshSettings& settings, const ControlLattice* control) {
  CookReport report;
  report.body_vertices = cooked.body->description.mesh.positions.size();
  report.tetrahedra = cooked.body->description.mesh.tetrahedra.size();
  report.free_unknowns = 3 * (cooked.lattice ? cooked.lattice->free_functions() : cooked.body->free_vertex.size());
  report.settings = {{"settings", settings_json(settings)},
                     {"young", std::to_string(cooked.material.young)},
                     {"sag", std::to_string(cooked.material.sag)},
                     {"frequency", std::to_string(cooked.material.frequency)},
                     {"damping_ratio", std::to_string(cooked.material.damping_ratio)}};
  if (control) report.settings["cells"] = std::to_string(control->cells());
  report.stages = cooked.stages;
  report.warnings = cooked.notes;
  return report;
}

// Names the automatic lattice if the settings ask for something that a lattice does better and name none. `note`
// becomes a sentence about that, or empty if nothing was changed.
FleshSettings with_lattice(const FleshSettings& settings, bool real_time, std::string* note = nullptr) {
  if (moves_in_lattice(settings)) return settings;
  const std::string reason = real_time ? "--real-time" : asks_for_lattice(settings);
  if (reason.empty()) return settings;
  FleshSettings result = settings;
  result.lattice.file = auto_lattice;
  if (note)
    *note = "Flesh moves in a control lattice, built for the character, which does better what `" + reason +
            "` asks for; name one with --lattice.";
  return result;
}

}  // namespace

Recooks FleshCook::needed(const FleshSettings& settings, bool real_time, Change change) const {
  if (!base_ || change == Change::everything) return Recooks::everything;
  const Recooks level = recooks_between(settings_of(base_->settings), settings_of(with_lattice(settings, real_time)));
  return change == Change::paint ? std::max(level, Recooks::body) : level;
}

bool FleshCook::needs_lattice(const LatticeDiscretization& lattice) const {
  return !lattice.file.empty() && (!control_ || control_of_ != name_of(lattice));
}
bool FleshCook::needs_lattice(const FleshSettings& settings, bool real_time) const {
  return needs_lattice(with_lattice(settings, real_time).lattice);
}

void FleshCook::forget() { *this = {}; }

void FleshCook::prepare_base(const FleshSettings& settings, const Character& character, Recooks level,
                             const Progress& progress) {
  if (level < Recooks::body) return;
  described_.reset();
  if (names_anatomy_file(settings.anatomy)) {
    auto described = std::make_shared<Character>(character);
    adopt_anatomy(*described, settings.anatomy);
    described_ = std::move(described);
  }
  const Character& known = described_ ? *described_ : character;
  base_ = level == Recooks::body ? change_flesh_base(*base_, known, settings, progress)
                                 : prepare_flesh_base(known, settings, progress);
  unsaid_bones_note_ = missing_bones_note(known.anatomy.file, base_->cooked.anatomy.unsaid);
  lattice_.reset();
}

void FleshCook::prepare_control(const Character& character, const CookedFlesh& flesh,
                                const LatticeDiscretization& lattice, const Progress& progress) {
  std::vector<std::string> notes;
  if (lattice.file == auto_lattice) {
    BuiltLattice built = build_lattice(character, flesh.surface, {lattice.cells}, progress);
    notes = built.notes;
    control_ = std::make_shared<const ControlLattice>(std::move(built.lattice));
  } else {
    control_ = std::make_shared<const ControlLattice>(lattice_from_file(lattice.file, notes));
  }
  control_of_ = name_of(lattice);
  control_notes_ = std::move(notes);
  lattice_.reset();
}

Scene FleshCook::prepare(const FleshSettings& asked, bool real_time, const Character& character, Change change,
                         const Progress& progress) {
  std::string lattice_note;
  const FleshSettings settings = with_lattice(asked, real_time, &lattice_note);
  const LatticeDiscretization& lattice = settings.lattice;
  const double share = moves_in_lattice(settings) ? 0.5 : 1.0;
  if (change == Change::everything) forget();
  prepare_base(settings, character, needed(settings, real_time, change), part_of(progress, 0, 0.7 * share));
  CookedFlesh flesh = cook_flesh(*base_, settings, part_of(progress, 0.7 * share, share));
  base_->cooked.stages.clear();  // each is reported once

  if (moves_in_lattice(settings)) {
    Stopwatch watch;
    if (needs_lattice(lattice)) {
      prepare_control(character, flesh, lattice, part_of(progress, share, 0.8));
      flesh.stages.push_back({"lattice", watch.lap()});
    }
    try {
      if (!lattice_ || recooks_between(settings_of(lattice_->settings), settings_of(settings)) > Recooks::stiffness)
        lattice_ = prepare_lattice_base(flesh, *control_, settings, part_of(progress, 0.8, 0.95));
      flesh.lattice = cook_lattice_flesh(*lattice_, flesh, settings, part_of(progress, 0.95, 1));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || lattice.file == auto_lattice) throw;
      throw input_error(lattice.file + ": " + error.what());
    }
    flesh.notes.insert(flesh.notes.end(), control_notes_.begin(), control_notes_.end());
    flesh.stages.push_back({"cook lattice", watch.lap()});
    if (real_time) {
      flesh.lattice_steps = cook_for_steps(flesh.lattice, longest_real_time_step);
      flesh.stages.push_back({"cook longer steps", watch.lap()});
    }
  }

  const auto cooked = std::make_shared<const CookedFlesh>(std::move(flesh));
  const std::shared_ptr<const ControlLattice> control = moves_in_lattice(settings) ? control_ : nullptr;
  Scene scene = flesh_scene(cooked, settings);
  scene.completed = described_;
  scene.report = report_of(*cooked, settings, control.get());
  if (control)
    scene.cells = [cooked, control] { return flesh_cells(cooked->lattice, *control); };
  else
    scene.cells = [cooked] { return flesh_cells(cooked->body); };
  std::vector<std::string>& warnings = scene.report.warnings;
  if (!lattice_note.empty()) warnings.insert(warnings.begin(), lattice_note);
  for (const std::string& note : unsaid_bones_note_) {
    warnings.push_back(note);
    scene.report.failures.push_back(note);
  }
  return scene;
}

}  // namespace sinew
