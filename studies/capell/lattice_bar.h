// The bar on two bones that the experiments with control lattices bend.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "studies/capell/posed_lattice.h"

namespace sinew {

// Along x from 0, about the axis y = z = 0, with square cells of width / across.
struct LatticeBarShape {
  int along = 8, across = 2;         // cells of the coarsest level; even
  int levels = 2;                    // of the basis
  double length = 0.6, width = 0.1;  // metres
  double blend = 0.2;                // metres of the axis around the joint over which skin weights pass over
  double core = 0.3;  // radius around the bones held by the bone displacement energy, over half the width
  double young = 2e4, poisson = 0.45;  // pascals
  double bone_stiffness = 1e8;         // of the bone displacement energy in the core, N/m per m^3
  bool share_volume = false;           // the thesis does not
};

struct LatticeBar {
  LatticeBarShape shape;
  ControlLattice lattice;  // bones "near" and "far" meet half way
  LatticeGrid grid;
  Vec3 joint;
};

// Throws usage_error for odd or too few cells.
LatticeBar make_lattice_bar(const LatticeBarShape& shape);

// Cooked for elasticity that decides the shape, without weight. The body carries all vertices of bar.grid.
std::shared_ptr<const LatticeBody> cook_bar(const LatticeBar& bar, const Linearized& how);

// Rest to world of both bones, the far one turned about z at the joint.
std::vector<Affine> bent(const LatticeBar& bar, double degrees);

// Area of the section that is at x at rest, over its area at rest: of the least plane shadow, the length of its vector
// area. `positions` of all vertices of bar.grid.
double section_area(const LatticeBar& bar, std::span<const Vec3> positions, double x);

// The thickness of the bar at the joint within the plane of the bend, over its width.
double joint_thickness(const LatticeBar& bar, std::span<const Vec3> positions);

}  // namespace sinew
