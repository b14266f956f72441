// Where a surface is a thin sheet: ears, fins, wings, capes. Told from its shape alone, by rays through it
// (docs/anatomy.md).
#pragma once

#include <vector>

#include "sinew/anatomy/surface_pieces.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

struct SurfaceSheet {
  std::vector<int> vertices;  // of SimulationSurface::rest, rising; of one piece
  std::vector<double> out;    // per vertex: the way over the sheet from where it begins, metres
  double longest = 0;         // metres: the largest of these
  double thickness = 0;       // metres: mean; 0 for what is open, one layer of triangles
  double flatness = 0;        // its width over that, mean; 0 for what is open
  double area = 0;            // square metres, both sides
  int bone = -1;              // that most of it follows
};

// Largest first. `left_out`: per vertex 1 where it is part of no sheet whatever its shape, or empty. `trunk`: per bone,
// whether it is in the middle of the body: where that is as thin as its limbs, as a ray's, only these are sheets.
std::vector<SurfaceSheet> surface_sheets(const SimulationSurface& surface, const SurfacePieces& pieces,
                                         std::vector<char> left_out, const std::vector<char>& trunk);

}  // namespace sinew
