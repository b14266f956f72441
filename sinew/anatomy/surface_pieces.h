// The connected pieces that an artist's surface is made of: a body, eyes, teeth, plates, a belt.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

struct SurfacePiece {
  std::vector<int> vertices;  // of SimulationSurface::rest, rising
  // The one bone that carries all of the piece (each vertex by more than `one_bone`), or -1 where several do.
  int bone = -1;
  Vec3 low, high;  // of its box: rest space, metres

  double extent() const;  // longest side of its box, metres
};

// A vertex is carried by one bone where that has more than this share of its weight.
inline constexpr double one_bone = 0.99;

// That bone, or -1.
int only_bone(const Influences& influences);

// Vertices this near, as a share of the surface's longest side, stand at one place.
inline constexpr double same_place = 1e-5;

struct SurfacePieces {
  std::vector<SurfacePiece> pieces;  // in the order of their first vertex
  std::vector<int> of_vertex;        // per vertex: its piece, or -1 where no triangle names it
};

// Triangles that share a place are of one piece, whatever the weights of their vertices there.
SurfacePieces surface_pieces(const SimulationSurface& surface);

}  // namespace sinew
