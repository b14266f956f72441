// From a control lattice and what the flesh is like in it to the description that cook_lattice() takes.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/elastic/basis_integrals.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// A lattice as it is integrated over. Functions count as linear on its tetrahedra, which are one level finer.
struct LatticeGrid {
  SubdivisionScheme scheme = SubdivisionScheme::trilinear;
  int levels = 1;  // of the hierarchical basis
  SubdividedLattice subdivided;
  LatticeTetrahedra tetrahedra;
  SparseRows values;  // of the functions at the vertices of the tetrahedra
  TetrahedronBasis basis;
  std::vector<int> cell;  // per tetrahedron, of the coarsest lattice

  std::size_t functions() const { return static_cast<std::size_t>(values.columns); }
  std::span<const Vec3> places() const {
    return {subdivided.positions.data(), functions()};
  }  // of the functions' vertices
};

// Functions of MLCA are those of fitted_mlca.h. Throws what subdivide() throws.
LatticeGrid lattice_grid(const ControlLattice& lattice, SubdivisionScheme scheme, int levels);

// The flesh in each of a grid's tetrahedra.
struct LatticeFields {
  std::vector<double> fill;            // share inside the body, 0 to 1
  std::vector<double> young;           // pascals; of no matter where nothing is inside
  std::vector<double> poisson;         // or empty: the material's
  std::vector<double> density;         // kg/m^3, times the share inside
  std::vector<double> bone_stiffness;  // of the bone displacement energy, N/m per m^3, times the share inside
  std::vector<double> damping;         // multiplier of the Rayleigh damping, or empty (all 1)
  std::vector<Influences> influences;  // of the bones, at its middle
};

struct LatticeOnBones {
  std::vector<int> bone_of_chain;      // per bone of the lattice, the index of the bone that moves it
  std::size_t bones = 0;               // in all
  std::vector<Influences> influences;  // per function of the grid
};

struct LatticeStrain {
  Material material;
  bool keep_samples = false;  // for nonlinear elasticity
  // Measure change of volume as a mean over each cell, so that functions which cannot follow it everywhere need not.
  bool share_volume = true;
  // What cells that hold flesh are filled with where they hold none: as shares of the flesh's own stiffness and
  // density. Without it functions that flesh hardly reaches have next to no equation, and systems no good inverse.
  double least_stiffness = 0.01, least_density = 0.001;
  // Detail is left out where less than this share of its square integral lies in flesh.
  double least_share = 0.05;
};

// Everything but the surface. Functions of cells without flesh are driven by the rig, or left out where they are
// detail.
LatticeDescription describe_lattice(const ControlLattice& lattice, const LatticeGrid& grid, const LatticeFields& fields,
                                    const LatticeOnBones& on_bones, const LatticeStrain& strain);

// The mean of influences, weighted, cut to the heaviest bones.
class InfluenceMean {
 public:
  explicit InfluenceMean(std::size_t bones) : weight_(bones, 0.0) {}
  void add(const Influences& influences, double weight);
  Influences take();  // and begins anew

 private:
  std::vector<double> weight_;
  std::vector<int> used_;
};

}  // namespace sinew
