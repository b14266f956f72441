#include "sinew/cook/flesh/cook_shapes.h"

#include "sinew/cook/lattice/lattice_fields.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {

std::unique_ptr<ShapeBody> shape_body(const CookedFlesh& flesh, const FleshSettings& settings,
                                      const ControlLattice* control) {
  if (control) {
    const LatticeGrid grid = grid_of_dynamics(*control, settings.lattice);
    return lattice_shape_body(flesh.lattice, grid, lattice_fields(flesh, grid.tetrahedra.mesh).fill);
  }
  TissueLaw law;
  law.stiffening = settings.stiffening;
  return tetrahedral_shape_body(flesh.body, law);
}

std::shared_ptr<const ShapeForces> cook_shapes(const FleshSettings& settings, const CookedFlesh& flesh,
                                               const Character& character, ShapeBody& body, CookedRigs& kept) {
  std::vector<HeldControl> held;
  for (const std::string& text : settings.control) held.push_back(held_control_from(text));
  return std::make_shared<const ShapeForces>(shapes_of_setting(settings.shapes), held, character, flesh.surface, body,
                                             &kept);
}

}  // namespace sinew
