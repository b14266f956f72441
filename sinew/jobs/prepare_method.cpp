#include "sinew/jobs/prepare_method.h"

#include <memory>
#include <string>
#include <utility>

#include "sinew/bake/bake_real_time.h"
#include "sinew/cook/bind_automatically.h"
#include "sinew/cook/build_lattice.h"
#include "sinew/cook/keep_rigid.h"
#include "sinew/cook/prepare.h"
#include "sinew/cook/prepare_lattice.h"
#include "sinew/cook/prepare_mixed.h"
#include "sinew/cook/prepare_surface.h"
#include "sinew/cook/scenes.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/step_conversion.h"
#include "sinew/jobs/animate_rig_space.h"
#include "sinew/files/lattice_files.h"
#include "sinew/jobs/open_character.h"
#include "sinew/files/settings_json.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {

void report_surface(const SimulationSurface& surface, RunReport& report) {
  for (const std::vector<int>& part : surface.vertex_of) report.vertices += part.size();
  report.welded_vertices = surface.rest.positions.size();
}

namespace {

// The lattice that the settings name, or one that is built for the character.
ControlLattice lattice_for(const Character& character, FleshScene& scene, const LatticeDiscretization& settings,
                           const Progress& progress) {
  if (settings.file == auto_lattice) {
    BuiltLattice built = build_lattice(character, scene.surface, {settings.cells}, progress);
    scene.notes.insert(scene.notes.end(), built.notes.begin(), built.notes.end());
    return std::move(built.lattice);
  }
  ControlLattice lattice = read_lattice(settings.file);
  const LatticeValidity validity = check_lattice(lattice);
  throw_if_any(validity.defects, settings.file);
  if (!validity.overlapping_cells.empty())
    scene.notes.push_back(settings.file + ": " + std::to_string(validity.overlapping_cells.size()) +
                          " pairs of cells overlap (the first: " + std::to_string(validity.overlapping_cells[0][0]) + " and " +
                          std::to_string(validity.overlapping_cells[0][1]) + "); each carries the parts of the body that are its own.");
  return lattice;
}

PreparedMethod prepared_mixed(const MethodChoice& choice, Character& character, const Progress& progress) {
  const bool weighted = has_skin_weights(character);
  const std::string adopted = adopt_missing_skeleton(character, choice.skeleton);
  const auto scene = std::make_shared<const MixedScene>(prepare_mixed(character, choice.mixed, progress));
  if (!weighted) bind_automatically(character, *scene, choice.mixed);
  PreparedMethod method;
  RunReport& report = method.report;
  report.method = "mixed";
  report_surface(scene->surface, report);
  report.height = scene->height;
  report.body_vertices = scene->mesh.positions.size();
  report.tetrahedra = scene->mesh.tetrahedra.size();
  report.free_unknowns = 3 * static_cast<std::size_t>(scene->body->free.count());
  report.settings = {{"settings", settings_json(choice.mixed)},
                     {"bones", std::to_string(scene->bones.size())},
                     {"pins", std::to_string(scene->pins.vertex.size())}};
  report.stages = scene->stages;
  if (!weighted) report.warnings.push_back(adopted);
  report.warnings.insert(report.warnings.end(), scene->notes.begin(), scene->notes.end());
  method.scene = mixed_scene(scene, choice.mixed);
  method.mixed = scene;
  return method;
}

std::vector<std::byte> model_file(const MethodChoice& choice) {
  std::vector<std::byte> file = read_file(choice.model);
  if (!choice.steps_per_second) return file;
  return cook_runtime_file(with_step(read_runtime_file(file, choice.model.string()), 1 / *choice.steps_per_second));
}

PreparedMethod prepared_surface(const MethodChoice& choice, const Character& character) {
  Stopwatch watch;
  const std::vector<std::byte> file = model_file(choice);
  const auto scene = std::make_shared<const SurfaceScene>(prepare_surface(character, file, choice.model.string()));
  PreparedMethod method;
  RunReport& report = method.report;
  report.method = "surface";
  report_surface(scene->surface, report);
  report.height = scene->height;
  report.free_unknowns = 3 * report.welded_vertices;
  report.settings = {{"model", choice.model.string()}, {"step", std::to_string(scene->model->step())}};
  report.stages = {{"model", watch.lap()}};
  method.scene = surface_scene(scene);
  return method;
}

PreparedMethod prepared_by_maker(const MethodChoice& choice, const Character& character) {
  if (!has_skin_weights(character))
    throw input_error(character.file + ": has no skin weights, which the method " + choice.maker->name() + " needs; " + remedy_without_weights(character) + ".");
  Stopwatch watch;
  PreparedMethod method;
  RunReport& report = method.report;
  Scene scene = choice.maker->make(character, report.warnings);
  scene.acting.ground = choice.ground;
  report.method = scene.method;
  report_surface(*scene.surface, report);
  report.height = scene.height;
  for (const Setting& setting : choice.maker->settings()) report.settings[option_name(setting).substr(2)] = value_text(setting);
  report.stages = {{"cook", watch.lap()}};
  method.scene = choice.maker->keeps_rigid() ? keeping_rigid(std::move(scene)) : std::move(scene);
  return method;
}

// Of a file of anatomy that speaks of bones and leaves some out, as when one was deleted by accident; empty where none is.
std::string unsaid_bones_note(const std::string& file, const std::vector<std::string>& bones) {
  if (bones.empty()) return "";
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t k = 0; k < std::min(most, bones.size()); ++k) names += (k ? ", " : "") + bones[k];
  if (bones.size() > most) names += " and " + std::to_string(bones.size() - most) + " more";
  return file + ": says nothing of these bones, which are taken for what they are found to be: " + names + ".";
}

}  // namespace

