#include "sinew/cook/flesh/flesh_method.h"

#include "sinew/cook/flesh/flesh_cook.h"
#include "sinew/cook/flesh/flesh_fields.h"
#include "sinew/cook/flesh/flesh_scene.h"

namespace sinew {

MethodTraits FleshMethod::traits() const {
  return {.needs_skin_weights = !values.free_body, .obeys = flesh_obeys, .fields = fields_in_use(values)};
}

Scene FleshMethod::cook(const CookInput& input, CookCache& cache, const Progress& progress) const {
  return cache.of<FleshCook>().prepare(values, input, progress, rough_shapes);
}

bool FleshMethod::is_quick(const CookInput& input, const CookCache& cache) const {
  const FleshCook* kept = cache.find<FleshCook>();
  return kept && kept->is_quick(values, input) && (rough_shapes || !kept->needs_rigs(values, input));
}

std::unique_ptr<Method> FleshMethod::draft(const CookInput& input, const CookCache& cache) const {
  const FleshCook* kept = cache.find<FleshCook>();
  const FleshCook nothing;
  if (kept && kept->is_quick(values, input) && kept->needs_rigs(values, input)) {
    auto rough = std::make_unique<FleshMethod>(*this);
    rough->rough_shapes = true;
    return rough;
  }
  if (!(kept ? *kept : nothing).needs_lattice(values, input)) return nullptr;
  auto in_tetrahedra = std::make_unique<FleshMethod>(*this);
  in_tetrahedra->values.lattice = {};
  if (!first_complaint(in_tetrahedra->settings()).empty()) return nullptr;
  return in_tetrahedra;
}

}  // namespace sinew
