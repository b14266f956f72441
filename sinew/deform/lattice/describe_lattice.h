// Builds the description that cook_lattice() takes from a control lattice and the flesh in it.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/elastic/basis_integrals.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// A control lattice prepared for integration. Basis functions count as linear on its tetrahedra, which are one
// subdivision level finer than the basis.
struct LatticeGrid {
  SubdivisionScheme scheme = SubdivisionScheme::trilinear;
  int levels = 1;  // levels of the hierarchical basis
  SubdividedLattice subdivided;
  LatticeTetrahedra tetrahedra;
  SparseRows values;  // functions at the vertices of the tetrahedra
  TetrahedronBasis basis;
  std::vector<int> cell;  // per tetrahedron: index of its cell in the coarsest lattice

  std::size_t functions() const { return static_cast<std::size_t>(values.columns); }
  std::span<const Vec3> places() const {
    return {subdivided.positions.data(), functions()};
  }  // of the functions' vertices, rest space, metres
};

// For the MLCA scheme the functions are those of fitted_mlca.h. Throws what subdivide() throws.
LatticeGrid lattice_grid(const ControlLattice& lattice, SubdivisionScheme scheme, int levels);

// Material of the flesh in each tetrahedron of a grid; every vector has one entry per tetrahedron.
struct LatticeFields {
  std::vector<double> fill;            // fraction of the volume inside the body, 0 to 1
  std::vector<double> young;           // Young's modulus, pascals; unused where nothing is inside
  std::vector<double> poisson;         // Poisson's ratio; empty: the material's
  std::vector<double> density;         // kg/m^3, times `fill`
  std::vector<double> bone_stiffness;  // bone displacement energy, N/m per m^3, times `fill`
  std::vector<double> damping;         // multiplier of the Rayleigh damping, or empty (all 1)
  std::vector<Influences> influences;  // skin weights at the tetrahedron's centre
};

struct LatticeOnBones {
  std::vector<int> bone_of_chain;      // per bone of the lattice: index of the character's bone that moves it
  std::size_t bones = 0;               // number of the character's bones
  std::vector<Influences> influences;  // per function of the grid
};

struct LatticeStrain {
  Material material;
  bool keep_samples = false;  // for Green's strain
  bool keep_tissue = false;   // for true elasticity
  // True: volume change is measured as a mean over each cell, which avoids locking of functions that cannot follow it
  // everywhere.
  bool share_volume = true;
  // Stiffness and density of the filling of cells that are only partly flesh, as fractions of the flesh's own. Zero
  // leaves functions that flesh hardly reaches without an equation, and makes the systems ill-conditioned.
  double least_stiffness = 0.01, least_density = 0.001;
  // Detail functions with less than this fraction of their square integral in flesh are left out.
  double least_share = 0.05;
};

// Fills in everything but the surface. In cells without flesh, functions of the coarsest level are driven by the rig,
// and detail functions are left out.
LatticeDescription describe_lattice(const ControlLattice& lattice, const LatticeGrid& grid, const LatticeFields& fields,
                                    const LatticeOnBones& on_bones, const LatticeStrain& strain);

// Accumulates the weighted mean of influences, cut to the heaviest bones.
class InfluenceMean {
 public:
  explicit InfluenceMean(std::size_t bones) : weight_(bones, 0.0) {}
  void add(const Influences& influences, double weight);
  Influences take();  // returns the mean and starts over

 private:
  std::vector<double> weight_;
  std::vector<int> used_;
};

}  // namespace sinew
