// A prepared character's flesh in a control lattice: the same materials, bones and look, on the lattice's basis.
#pragma once

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// The lattice's basis with what `scene` says about the flesh at every place: stiffness, fill, skin weights, bones. The
// lattice is in rest space. Its stiffness is scaled so that it sags as the look asks for, unless Young's modulus is
// given. Throws input_error naming the bone that the character does not have, or the surface vertex that is outside.
std::shared_ptr<const LatticeBody> prepare_lattice(const CookedFlesh& scene, const ControlLattice& lattice,
                                                   const FleshSettings& settings, const Progress& progress = {});

// The same up to what looks, stiffness, damping, gravity and time steps decide, as FleshBase is for tetrahedra.
struct LatticeBase {
  FleshSettings settings;                         // that it was made for
  LatticeDescription description;                 // as stiff as the material of the scene's body says
  std::shared_ptr<const LatticeSystems> systems;  // of it
  double young = 0;                               // pascals: of that material
  double sag = 0;                                 // metres, under one g, where nothing is painted on the lattice
};
LatticeBase prepare_lattice_base(const CookedFlesh& scene, const ControlLattice& lattice, const FleshSettings& settings,
                                 const Progress& progress = {});

// The lattice's body of these settings, which `scene` was cooked with (cook_flesh()): to the bit what
// prepare_lattice() makes of them. Throws usage_error where they ask for another base: recooks_between() says.
std::shared_ptr<const LatticeBody> cook_lattice_flesh(const LatticeBase& base, const CookedFlesh& scene,
                                                      const FleshSettings& settings, const Progress& progress = {});

}  // namespace sinew
