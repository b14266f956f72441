#include "sinew/cook/cook.h"

#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/keep_rigid.h"

namespace sinew {
namespace {

// Fills in the part of the report that every method gives, where the method itself has not done so.
void complete_report(const Method& method, const Scene& scene, double seconds, CookReport& report) {
  report.method = scene.method;
  report.height = scene.height;
  for (const std::vector<int>& part : scene.surface->vertex_of) report.vertices += part.size();
  report.welded_vertices = scene.surface->rest.positions.size();
  if (report.settings.empty()) {
    for (const Setting& setting : method.settings().table)
      report.settings[option_name(setting).substr(2)] = value_text(setting, method.settings());
  }
  if (report.stages.empty()) report.stages = {{"cook", seconds}};
}

}  // namespace

Scene cook(const Method& method, const CookInput& input, CookCache& cache, const Progress& progress) {
  method.check();
  if (method.traits().needs_skin_weights && !has_skin_weights(input.character))
    throw input_error(input.character.file + ": has no skin weights, which the method " + method.name() + " needs; " +
                      remedy_without_weights(input.character) + ".");
  const Stopwatch watch;
  Scene scene = method.cook(input, cache, progress);
  complete_report(method, scene, watch.seconds(), scene.report);
  return method.traits().keeps_rigid ? keeping_rigid(std::move(scene)) : scene;
}

Scene cook(const Method& method, const CookInput& input, const Progress& progress) {
  CookCache nothing;
  return cook(method, input, nothing, progress);
}

}  // namespace sinew
