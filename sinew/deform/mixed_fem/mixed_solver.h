// Static equilibrium of a mixed body in one pose after another. Every pose is solved from rest, so that its result
// does not depend on those before it, and the rest pose gives the rest shape to the last bit.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/mixed_fem/mixed_body.h"

namespace sinew {

struct MixedSolverOptions {
  double tolerance = 1e-8;  // Newton: stop where |residual| <= tolerance * what the first step had to balance
  int max_solves = 100;     // Newton: linear solves in one pose
};

struct MixedStatistics {
  int solves = 0;       // linear solves: one where Psi is quadratic, none where the load is already in balance
  double residual = 0;  // relative; 0 where Psi is quadratic: a direct solution
};

// Quadratic energies take one linear solve, with a factor made once where the matrix does not depend on the rotations
// (condenses_to_poisson) and one for each pose where it does. For other energies Newton's method runs in (x, S, lambda)
// with R held: the first step expands Psi about S = I, whatever the rotations are, and steps after it about the
// stretches reached, shortened where they would not lower the condensed energy.
class MixedSolver {
 public:
  explicit MixedSolver(std::shared_ptr<const MixedBody> body, const MixedSolverOptions& options = {});
  ~MixedSolver();

  // Positions (n, metres, world). Throws usage_error where the load does not fit the body (check_load), and
  // simulation_error where the matrix is not positive definite, which only a body without resistance to skew can
  // bring about, or where Newton's method finds no equilibrium.
  MixedStatistics solve(const MixedLoad& load, std::vector<Vec3>& positions);

 private:
  struct Workspace;

  MixedStatistics solve_quadratic(const MixedLoad& load, std::vector<Vec3>& positions);
  MixedStatistics solve_newton(const MixedLoad& load, std::vector<Vec3>& positions);
  void factor_condensed(std::span<const Mat3> rotations);
  void factor_newton(std::span<const Mat3> rotations, bool exact);
  void take_shortened_step(const MixedLoad& load, std::span<const double> residual, std::span<const double> step,
                           std::vector<Vec3>& positions) const;

  std::shared_ptr<const MixedBody> body_;
  MixedSolverOptions options_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace sinew
