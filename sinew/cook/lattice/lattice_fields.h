// What a bound character says about the flesh at every place of a control lattice, from its body of tetrahedra.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

LatticeFields lattice_fields(const CookedFlesh& scene, const TetrahedralMesh& mesh);

// Skin weights of places in rest space, as the body has them there or where it is nearest.
std::vector<Influences> influences_at(const CookedFlesh& scene, std::span<const Vec3> places);

// Per bone of the lattice, the character's bone of its name. Throws input_error where there is none.
std::vector<int> bones_of_chains(const SimulationSurface& surface, const ControlLattice& lattice);

}  // namespace sinew
