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

namespace sinew {

struct LatticeSettings {
  int cells = 400;  // aimed at; there are more where bones and separate parts ask for it
};

struct LatticeMeasures {
  std::size_t cells = 0, vertices = 0;
  int components = 0;                            // sets of cells connected by shared vertices
  double volume = 0;                             // of the cells, cubic metres
  double body_volume = 0;                        // of the solid that the surface encloses, cubic metres
  double smallest_angle = 0, largest_angle = 0;  // dihedral, degrees
  // Points of the surface, vertices and samples between them, that no cell holds, and the farthest: metres.
  int points_outside = 0;
  double farthest_outside = 0;
  int bones = 0, bones_followed = 0;
};

struct BuiltLattice {
  ControlLattice lattice;  // all cells are tetrahedra
  TetrahedralMesh mesh;    // the same: cell c is tetrahedron c
  // Per vertex of the surface the cell that carries it: where cells of separate parts overlap, that of its own part.
  Embedding embedding;
  LatticeMeasures measures;
  std::vector<std::string> notes;  // bones that are not followed, parts without a bone, for people
};

// `surface` as simulation_surface() gives it. Same input, same lattice, to the bit, for any number of threads. Throws
// Error(usage, ...) for an impossible number of cells, input_error where the surface encloses nothing, and Stopped
// where `progress` asks for it.
BuiltLattice build_lattice(const Character& character, const SimulationSurface& surface,
                           const LatticeSettings& settings = {}, const Progress& progress = {});

}  // namespace sinew
