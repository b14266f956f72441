#include "sinew/jobs/prepare_method.h"

#include <memory>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/keep_rigid.h"
#include "sinew/cook/mixed/bind_automatically.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/cook/scenes.h"
#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/step_conversion.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate/animate_rig_space.h"
#include "sinew/jobs/flesh_cook.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

void report_surface(const SimulationSurface& surface, RunReport& report) {
  for (const std::vector<int>& part : surface.vertex_of) report.vertices += part.size();
  report.welded_vertices = surface.rest.positions.size();
}

namespace {

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
    throw input_error(character.file + ": has no skin weights, which the method " + choice.maker->name() + " needs; " +
                      remedy_without_weights(character) + ".");
  Stopwatch watch;
  PreparedMethod method;
  RunReport& report = method.report;
  Scene scene = choice.maker->make(character, report.warnings);
  scene.acting.ground = choice.ground;
  report.method = scene.method;
  report_surface(*scene.surface, report);
  report.height = scene.height;
  for (const Setting& setting : choice.maker->settings())
    report.settings[option_name(setting).substr(2)] = value_text(setting);
  report.stages = {{"cook", watch.lap()}};
  method.scene = choice.maker->keeps_rigid() ? keeping_rigid(std::move(scene)) : std::move(scene);
  return method;
}

}  // namespace

PreparedMethod prepare_method(const MethodChoice& choice, Character& character, std::span<const int> clips,
                              const Progress& progress) {
  switch (choice.method) {
    case Method::mixed:
      return prepared_mixed(choice, character, progress);
    case Method::surface:
      return prepared_surface(choice, character);
    case Method::rig_space:
      return prepared_rig_space(choice, character, clips, progress);
    case Method::made:
      return prepared_by_maker(choice, character);
    case Method::flesh:
      break;
  }
  adopt_anatomy(character, choice.settings.anatomy);
  return FleshCook().prepare(choice, character, FleshCook::Change::everything, progress);
}

}  // namespace sinew
