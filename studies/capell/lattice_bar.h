// A bar on two bones for the experiments with control lattices.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "studies/capell/posed_lattice.h"

namespace sinew {

// The bar's axis is x from 0, at y = z = 0; its cells are cubes of width / across.
struct LatticeBarShape {
  int along = 8, across = 2;         // cells of the coarsest level; even numbers
  int levels = 2;                    // of the basis
  double length = 0.6, width = 0.1;  // metres
  double blend = 0.2;                // length along the axis, around the joint, over which skin weights blend, metres
  double core = 0.3;  // radius around the bones in which the bone displacement energy acts, relative to half the width
  double young = 2e4, poisson = 0.45;  // pascals
  double bone_stiffness = 1e8;         // of the bone displacement energy in the core, N/m per m^3
  bool share_volume = false;           // false as in the thesis
};

struct LatticeBar {
  LatticeBarShape shape;
  ControlLattice lattice;  // with bones "near" and "far" that meet in the middle
  LatticeGrid grid;
  Vec3 joint;
};

// Throws usage_error for odd or too few cells.
LatticeBar make_lattice_bar(const LatticeBarShape& shape);

// Cooks the bar for static shapes under elasticity, without weight. Its surface consists of all vertices of bar.grid.
std::shared_ptr<const LatticeBody> cook_bar(const LatticeBar& bar, const Linearized& how);

// Rest to world maps of both bones, with the far one rotated about z at the joint.
std::vector<Affine> bent(const LatticeBar& bar, double degrees);

// Area of the section that is at x at rest, relative to its area at rest. The area is the length of its vector area,
// which is that of its smallest projection. `positions` of all vertices of bar.grid.
double section_area(const LatticeBar& bar, std::span<const Vec3> positions, double x);

// Thickness of the bar at the joint in the plane of the bend, relative to its width.
double joint_thickness(const LatticeBar& bar, std::span<const Vec3> positions);

}  // namespace sinew
