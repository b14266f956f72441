// Detection of thin shells in a surface: ears, fins, wings, capes. Uses only its shape, by rays through it
// (docs/anatomy.md).
#pragma once

#include <vector>

#include "sinew/anatomy/surface_pieces.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

struct SurfaceShell {
  std::vector<int> vertices;  // indices into SimulationSurface::rest, ascending; all of one piece
  std::vector<double> out;    // per vertex: distance along the shell from its root, metres
  double longest = 0;         // largest of `out`, metres
  double thickness = 0;       // mean, metres; 0 for an open shell, a single layer of triangles
  double flatness = 0;        // mean ratio of width to thickness; 0 for an open shell
  double area = 0;            // square metres, both sides
  int bone = -1;              // the bone that most of it follows
};

// Returns the largest first. `left_out`: per vertex 1 to exclude it whatever its shape; may be empty. `trunk`: per
// bone, whether it is in the middle of the body. Where the trunk itself is as thin as the limbs, as that of a ray, only
// these are shells.
std::vector<SurfaceShell> surface_shells(const SimulationSurface& surface, const SurfacePieces& pieces,
                                         std::vector<char> left_out, const std::vector<char>& trunk);

}  // namespace sinew
