// The elastic body of a character in a control lattice (Capell 2004, chapters 4 and 5): everything that does not change
// during simulation. Cooked once by cook_lattice(), then shared by any number of running deformers.
//
// The deformed body is p(x) = sum_i p_i phi_i(x). Coefficients p_i of the coarsest level are positions, r_i at rest;
// those of finer levels carry detail and are zero at rest (section 4.2).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/deform/flesh/flesh_dynamics.h"
#include "sinew/deform/flesh/quasi_newton_step.h"
#include "sinew/deform/flesh/warping.h"
#include "sinew/deform/lattice/solver/lattice_systems.h"
#include "sinew/elastic/generalized_alpha.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

enum class LatticeReference {
  rig,      // the surface as the rig poses it is the rest shape, in every pose
  elastic,  // elasticity decides the shape; the bones only hold the flesh
};

// How the equations are linearised (sections 4.3 and 5.2).
enum class Linearization {
  linear,   // about the rest shape
  quasi,    // about the rest shape in one floating frame of the whole body
  blended,  // about the rest shape in each bone's frame; the solutions are blended
  warped,   // about the rest shape in per-cell or per-vertex frames predicted by the skeleton
  none,     // not linearised: Green's strain, solved by Newton's method
};

struct LatticeAdaptation {
  bool on = false;
  std::vector<double> threshold;    // per level but the finest: strain above which the next level is switched on
  double deactivation_share = 0.5;  // fraction of `threshold` below which the next level is switched off
  int most_functions = 0;           // largest number of functions solved at a time; 0: no limit
  int every = 4;                    // number of steps between two choices of functions
};

enum class LatticeIntegrator {
  // second order; damps motion that the step cannot resolve according to its spectral radius (docs/time_stepping.md)
  generalized_alpha,
  implicit_euler,  // first order (section 4.5, after Baraff and Witkin 1998)
};

// How position constraints on surface points are solved (docs/constraints.md).
enum class HeldBy {
  subspace,  // steps are solved in the subspace that satisfies the constraints: met to rounding (section 4.8)
  // Lagrange multipliers, solved by MINRES, with Baumgarte stabilisation of violated constraints (3.5, 3.6)
  multipliers,
};

struct LatticeRun {
  LatticeIntegrator integrator = LatticeIntegrator::generalized_alpha;
  Linearization linearization = Linearization::warped;
  Warping warping = Warping::element;
  LatticeAdaptation adaptation;
  HeldBy held_by = HeldBy::subspace;
  // True elasticity; needs `warped`, element-wise, and constraints in the subspace. Empty: the linearisation's.
  std::optional<TissueStep> nonlinear;
};

// Immutable asset.
struct LatticeBody {
  LatticeDescription description;
  LatticeReference reference = LatticeReference::rig;
  LatticeRun run;
  FleshDynamics dynamics;
  GeneralizedAlpha method;
  std::shared_ptr<const LatticeSystems> systems;
  double stiffness = 1;  // ratio of every modulus and spring of the description to those of `systems`
  SparseRows hold;       // functions x functions: Hessian of the bone displacement energy, N/m
  // Factors of one step's system at rest; `systems` has those of the static system.
  BlockCholesky factor, coarse_factor;
  std::vector<Mat3> detail;

  const SparseRows& mass() const { return systems->mass; }
  std::size_t free_functions() const;

  // Coefficient c of Newmark's predictor p_n + h v_n + c h^2 a_n; zero for implicit Euler.
  double predictor_share() const { return run.integrator == LatticeIntegrator::implicit_euler ? 0 : 0.5 - method.beta; }

  // Factors of M and S in the system of one step, without per-cell damping.
  double mass_part() const;
  double stiffness_part() const;
  // Factors of mass, stiffness and bone energy in the system of one step, per-cell damping included: one entry for all
  // cells, or one per cell.
  std::vector<CellFactors> step_factors() const;
};

// Factorises the systems. Throws input_error if no function is free, simulation_error if a part of the body is attached
// to nothing, Stopped if `progress` requests it.
std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, LatticeReference reference,
                                          const LatticeRun& run, const FleshDynamics& dynamics,
                                          const Progress& progress = {});
// Reuses `systems`, which must be those of the same description before scale_stiffness() by the factor `stiffness`.
std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, std::shared_ptr<const LatticeSystems> systems,
                                          double stiffness, LatticeReference reference, const LatticeRun& run,
                                          const FleshDynamics& dynamics, const Progress& progress = {});

// Sag of the surface under its own weight, metres: 95 % of the vertices, weighted by `share`, are displaced by less.
// The largest of three results, with gravity of 9.81 m/s^2 along each axis.
double sag_under_gravity(const LatticeDescription& description, std::span<const double> share);

}  // namespace sinew
