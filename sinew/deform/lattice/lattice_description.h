// A character's flesh on the functions of a control lattice (Capell 2004, chapters 4 and 5): what is integrated and
// embedded, before any system is factorised.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/deform/lattice/cells/nodal_transform.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// What the skeleton does with a basis function (section 5.1).
enum class FunctionRole : char {
  free,    // its coefficient is an unknown
  driven,  // on a bone: its coefficient moves with the bone
  zero,    // detail on a bone, which stays straight: its coefficient is always zero
  absent,  // detail that is hardly in the flesh: left out, its coefficient is always zero
};

// The elements of one level, whose deformation decides on the functions of the next (section 4.7).
struct DetailLevel {
  std::vector<int> start{0};               // elements + 1
  std::vector<int> function;               // per entry: those of this level and coarser ones on the element
  std::vector<Vec3> gradient;              // per entry: mean over the flesh in the element, 1/m, rest space
  std::vector<int> cell;                   // per element, the cell that it is a piece of
  std::vector<int> child_start{0}, child;  // per element, the functions of the next level on it
};

struct LatticeDescription {
  // Per function.
  int coarse_functions = 0;  // those with positions at rest come first
  std::vector<int> level;    // 0 for those
  std::vector<Vec3> rest;    // r_i, rest space, metres; zero for finer levels
  std::vector<Vec3> place;   // of the vertex that the function belongs to, rest space, metres
  std::vector<FunctionRole> role;
  std::vector<Influences> influences;  // over the bones: they predict its frame, and move it where it is driven
  std::vector<double> weight;          // int rho phi_i dV, kilograms

  // Per cell: what shares one rotation.
  CellMatrices cells;
  std::vector<Influences> cell_influences;
  std::vector<Vec3> cell_centre;    // of the flesh in it, rest space, metres
  std::vector<double> cell_volume;  // of the flesh in it, cubic metres
  std::vector<Vec3> cell_gradient;  // per entry of cells.function: mean gradient of the function over the flesh, 1/m

  NodalTransform nodal;   // of the basis, where it has one and more than one level
  StrainSamples samples;  // what `cells` is made of; may be empty where strain is linear

  std::vector<DetailLevel> detail_levels;  // one less than levels of the basis

  // The surface that the body carries.
  SparseRows surface;                          // its vertices x functions: values
  std::vector<Vec3> surface_rest;              // rest space, metres
  std::vector<Influences> surface_influences;  // skin weights
  std::vector<double> surface_limit;           // displacement that is shown at most, metres, or empty
  std::vector<double> push_reach{};            // how far obstacles push it away from the rig at most, metres, or empty

  // Rayleigh damping of the motion relative to the goal, D = mass_damping M + stiffness_damping S.
  double mass_damping = 0;           // 1/s
  double stiffness_damping = 0;      // s
  std::vector<double> cell_damping;  // per cell: multiplier of both, or empty (all 1)
};

// Multiplies every elastic modulus and spring.
void scale_stiffness(LatticeDescription& description, double factor);

}  // namespace sinew
