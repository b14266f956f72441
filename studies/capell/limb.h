// Accuracy for unknowns and time: the sag of a limb under its own weight by control lattices of rising resolution,
// beside tetrahedra.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A limb about an axis, in slices across it that have equally many vertices, the axis's first: a rigid core in the
// inner quarter of its radius holds it over part of its length.
struct LimbMesh {
  std::string name;
  TetrahedralMesh mesh;
  std::vector<int> core;  // vertices, held
  int tip = 0;            // whose sag is measured
};

// Around the limb's axis: wedges inside the core's surface, `layers` of hexahedra from there to the limb's. Without
// core cells, wedges reach from the axis to the limb's surface and the core is stiff matter in them.
struct LimbLatticeShape {
  int sectors = 6, layers = 1;
  bool core_cells = true;
  int every = 4;  // slice of the mesh is one of the lattice
  int levels = 1;
  SubdivisionScheme basis = SubdivisionScheme::trilinear;
  bool share_volume = true;
};

struct LimbRow {
  std::string method;  // the basis
  int levels = 0;      // of a lattice's basis; 0: tetrahedra
  int elements = 0;    // cells of the lattice, or tetrahedra
  int unknowns = 0;
  double sag = 0;           // metres, downward
  double milliseconds = 0;  // a step with the core swinging, median
  double iterations = 0;
};

struct LimbOptions {
  Material material{1e5, 0.45, 1000};
  double step = 0.01;  // seconds
  int steps = 40;      // timed
};

// The co-rotated energy's equilibrium, and steps of warped flesh.
LimbRow limb_of_tetrahedra(const LimbMesh& limb, Element element, const LimbOptions& options);
// The same on the tetrahedra that the cells of a lattice are cut into after one subdivision, those that hold matter.
LimbRow limb_in_cut_lattice(const LimbMesh& limb, const LimbLatticeShape& shape, const LimbOptions& options);
// Throws input_error for a mesh that is not in slices.
LimbRow limb_in_lattice(const LimbMesh& limb, const LimbLatticeShape& shape, const LimbOptions& options);

// Tetrahedra of every limb; lattices around the first one.
std::vector<LimbRow> limb_experiment(const std::vector<LimbMesh>& limbs, const LimbOptions& options = {},
                                     const Progress& progress = {});

}  // namespace sinew
