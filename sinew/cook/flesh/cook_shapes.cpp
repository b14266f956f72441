#include "sinew/cook/flesh/cook_shapes.h"

#include "sinew/base/error.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {

std::unique_ptr<ShapeBody> shape_body(const CookedFlesh& flesh, const FleshSettings& settings) {
  if (flesh.lattice) throw usage_error("shapes: force rigs act on flesh in tetrahedra; leave --lattice out.");
  TissueLaw law;
  law.stiffening = settings.stiffening;
  return tetrahedral_shape_body(flesh.body, law);
}

std::shared_ptr<const ShapeForces> cook_shapes(const FleshSettings& settings, const CookedFlesh& flesh,
                                               const Character& character) {
  if (settings.shapes.empty()) return {};
  std::vector<HeldControl> held;
  for (const std::string& text : settings.control) held.push_back(held_control_from(text));
  return std::make_shared<const ShapeForces>(read_shapes(settings.shapes), held, character, flesh.surface,
                                             *shape_body(flesh, settings));
}

}  // namespace sinew
