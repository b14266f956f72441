// Accuracy relative to unknowns and time: the sag of a limb under its own weight, with control lattices of increasing
// resolution and with tetrahedra.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A limb around an axis, in slices with equally many vertices each, the one on the axis first. A rigid core in the
// inner quarter of its radius holds it over part of its length.
struct LimbMesh {
  std::string name;
  TetrahedralMesh mesh;
  std::vector<int> core;  // held vertices
  int tip = 0;            // vertex whose sag is measured
};

// A lattice around the limb's axis: wedges inside the core's surface, and `layers` of hexahedra from there to the
// limb's surface. Without core cells, wedges reach from the axis to the limb's surface and the core is stiff material
// in them.
struct LimbLatticeShape {
  int sectors = 6, layers = 1;
  bool core_cells = true;
  int every = 4;  // every so many slices of the mesh are a slice of the lattice
  int levels = 1;
  SubdivisionScheme basis = SubdivisionScheme::trilinear;
  bool share_volume = true;
};

struct LimbRow {
  std::string method;  // name of the basis
  int levels = 0;      // of a lattice's basis; 0: tetrahedra
  int elements = 0;    // cells of the lattice, or tetrahedra
  int unknowns = 0;
  double sag = 0;           // metres, downward
  double milliseconds = 0;  // per step while the core swings, median
  double iterations = 0;
};

struct LimbOptions {
  Material material{1e5, 0.45, 1000};
  double step = 0.01;  // seconds
  int steps = 40;      // number of timed steps
};

// Equilibrium of the co-rotated energy, and timed steps of warped flesh.
LimbRow limb_of_tetrahedra(const LimbMesh& limb, Element element, const LimbOptions& options);
// The same measurements on the tetrahedra into which the lattice's cells are divided after one subdivision, without
// empty ones.
LimbRow limb_in_cut_lattice(const LimbMesh& limb, const LimbLatticeShape& shape, const LimbOptions& options);
// Throws input_error for a mesh that is not in slices.
LimbRow limb_in_lattice(const LimbMesh& limb, const LimbLatticeShape& shape, const LimbOptions& options);

// Results for tetrahedra in every limb, and for lattices around the first one.
std::vector<LimbRow> limb_experiment(const std::vector<LimbMesh>& limbs, const LimbOptions& options = {},
                                     const Progress& progress = {});

}  // namespace sinew
