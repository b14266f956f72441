// The force rigs of the settings' file, cooked for a body of flesh.
#pragma once

#include <memory>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/shape_forces.h"
#include "sinew/shape/static_flesh.h"

namespace sinew {

// The body that the flesh moves in, at rest. `control`: its control lattice; null: it moves in tetrahedra.
std::unique_ptr<ShapeBody> shape_body(const CookedFlesh& flesh, const FleshSettings& settings,
                                      const ControlLattice* control = nullptr);

// The flesh in which forces for target shapes are sought: in its lattice if there is one, else in tetrahedra.
std::unique_ptr<StaticFlesh> static_flesh(const CookedFlesh& flesh, const FleshSettings& settings);

// The rigs of the settings, cooked for the flesh. `body`: its shape_body(); `kept`: rigs cooked before for this body.
// Throws what shapes_of_setting() and ShapeForces throw.
std::shared_ptr<const ShapeForces> cook_shapes(const FleshSettings& settings, const CookedFlesh& flesh,
                                               const Character& character, ShapeBody& body, CookedRigs& kept);

}  // namespace sinew
