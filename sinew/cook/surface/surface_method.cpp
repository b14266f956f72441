#include "sinew/cook/surface/surface_method.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/cook/surface/model_factors.h"
#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/cook/surface/surface_scene.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/step_conversion.h"
#include "sinew/deform/surface/surface_deformer.h"

namespace sinew {
namespace {

// The model with the factors of its parameters that are painted or given along limbs, at the rate of the settings.
SurfaceModel adapted(SurfaceModel model, const SimulationSurface& surface, const SurfaceSettings& settings) {
  multiply_parameters(surface.fields, model);
  return settings.steps_per_second ? with_step(std::move(model), 1 / *settings.steps_per_second) : model;
}

}  // namespace

// clang-format off
SettingsTable SurfaceSettings::describe() {
  return {
      {.key = "model", .value = &SurfaceSettings::model, .file = true,
       .help = "Model to move by, as `sinew fit` makes it (.sinew)", .none = "none", .option = OnCommandLine::common,
       .example = "character.sinew", .page = "surface_dynamics.md", .recooks = Recooks::everything},
      {.key = "steps", .value = &SurfaceSettings::steps_per_second,
       .help = "Steps per second, to which the model is converted", .range = between(10, 1000), .none = "its own",
       .option = OnCommandLine::rare, .takes = "N", .example = "60", .recooks = Recooks::everything},
      along_setting(&SurfaceSettings::along),
  };
}
// clang-format on

MethodTraits SurfaceMethod::traits() const {
  return {.model_ending = ".sinew", .obeys = surface_obeys, .fields = model_fields_in_use()};
}

void SurfaceMethod::check() const {
  Method::check();
  if (values.model.empty()) throw usage_error("--model: the method surface needs a model; fit one with `sinew fit`.");
}

Scene SurfaceMethod::cook(const CookInput& input, CookCache&, const Progress&) const {
  Stopwatch watch;
  const auto cooked = std::make_shared<CookedSurface>(
      prepare_surface(input.character, read_file(values.model), values.model, values.along));
  if (values.steps_per_second || has_factors(cooked->surface.fields)) {
    cooked->description = adapted(std::move(cooked->description), cooked->surface, values);
    cooked->model = std::make_shared<const OpenSurfaceModel>(cook_runtime_file(cooked->description), values.model);
  }
  Scene scene = surface_scene(cooked);
  scene.report.free_unknowns = 3 * scene.surface->rest.positions.size();
  scene.report.settings = {{"model", values.model}, {"step", std::to_string(cooked->model->step())}};
  scene.report.stages = {{"model", watch.lap()}};
  return scene;
}

}  // namespace sinew
