// Draws the outer nodes of a body mesh in towards the surface that it carries, as far as the elements
// stay well-shaped and every point of the surface stays covered.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/embedding.h"
#include "sinew/mesh/volume/piece_joining.h"
#include "sinew/mesh/volume/solid_sampling.h"

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
  int sweeps = 5;
  double shortest_step = 0;     // what would move less stays, in cells
  bool in_few_lengths = false;  // a node goes the first of 1, 0.6, 0.36 and 0.216 of its step that is allowed
};

// For what decides by yes or no on the shapes of elements, as the coarsening of a lattice does. Steps whose length
// depends continuously on the surface pass its rounding on, some ten times as large; steps of few lengths pass on none,
// but for a node in a character or two that takes another length.
inline FitOptions fit_in_few_lengths() {
  FitOptions options;
  options.sweeps = 3;
  options.shortest_step = 0.01;
  options.in_few_lengths = true;
  return options;
}
void fit_boundary(const SolidSampling& sampling, const CoveragePoints& points, JoinedPieces& joined,
                  const FitOptions& options = {});

}  // namespace sinew
