// One step of nonlinear elasticity: minimises an incremental potential by quasi-Newton iterations, whose inverse
// Hessian is the constant factor of the linear step, corrected by L-BFGS (Liu, Bouaziz and Kavan 2017). An iteration
// costs one evaluation of forces and one substitution. Vectors hold 3 numbers per unknown, in any frames.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "sinew/deform/deformer.h"
#include "sinew/deform/flesh/goal_elasticity.h"
#include "sinew/linalg/curvature_pairs.h"
#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

enum class TissuePrecision {
  doubles,  // forces to rounding
  floats,   // forces to about 1e-6 of the largest nearby, in half the time
};

struct TissueStep {
  TissueLaw law;
  // An iteration is the last of its step if its correction is smaller than this share of the step's motion, both
  // measured as energies of the linear step. With 0.02 motion is within 1 to 5 % of the converged one (sinew-study
  // truth).
  double tolerance = 0.02;
  // Steps usually take 2 to 6, some dozens where flesh is flung. A step that takes more ends where it was nearest to a
  // minimum, and the next one goes on from there.
  int most_iterations = 200;
  // Most iterations of a step on which hands, loads or obstacles act, so that a live session keeps its pace: hands that
  // pull flesh as far as they can would take about 70.
  int most_iterations_acted_on = 12;
  // Pairs of L-BFGS, at least 1. Most steps end before they have 12. Where a rig squeezes or inverts many tetrahedra,
  // the longest steps take a third of the iterations with 30 that they take with 12.
  int history = 30;
  // The number where something acts: such steps end before more pairs would help, and with 12 they strayed.
  int history_acted_on = 5;
  // Precision of the forces. Floats resolve tolerances down to about 1e-3.
  TissuePrecision precision = TissuePrecision::floats;
};

// StepPotential::most_overshoot. The hardest steps take half the iterations that they would take with 1. Steps on which
// hands act end before they converge: cut that soon, some never got to where the hand leads.
inline constexpr double usual_overshoot = 0.25, overshoot_acted_on = 1;

// Held points and contacts of a step.
class StepConstraints {
 public:
  virtual ~StepConstraints() = default;

  // Changes `displacement`, the end of the step without constraints, so that it meets them. `inverse`: of the step's
  // system. `tolerance`: its relative accuracy, which bounds how exactly they are met. Returns the number of contacts.
  virtual int meet(const LinearOperator& inverse, double tolerance, std::span<double> displacement) = 0;

  // The forces of the last meet() in the right-hand side of the step's system, newtons.
  virtual std::span<const double> forces() const = 0;
};

// The potential that is minimised.
struct StepPotential {
  // Computes the residual, minus the gradient, without the forces of constraints.
  std::function<void(std::span<const double> u, std::span<double> residual)> find_residual;
  // Takes off the first residual what held points carry, which find_residual() takes off the later ones: rounding would
  // otherwise be of the size of those forces. Empty: nothing is held.
  std::function<void(std::span<double> residual)> take_off_held = {};
  LinearOperator inverse;  // approximate, of the Hessian; symmetric
  // Energy with which that of a correction is compared, joules; `first`: that of the first correction.
  std::function<double(std::span<const double> u, double first)> scale;
  double negligible = 0;                   // joules: corrections below it end the iterations
  double still = 0;                        // newtons: a first residual below it is rounding, and nothing moves
  StepConstraints* constraints = nullptr;  // to be met by every iteration; null: none
  bool checks_last = false;  // the last correction is shortened where needed, too, which costs an evaluation
  double tolerance = 0;      // of TissueStep
  // An iteration's step is cut if the slope at its end is more than this share of that at its beginning, upwards. At 1
  // it may end as high as it began.
  double most_overshoot = usual_overshoot;
  int most_iterations = 0;
  std::size_t most_pairs = std::numeric_limits<std::size_t>::max();  // of L-BFGS
};

// Correction, relative to the body's extent, below which nothing moves.
inline constexpr double negligible_correction = 1e-8;

// Limits of the search for a static equilibrium.
inline constexpr double rest_tolerance = 1e-8, rest_tolerance_of_floats = 1e-5;  // forces in floats resolve no less
inline constexpr int most_rest_iterations = 1000;
inline constexpr std::size_t rest_history =
    30;  // a soft bar hanging from its end takes 370 iterations, with 5 over 1,000

class QuasiNewtonStep {
 public:
  // `numbers`: 3 per unknown. `history`: pairs of L-BFGS, at least 1.
  QuasiNewtonStep(std::size_t numbers, std::size_t history);

  // Moves `u` to the minimum. A step that does not converge ends where it was nearest to one. Throws simulation_error
  // if the residual is not finite at the start.
  StepStatistics minimize(const StepPotential& potential, std::span<double> u);

  // The residual of the last iteration, with the forces of obstacles.
  std::span<const double> balance() const { return balance_; }
  // The residual of the result where the last correction was checked; zeros where that was negligible.
  std::span<const double> residual() const { return residual_; }

 private:
  void find_direction(const StepPotential& potential, std::span<const double> u, StepStatistics& statistics);
  void finish(const StepPotential& potential, double share, double decrease, std::span<double> u);
  StepStatistics nearest(const StepPotential& potential, double least, const StepStatistics& statistics,
                         std::span<double> u);
  double go(const StepPotential& potential, double decrease, std::span<double> u);
  void take_step(const StepPotential& potential, double decrease, std::span<double> u);

  CurvaturePairs pairs_;
  std::vector<double> residual_, balance_;  // balance_: the residual with the constraints' forces
  std::vector<double> direction_, before_, target_, nearest_;
};

}  // namespace sinew
