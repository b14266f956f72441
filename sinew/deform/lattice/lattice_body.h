// The body of a character in a control lattice (Capell 2004, chapters 4 and 5): everything that does not change while
// it moves. Cooked once by cook_lattice(), then shared by any number of running deformers.
//
// The deformed body is p(x) = sum_i p_i phi_i(x). Functions of the coarsest level have coefficients that are positions,
// r_i at rest; those of finer levels carry detail and are zero at rest (section 4.2).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/deform/flesh/flesh_dynamics.h"
#include "sinew/deform/flesh/warping.h"
#include "sinew/deform/lattice/solver/lattice_systems.h"
#include "sinew/elastic/generalized_alpha.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

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
  generalized_alpha,  // second order, damping what the step cannot follow by the spectral radius
                      // (docs/time_stepping.md)
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
  std::shared_ptr<const LatticeSystems> systems;
  double stiffness = 1;  // every modulus and spring of the description, over that of `systems`
  SparseRows hold;       // functions x functions: Hessian of the bone displacement energy, N/m
  // Of one step's system at rest, as LatticeSystems has the static one's.
  BlockCholesky factor, coarse_factor;
  std::vector<Mat3> detail;

  const SparseRows& mass() const { return systems->mass; }
  std::size_t free_functions() const;

  // The share of a_n that Newmark's predictor has, p_n + h v_n + h^2 predictor_share() a_n: none in implicit Euler.
  double predictor_share() const { return run.integrator == LatticeIntegrator::implicit_euler ? 0 : 0.5 - method.beta; }

  // Factors of M and S in the system of one step.
  double mass_part() const;
  double stiffness_part() const;
  // The same with the cells' own damping: one entry, or one per cell.
  std::vector<CellFactors> step_factors() const;
};

// Factorises. Throws input_error where no function is free, simulation_error where a part of the body hangs on nothing,
// Stopped where `progress` asks for it.
std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, LatticeReference reference,
                                          const LatticeRun& run, const FleshDynamics& dynamics,
                                          const Progress& progress = {});
// The same of a description whose systems are there, `stiffness` times as stiff (scale_stiffness()).
std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, std::shared_ptr<const LatticeSystems> systems,
                                          double stiffness, LatticeReference reference, const LatticeRun& run,
                                          const FleshDynamics& dynamics, const Progress& progress = {});

// How far the surface hangs under its own weight: the displacement that 95 % of its vertices, by `share`, stay below,
// metres, the largest over gravity of 9.81 m/s^2 along the three axes.
double sag_under_gravity(const LatticeDescription& description, std::span<const double> share);

}  // namespace sinew
