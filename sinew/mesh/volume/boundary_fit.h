// Fits the boundary of a body mesh to the surface that it carries: boundary nodes move inwards as far as the elements
// stay well-shaped and every point of the surface stays covered.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/embedding.h"
#include "sinew/mesh/volume/piece_joining.h"
#include "sinew/mesh/volume/solid_sampling.h"

namespace sinew {

// Points of the surface that the mesh must cover, each with the elements that may carry it: those whose piece of the
// solid contains it. The vertices of the surface come first, in their order, then points between them on large
// triangles.
struct CoveragePoints {
  std::vector<Vec3> positions;
  Rows elements;
};
CoveragePoints coverage_points(const SolidSampling& sampling, const LatticeMesh& lattice, const JoinedPieces& joined,
                               double growth);

// Per element, 0 if it belongs to a connected group of elements that carries no points of its own: every point in it
// is, within `tolerance` metres, also in elements of other groups. Such remains occur where the surface barely touches
// a tetrahedron.
std::vector<char> elements_with_purpose(const JoinedPieces& joined, const CoveragePoints& points, double tolerance);

struct FitOptions {
  double margin = 0.05;     // distance outside the surface at which nodes stop, in cells
  double tolerance = 0.01;  // a point this far outside its element still counts as covered, in cells
  double smallest_angle = 15, largest_angle = 152;  // dihedral angles kept, degrees
  int sweeps = 5;
  double shortest_step = 0;     // shorter moves are left out, in cells
  bool in_few_lengths = false;  // nodes move by the largest allowed of 1, 0.6, 0.36 and 0.216 of their step
};

// Options for code that makes discrete decisions about the shapes of elements, such as the coarsening of a lattice.
// Steps whose length depends continuously on the surface amplify its rounding about ten times; steps of a few fixed
// lengths do not, except for the rare node that takes another length.
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
