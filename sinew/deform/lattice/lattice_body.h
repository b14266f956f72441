// The body of a character in a control lattice (Capell 2004, chapters 4 and 5): everything that does not change while it
// moves. Cooked once by cook_lattice(), then shared by any number of running deformers.
//
// The deformed body is p(x) = sum_i p_i phi_i(x). Functions of the coarsest level have coefficients that are positions,
// r_i at rest; those of finer levels carry detail and are zero at rest (section 4.2).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/deform/lattice/cell_matrices.h"
#include "sinew/deform/lattice/nodal_transform.h"
#include "sinew/deform/flesh/flesh_dynamics.h"
#include "sinew/deform/flesh/warping.h"
#include "sinew/elastic/generalized_alpha.h"
#include "sinew/linalg/cholesky.h"
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
  std::vector<int> start{0};      // elements + 1
  std::vector<int> function;      // per entry: those of this level and coarser ones on the element
  std::vector<Vec3> gradient;     // per entry: mean over the flesh in the element, 1/m, rest space
  std::vector<int> cell;          // per element, the cell that it is a piece of
  std::vector<int> child_start{0}, child;  // per element, the functions of the next level on it
};

struct LatticeDescription {
  // Per function.
  int coarse_functions = 0;            // those with positions at rest come first
  std::vector<int> level;              // 0 for those
  std::vector<Vec3> rest;              // r_i, rest space, metres; zero for finer levels
  std::vector<Vec3> place;             // of the vertex that the function belongs to, rest space, metres
  std::vector<FunctionRole> role;
  std::vector<Influences> influences;  // over the bones: they predict its frame, and move it where it is driven
  std::vector<double> weight;          // int rho phi_i dV, kilograms

  // Per cell: what shares one rotation.
  CellMatrices cells;
  std::vector<Influences> cell_influences;
  std::vector<Vec3> cell_centre;  // of the flesh in it, rest space, metres
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

  // Rayleigh damping of the motion relative to the goal, D = mass_damping M + stiffness_damping S.
  double mass_damping = 0;       // 1/s
  double stiffness_damping = 0;  // s
  std::vector<double> cell_damping;  // per cell: multiplier of both, or empty (all 1)
};

enum class LatticeReference {
  rig,      // the rig's shape is the rest shape, in every pose
  elastic,  // elasticity decides the shape
};

// How the equations are made linear (sections 4.3 and 5.2).
enum class Linearization {
  linear,   // about the rest shape
  quasi,    // about the rest shape in one floating frame
  blended,  // about the rest shape in each bone's frame, solutions blended
  warped,   // about the rest shape in frames that the skeleton predicts everywhere
  none,     // not: Green's strain, by Newton's method
};

struct LatticeAdaptation {
  bool on = false;
  std::vector<double> threshold;    // per level but the finest: strain that switches the next one on
  double deactivation_share = 0.5;  // of it: strain below which that is switched off
  int most_functions = 0;           // solved at a time, 0: any number
  int every = 4;                    // steps from one choice to the next
};

enum class LatticeIntegrator {
  generalized_alpha,  // second order, damping what the step cannot follow by the spectral radius (docs/time_stepping.md)
  implicit_euler,     // first order: section 4.5, after Baraff and Witkin (1998)
};

// How points of the surface are held (docs/constraints.md).
enum class HeldBy {
  subspace,     // steps are solved within what the points leave free: met to rounding (section 4.8)
  multipliers,  // Lagrange's, by MINRES, with Baumgarte's stabilisation: comes back softly where violated (3.5, 3.6)
};

struct LatticeRun {
  LatticeIntegrator integrator = LatticeIntegrator::generalized_alpha;
  Linearization linearization = Linearization::warped;
  Warping warping = Warping::element;
  LatticeAdaptation adaptation;
  HeldBy held_by = HeldBy::subspace;
};

// Immutable asset.
struct LatticeBody {
  LatticeDescription description;
  LatticeReference reference = LatticeReference::rig;
  LatticeRun run;
  FleshDynamics dynamics;
  GeneralizedAlpha method;
  SparseRows mass, hold;  // functions x functions: M, kilograms, and the bone displacement energy's Hessian, N/m
  // At rest: of one step's system and of the static one, S with the bone displacement energy.
  BlockCholesky factor, static_factor;                // over all free functions, or the values at factor_function
  std::vector<int> factor_function;                   // functions that `factor` is over, ascending
  BlockCholesky coarse_factor, coarse_static_factor;  // over those of the coarsest level
  std::vector<Mat3> detail, static_detail;            // per function: inverse of its block of the diagonal

  std::size_t free_functions() const;

  // The share of a_n that Newmark's predictor has, p_n + h v_n + h^2 predictor_share() a_n: none in implicit Euler.
  double predictor_share() const {
    return run.integrator == LatticeIntegrator::implicit_euler ? 0 : 0.5 - method.beta;
  }

  // Factors of M and S in the system of one step.
  double mass_part() const;
  double stiffness_part() const;
  // The same with the cells' own damping: one entry, or one per cell.
  std::vector<CellFactors> step_factors() const;
};

// Factorises. Throws input_error where no function is free, simulation_error where a part of the body hangs on nothing,
// Stopped where `progress` asks for it.
std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, LatticeReference reference, const LatticeRun& run,
                                          const FleshDynamics& dynamics, const Progress& progress = {});

// Multiplies every elastic modulus and spring.
void scale_stiffness(LatticeDescription& description, double factor);

// How far the surface hangs under its own weight: the displacement that 95 % of its vertices, by `share`, stay below,
// metres, the largest over gravity of 9.81 m/s^2 along the three axes.
double sag_under_gravity(const LatticeDescription& description, std::span<const double> share);

}  // namespace sinew
