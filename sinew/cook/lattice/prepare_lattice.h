// Flesh of a prepared character in a control lattice: the same materials, bones and look, on the lattice's basis.
#pragma once

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// The body on the lattice's basis, with stiffness, fill, skin weights and bones sampled from `flesh`. The lattice is in
// rest space. Its stiffness is scaled so that it sags as the look asks for, unless Young's modulus is given. Throws
// input_error that names the bone that the character does not have, or the surface vertex outside the lattice.
std::shared_ptr<const LatticeBody> prepare_lattice(const CookedFlesh& flesh, const ControlLattice& lattice,
                                                   const FleshSettings& settings, const Progress& progress = {});

// The grid of the functions that the flesh moves by.
LatticeGrid grid_of_dynamics(const ControlLattice& lattice, const LatticeDiscretization& settings);

// The part of the preparation that looks, stiffness, damping, gravity and time steps do not influence; compare
// FleshBase.
struct LatticeBase {
  std::uint64_t body_settings = 0;                // of what the base was made with (body_settings())
  LatticeDescription description;                 // with the stiffness of the tetrahedral body's material
  std::shared_ptr<const LatticeSystems> systems;  // of `description`
  double young = 0;                               // pascals, of that material
  double sag = 0;                                 // metres, under one g, without paint on the lattice; 0: free body
};
LatticeBase prepare_lattice_base(const CookedFlesh& flesh, const ControlLattice& lattice, const FleshSettings& settings,
                                 const Progress& progress = {});

// The lattice body with these settings, which `flesh` was cooked with (cook_flesh()); has the bits of
// prepare_lattice(). Throws usage_error if the settings need another base.
std::shared_ptr<const LatticeBody> cook_lattice_flesh(const LatticeBase& base, const CookedFlesh& flesh,
                                                      const FleshSettings& settings, const Progress& progress = {});

}  // namespace sinew