PreparedMethod prepare_flesh_method(const MethodChoice& choice, const Character& character, const Progress& progress) {
  const LatticeDiscretization& lattice = choice.settings.lattice;
  const double share = lattice.file.empty() ? 1.0 : 0.5;
  std::shared_ptr<const ControlLattice> control;
  FleshScene prepared = prepare_flesh(character, choice.settings, part_of(progress, 0, share));
  if (!lattice.file.empty()) {
    Stopwatch watch;
    control = std::make_shared<const ControlLattice>(
        lattice_for(character, prepared, lattice, part_of(progress, share, 0.8)));
    prepared.stages.push_back({"lattice", watch.lap()});
    try {
      prepared.lattice = prepare_lattice(prepared, *control, choice.settings, part_of(progress, 0.8, 1.0));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || lattice.file == auto_lattice) throw;
      throw input_error(lattice.file + ": " + error.what());
    }
    prepared.stages.push_back({"cook lattice", watch.lap()});
    if (choice.real_time) {
      prepared.lattice_steps = cook_for_steps(prepared.lattice, longest_real_time_step);
      prepared.stages.push_back({"cook longer steps", watch.lap()});
    }
  }
  const auto scene = std::make_shared<const FleshScene>(std::move(prepared));
  PreparedMethod method;
  RunReport& report = method.report;
  report.method = "flesh";
  report_surface(scene->surface, report);
  report.height = scene->height;
  report.body_vertices = scene->body->description.mesh.positions.size();
  report.tetrahedra = scene->body->description.mesh.tetrahedra.size();
  report.free_unknowns = 3 * (scene->lattice ? scene->lattice->free_functions() : scene->body->free_vertex.size());
  report.settings = {{"settings", settings_json(choice.settings)},
                     {"young", std::to_string(scene->material.young)},
                     {"sag", std::to_string(scene->material.sag)},
                     {"frequency", std::to_string(scene->material.frequency)},
                     {"damping_ratio", std::to_string(scene->material.damping_ratio)}};
  if (control) report.settings["cells"] = std::to_string(control->cells());
  report.stages = scene->stages;
  report.warnings = scene->notes;
  if (const std::string note = unsaid_bones_note(character.anatomy.file, scene->anatomy.unsaid); !note.empty()) {
    report.warnings.push_back(note);
    report.failures.push_back(note);
  }
  method.scene = flesh_scene(scene, choice.settings);
  method.flesh = scene;
  method.control = control;
  return method;
}

PreparedMethod prepare_method(const MethodChoice& choice, const GltfDocument& document, Character& character,
                              std::span<const int> clips, const Progress& progress) {
  switch (choice.method) {
    case Method::mixed: return prepared_mixed(choice, character, progress);
    case Method::surface: return prepared_surface(choice, character);
    case Method::rig_space: return prepared_rig_space(choice, document, character, clips, progress);
    case Method::made: return prepared_by_maker(choice, character);
    case Method::flesh: break;
  }
  adopt_anatomy(character, choice.settings.anatomy);
  return prepare_flesh_method(choice, character, progress);
}

}  // namespace sinew
