// Static equilibrium of a mixed body in one pose after another. Every pose is solved from rest, so that its result
// does not depend on those before it (unless asked for: start_from_last_pose), and the rest pose gives the rest shape
// to the last bit.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/mixed_contacts.h"

namespace sinew {

class MixedContactSet;

// How linear systems are solved whose matrix depends on the rotations. (Where it does not, condenses_to_poisson, one
// factor serves all poses.)
enum class MixedLinearSolver {
  // Conjugate gradients, preconditioned by the factor of the Poisson matrix with the shear moduli, which is made once.
  // Bodies with kappa far below mu, for which that matrix says little, and systems on which the iterations give up are
  // factored after all.
  iterative,
  direct,  // a factor for each system
};

struct MixedSolverOptions {
  double tolerance = 1e-8;  // Newton: stop where |residual| <= tolerance * what the first step had to balance
  int max_solves = 100;     // Newton: linear solves in one pose
  MixedLinearSolver linear_solver = MixedLinearSolver::iterative;
  // Quadratic energies, iterative: stop where |b - A x| <= linear_tolerance * |b - A x_0|, lengths over all free
  // vertices, x_0 the solution of the Poisson problem (what ARAP would give): what the volume part of the energy
  // leaves out of balance there. It is zero for rigid motion and does not depend on where the character stands.
  double linear_tolerance = 1e-4;
  // Quadratic energies, iterative: begin with the stresses that the volume part had in the pose before, which know of
  // no rotation. Fewer iterations where poses follow one another closely; results then depend on the poses before, by
  // less than the tolerance lets through.
  bool start_from_last_pose = false;
};

struct MixedStatistics {
  int solves = 0;       // linear solves: one where Psi is quadratic, none where the load is already in balance
  double residual = 0;  // relative, as the options define it; 0 for direct solutions where Psi is quadratic
  int iterations = 0;   // of conjugate gradients, in all solves
};

// Quadratic energies take one linear solve. For other energies Newton's method runs in (x, S, lambda) with R held: the
// first step expands Psi about S = I, whatever the rotations are, and steps after it about the stretches reached,
// shortened where they would not lower the condensed energy.
class MixedSolver {
 public:
  explicit MixedSolver(std::shared_ptr<const MixedBody> body, const MixedSolverOptions& options = {});
  ~MixedSolver();

  // Positions (n, metres, world). Throws usage_error where the load does not fit the body (check_load), and
  // simulation_error where the matrix is not positive definite, which only a body without resistance to skew can
  // bring about, or where Newton's method finds no equilibrium.
  MixedStatistics solve(const MixedLoad& load, std::vector<Vec3>& positions);

  // The same with solid shapes that the surface points of the body do not enter: static equilibrium under the forces
  // found, `contacts` (mixed_contacts.h). Where nothing touches the result is that of the other solve(), bit by bit.
  // Throws usage_error for points on vertices that the body does not have and for colliders that are none
  // (check_colliders), and simulation_error where no forces keep the points out, as between two shapes that overlap.
  MixedStatistics solve(const MixedLoad& load, const SurfacePoints& surface, const Colliders& colliders,
                        std::vector<Vec3>& positions, MixedContacts& contacts, const MixedContactOptions& options = {});

  // The next pose is the first one, where a range of frames begins: results from there on do not depend on what was
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
