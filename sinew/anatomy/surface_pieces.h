// The connected pieces that a surface consists of: a body, eyes, teeth, plates, a belt.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

struct SurfacePiece {
  std::vector<int> vertices;  // indices into SimulationSurface::rest, ascending
  // The bone that carries the whole piece (each vertex by more than `one_bone`), or -1 where several do.
  int bone = -1;
  Vec3 low, high;  // corners of its bounding box, rest space, metres

  double extent() const;  // longest side of its bounding box, metres
};

// Share of a vertex's weight above which a single bone counts as carrying it.
inline constexpr double one_bone = 0.99;

// The bone that carries the vertex by that rule, or -1.
int only_bone(const Influences& influences);

// Distance, relative to the surface's longest side, below which vertices count as at the same place.
inline constexpr double same_place = 1e-5;

struct SurfacePieces {
  std::vector<SurfacePiece> pieces;  // in the order of their first vertex
  std::vector<int> of_vertex;        // per vertex: its piece, or -1 if no triangle uses it
};

// Triangles that meet at a place belong to the same piece, whatever the weights of their vertices there.
SurfacePieces surface_pieces(const SimulationSurface& surface);

}  // namespace sinew
