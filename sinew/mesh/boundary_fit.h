// Draws the outer nodes of a body mesh in towards the surface that it carries, as far as the elements
// stay well-shaped and every point of the surface stays covered.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/embedding.h"
#include "sinew/mesh/piece_joining.h"
#include "sinew/mesh/solid_sampling.h"

namespace sinew {

// Points of the surface that the mesh must cover, each with the elements that may carry it: those in
// whose piece of the solid it lies. The vertices of the surface come first, one for one, then points
// between them where triangles are large.
struct CoveragePoints {
  std::vector<Vec3> positions;
  Rows elements;
};
CoveragePoints coverage_points(const SolidSampling& sampling, const LatticeMesh& lattice, const JoinedPieces& joined,
                               double growth);

// Per element, 0 where it belongs to a connected body of elements that carries nothing of its own:
// every point it holds lies, within `tolerance` metres, in elements of other bodies too. Such scraps
// remain where the surface just grazes a tetrahedron.
std::vector<char> elements_with_purpose(const JoinedPieces& joined, const CoveragePoints& points, double tolerance);

struct FitOptions {
  double margin = 0.05;                             // nodes stop this far outside the surface, in cells
  double tolerance = 0.01;                          // a point this far outside its element counts as covered, in cells
  double smallest_angle = 15, largest_angle = 152;  // dihedral angles kept, degrees
  int sweeps = 3;
};
void fit_boundary(const SolidSampling& sampling, const CoveragePoints& points, JoinedPieces& joined,
                  const FitOptions& options = {});

}  // namespace sinew
