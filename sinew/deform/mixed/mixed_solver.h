// Static equilibrium of a mixed body in one pose after another. Every pose is solved from rest, so that its result does
// not depend on earlier poses (except with start_from_last_pose), and the rest pose reproduces the rest shape exactly.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/mixed_contacts.h"

namespace sinew {

class MixedContactSet;

// Solver for linear systems whose matrix depends on the rotations. If it does not (condenses_to_poisson()), one factor
// serves all poses.
enum class MixedLinearSolver {
  // Conjugate gradients, preconditioned by the factor of the Poisson matrix with the shear moduli, computed once. Falls
  // back to `direct` for bodies with kappa far below mu, where that preconditioner is poor, and for systems that do not
  // converge.
  iterative,
  direct,  // factorises each system
};

struct MixedSolverOptions {
  double tolerance = 1e-8;  // Newton: stop when |residual| <= tolerance * residual of the first step
  int max_solves = 100;     // Newton: limit of linear solves per pose
  MixedLinearSolver linear_solver = MixedLinearSolver::iterative;
  // Quadratic energies, iterative: stop when |b - A x| <= linear_tolerance * |b - A x_0|, norms over all free vertices.
  // x_0 is the solution of the Poisson problem (that of ARAP), whose residual is due to the volume part of the energy;
  // it vanishes for rigid motion and does not depend on where the character stands.
  double linear_tolerance = 1e-4;
  // Quadratic energies, iterative: start from the volume stresses of the previous pose, which are independent of
  // rotation. Saves iterations if consecutive poses differ little; results then depend on earlier poses within the
  // tolerance.
  bool start_from_last_pose = false;
};

struct MixedStatistics {
  int solves = 0;       // linear solves: one if Psi is quadratic, none if the load is already in balance
  double residual = 0;  // relative, as defined in the options; 0 for direct solutions with quadratic Psi
  int iterations = 0;   // iterations of conjugate gradients in all solves
};

// Quadratic energies take one linear solve. Other energies take Newton's method in (x, S, lambda) with R fixed: the
// first step expands Psi about S = I for any rotations, later steps about the current stretches, shortened if they do
// not lower the condensed energy.
class MixedSolver {
 public:
  explicit MixedSolver(std::shared_ptr<const MixedBody> body, const MixedSolverOptions& options = {});
  ~MixedSolver();

  // Computes positions (n, metres, world). Throws usage_error if the load does not fit the body (check_load), and
  // simulation_error if the matrix is not positive definite, which happens only without resistance to skew, or if
  // Newton's method finds no equilibrium.
  MixedStatistics solve(const MixedLoad& load, std::vector<Vec3>& positions);

  // Solves with colliders that surface points must not enter, and reports the contact forces in `contacts`
  // (mixed_contacts.h). Sliding points stay in their planes within the depth of the options, but for those that hang on
  // held vertices. If nothing touches or slides, the result has the same bits as that of the other solve(). Throws
  // usage_error for points on vertices that the body does not have and for invalid colliders (check_colliders), and
  // simulation_error if no forces keep the points out, as between two overlapping colliders.
  MixedStatistics solve(const MixedLoad& load, const SurfacePoints& surface, const Colliders& colliders,
                        std::vector<Vec3>& positions, MixedContacts& contacts, const MixedContactOptions& options = {},
                        std::span<const SlidingPoint> sliding = {});

  // Treats the next pose as the first one, at the beginning of a range of frames: results do not depend on what was
  // solved before.
  void forget_last_pose();

 private:
  struct Workspace;

  MixedStatistics solve_quadratic(const MixedLoad& load, std::vector<Vec3>& positions);
  MixedStatistics solve_newton(const MixedLoad& load, std::vector<Vec3>& positions);
  void solve_poisson_and_volume(const MixedLoad& load, double tolerance, std::vector<Vec3>& positions,
                                MixedStatistics& statistics);
  void solve_condensed(std::span<const Mat3> rotations, std::span<const double> residual, double tolerance,
                       MixedStatistics& statistics);
  void solve_newton_step(std::span<const Mat3> rotations, std::span<const double> residual, double tolerance,
                         bool exact, MixedStatistics& statistics);
  void take_shortened_step(const MixedLoad& load, std::span<const double> residual, std::span<const double> step,
                           std::vector<Vec3>& positions) const;
  void factor_condensed(std::span<const Mat3> rotations);
  std::vector<double> left_over_forces(const MixedLoad& load, std::span<const Vec3> positions);
  void hold_out_poisson(const MixedLoad& load, double depth, const MixedContactOptions& options, MixedContactSet& set,
                        std::vector<Vec3>& positions, MixedContacts& contacts);
  void hold_out_factored(const MixedLoad& load, double depth, const MixedContactOptions& options, MixedContactSet& set,
                         std::vector<Vec3>& positions, MixedContacts& contacts);

  std::shared_ptr<const MixedBody> body_;
  MixedSolverOptions options_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace sinew
