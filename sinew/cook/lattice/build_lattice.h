// A control lattice for a character, with no manual step (docs/lattice_construction.md): coarse cells that enclose its
// surface snugly, with its bones as chains of edges.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

struct LatticeSettings {
  int cells = 400;  // number wanted; there are more where bones and separate parts need it
};

struct LatticeMeasures {
  std::size_t cells = 0, vertices = 0;
  int components = 0;                            // sets of cells connected by shared vertices
  double volume = 0;                             // of the cells, cubic metres
  double body_volume = 0;                        // of the solid that the surface encloses, cubic metres
  double smallest_angle = 0, largest_angle = 0;  // dihedral, degrees
  // Vertices of the surface, and samples between them, that no cell contains, and the largest distance of one, metres.
  int points_outside = 0;
  double farthest_outside = 0;
  int bones = 0, bones_followed = 0;
};

struct BuiltLattice {
  ControlLattice lattice;  // all cells are tetrahedra
  TetrahedralMesh mesh;    // cell c is tetrahedron c
  // The cell that carries each surface vertex. Where cells of separate parts overlap, it is one of the vertex's own
  // part.
  Embedding embedding;
  LatticeMeasures measures;
  std::vector<std::string> notes;  // bones that no chain follows and parts without a bone, as sentences for the user
};

// The fine body that a lattice is coarsened from, which lattices of similar numbers of cells have in common.
struct LatticeOrigin {
  VolumeMesh mesh;
  std::vector<Influences> influences;  // per vertex of the mesh; empty without skin weights
};

// Number of tetrahedra that the origin of a lattice of so many cells aims at. Throws usage_error for an impossible
// number of cells.
int tetrahedra_of_origin(int cells);
// Fills the surface with an origin of that many tetrahedra. Throws as build_lattice() does.
LatticeOrigin lattice_origin(const Character& character, const SimulationSurface& surface, int tetrahedra,
                             const Progress& progress = {});

// Builds the lattice. `surface` is what simulation_surface() returns. The result has the same bits for any number of
// threads. Throws usage_error for an impossible number of cells, input_error if the surface encloses nothing, and
// Stopped where `progress` asks for it.
BuiltLattice build_lattice(const Character& character, const SimulationSurface& surface,
                           const LatticeSettings& settings = {}, const Progress& progress = {});
// Builds it from an origin that was made for this surface and tetrahedra_of_origin().
BuiltLattice build_lattice(const LatticeOrigin& origin, const SimulationSurface& surface,
                           const LatticeSettings& settings, const Progress& progress = {});

}  // namespace sinew
