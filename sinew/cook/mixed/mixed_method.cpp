#include "sinew/cook/mixed/mixed_method.h"

#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/mixed/bind_automatically.h"
#include "sinew/cook/mixed/mixed_scene.h"
#include "sinew/deform/mixed/mixed_deformer.h"
#include "sinew/files/settings_json.h"

namespace sinew {
namespace {

CookReport report_of(const CookedMixed& cooked, const MixedSettings& settings) {
  CookReport report;
  report.body_vertices = cooked.mesh.positions.size();
  report.tetrahedra = cooked.mesh.tetrahedra.size();
  report.free_unknowns = 3 * static_cast<std::size_t>(cooked.body->free.count());
  report.settings = {{"settings", settings_json(settings)},
                     {"bones", std::to_string(cooked.bones.size())},
                     {"pins", std::to_string(cooked.pins.vertex.size())}};
  report.stages = cooked.stages;
  report.warnings = cooked.notes;
  return report;
}

Scene finished(const std::shared_ptr<const CookedMixed>& cooked, const MixedSettings& settings) {
  Scene scene = mixed_scene(cooked, settings);
  scene.report = report_of(*cooked, settings);
  return scene;
}

}  // namespace

MethodTraits MixedMethod::traits() const {
  return {.needs_skin_weights = false, .has_memory = false, .obeys = mixed_obeys, .fields = fields_in_use(values)};
}

Scene MixedMethod::cook(const CookInput& input, CookCache&, const Progress& progress) const {
  if (has_skin_weights(input.character)) {
    if (input.character.adopted_skeleton.value_or("") != values.skeleton)
      throw usage_error("--skeleton: " + input.character.file +
                        (input.character.adopted_skeleton ? " was given another skeleton already; open it again."
                                                          : " has skin weights, whose joints are its skeleton; leave "
                                                            "the option out."));
    return finished(std::make_shared<const CookedMixed>(prepare_mixed(input.character, values, progress)), values);
  }
  const auto completed = std::make_shared<Character>(input.character);
  const std::string adopted = adopt_skeleton(*completed, values.skeleton);
  const auto cooked = std::make_shared<const CookedMixed>(prepare_mixed(*completed, values, progress));
  bind_automatically(*completed, *cooked, values);
  Scene scene = finished(cooked, values);
  scene.report.warnings.insert(scene.report.warnings.begin(), adopted);
  scene.completed = completed;
  return scene;
}

}  // namespace sinew
