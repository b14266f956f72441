// A character's flesh on the functions of a control lattice (Capell 2004, chapters 4 and 5): integrals and embedding,
// before any system is factorised.
#pragma once

#include <memory>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/skinning.h"
#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/deform/lattice/cells/nodal_transform.h"
#include "sinew/deform/lattice/lattice_tissue.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// How a basis function is attached to the skeleton (section 5.1).
enum class FunctionRole : char {
  free,    // its coefficient is an unknown
  driven,  // inside a bone: its coefficient moves with the bone
  zero,    // detail inside a bone, which does not deform: its coefficient is always zero
  absent,  // detail with hardly any flesh: left out, its coefficient is always zero
};

// The elements of one level, whose strain decides which functions of the next level are active (section 4.7).
struct DetailLevel {
  std::vector<int> start{0};   // elements + 1
  std::vector<int> function;   // per entry: a function of this or a coarser level that does not vanish there
  std::vector<Vec3> gradient;  // per entry: mean over the flesh in the element, 1/m, rest space
  std::vector<int> cell;       // per element: the cell that contains it
  std::vector<int> child_start{0}, child;  // per element: the functions of the next level on it
};

struct LatticeDescription {
  // Per function.
  int coarse_functions = 0;  // number of functions of the coarsest level; they come first
  std::vector<int> level;    // 0 for the coarsest level
  std::vector<Vec3> rest;    // r_i, rest space, metres; zero for finer levels
  std::vector<Vec3> place;   // position of the function's vertex, rest space, metres
  std::vector<FunctionRole> role;
  std::vector<Influences> influences;  // skin weights: they predict the function's frame, and move it if it is driven
  std::vector<double> weight;          // int rho phi_i dV, kilograms
  // Weights of the blended linearisation's regions, which are those of bones; sum to 1. Empty: `influences`.
  std::vector<Influences> regions{};

  // Per cell. All flesh in a cell shares one rotation.
  CellMatrices cells;
  std::vector<Influences> cell_influences;
  std::vector<Vec3> cell_centre;    // centroid of the flesh in the cell, rest space, metres
  std::vector<double> cell_volume;  // volume of the flesh in the cell, cubic metres
  std::vector<Vec3> cell_gradient;  // per entry of cells.function: mean gradient of the function over the flesh, 1/m

  NodalTransform nodal;   // transform to nodal values; empty for one level, or a basis that has none
  StrainSamples samples;  // strain samples that `cells` was assembled from; may be empty where strain is linear
  LatticeTissue tissue;   // the same, for true elasticity; empty without

  std::vector<DetailLevel> detail_levels;  // one entry for each level but the finest

  // The embedded surface.
  SparseRows surface;                          // surface vertices x functions: values of the functions
  std::vector<Vec3> surface_rest;              // rest space, metres
  std::vector<Influences> surface_influences;  // skin weights
  Skinning skinning{};                         // how bones pose the goals of surface, functions and cells
  // With skinning that corrects the whole skin: SkinnedPoints::carried of the functions' vertices and of the cells;
  // else empty.
  SparseRows carried_functions{}, carried_cells{};
  std::vector<double> surface_limit;  // per surface vertex: display limit of the displacement, metres; empty: none
  // per surface vertex: farthest that obstacles push it away from the rig, metres; empty: any distance
  std::vector<double> push_reach{};
  // Fields of the surface's parts, by which skin stays out of other skin; null: it passes through itself.
  std::shared_ptr<const ImplicitSkin> creases{};

  bool free_body = false;  // no bone holds the body, whose static systems are then singular

  // Rayleigh damping of the motion relative to the goal, D = mass_damping M + stiffness_damping S.
  double mass_damping = 0;           // 1/s
  double stiffness_damping = 0;      // s
  std::vector<double> cell_damping;  // per cell: multiplier of both, or empty (all 1)
};

// Multiplies every elastic modulus and spring by `factor`.
void scale_stiffness(LatticeDescription& description, double factor);

}  // namespace sinew
