#include "sinew/cook/flesh/cook_shapes.h"

#include "sinew/base/error.h"
#include "sinew/cook/lattice/lattice_fields.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {
namespace {

void refuse_stiffening(const ShapeFile& file) {
  for (const ShapeRig& rig : file.rigs)
    for (const ShapeSample& sample : rig.samples)
      if (sample.stiffness != 1)
        throw input_error(file.file + ": rig '" + rig.name +
                          "': linear flesh knows no rigs that stiffen it; use nonlinear " +
                          "elasticity, or leave out 'stiffness'.");
}

}  // namespace

std::unique_ptr<ShapeBody> shape_body(const CookedFlesh& flesh, const FleshSettings& settings,
                                      const ControlLattice* control) {
  std::unique_ptr<ShapeBody> body;
  if (control) {
    const LatticeGrid grid = grid_of_dynamics(*control, settings.lattice);
    body = lattice_shape_body(flesh.lattice, grid, lattice_fields(flesh, grid.tetrahedra.mesh).fill);
  } else {
    body = tetrahedral_shape_body(flesh.body, law_of(settings));
  }
  body->set_pose(std::vector<Affine>(flesh.surface.bones.size()));
  return body;
}

std::unique_ptr<StaticFlesh> static_flesh(const CookedFlesh& flesh, const FleshSettings& settings) {
  // The tetrahedra have the stiffness of the material, the lattice that of the look.
  if (flesh.lattice)
    return lattice_static_flesh(flesh.lattice, flesh.lattice->stiffness * mean_shear(flesh.body->description));
  return tetrahedral_static_flesh(flesh.body, law_of(settings));
}

std::shared_ptr<const ShapeForces> cook_shapes(const FleshSettings& settings, const CookedFlesh& flesh,
                                               const Character& character, ShapeBody& body, CookedRigs& kept) {
  const ShapeFile file = shapes_of_setting(settings.shapes);
  if (elasticity_of(settings) == Elasticity::linear) refuse_stiffening(file);
  std::vector<HeldControl> held;
  for (const std::string& text : settings.control) held.push_back(held_control_from(text));
  return std::make_shared<const ShapeForces>(file, held, character, flesh.surface, body, &kept);
}

}  // namespace sinew
