#include "studies/reference/implicit_step.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

using std::size_t;

void check(double h, std::span<const double> q, std::span<const double> v, const ImplicitStepOptions& options) {
  if (q.size() != v.size())
    throw usage_error("an implicit step needs as many velocities as coefficients: " + std::to_string(q.size()) +
                      ", not " + std::to_string(v.size()) + ".");
  if (!(h > 0) || !std::isfinite(h)) throw usage_error("an implicit step needs a positive length in seconds.");
  if (options.iterations < 1 || !(options.tolerance >= 0))
    throw usage_error("an implicit step needs at least one iteration and no negative tolerance.");
}

}  // namespace

// F is linearised about the state (q_k, v_k) at the end of the last iteration, F_k - K (q - q_k) - D (v - v_k), with
// the stiffness K and the damping D there. For q = q_0 + h (v_0 + dv), v = v_0 + dv this gives the linear system
//   (M + h D + h^2 K) dv = h (F_k + K (q_k - q_0 - h v_0) + D (v_k - v_0)) ,
// which is (4.7) for k = 0. The unknown is dv itself, not its change, so that constraints on it are the same in every
// iteration.
ImplicitStepResult implicit_step(const LinearOperator& mass, const ImplicitForces& forces, const StepSolver& solver,
                                 double h, std::span<double> q, std::span<double> v,
                                 const ImplicitStepOptions& options) {
  check(h, q, v, options);
  const size_t n = q.size();
  std::vector<double> dv(n, 0.0), previous(n, 0.0), position(q.begin(), q.end()), velocity(v.begin(), v.end());
  std::vector<double> force(n), right(n), offset(n), product(n);
  const LinearOperator system = [&](std::span<const double> from, std::span<double> to) {
    mass(from, to);
    forces.stiffness(from, product);
    add_scaled(h * h, product, to);
    if (!forces.damping) return;
    forces.damping(from, product);
    add_scaled(h, product, to);
  };

  ImplicitStepResult result;
  while (result.iterations < options.iterations) {
    if (forces.linearize) forces.linearize(position, velocity);
    forces.force(position, velocity, force);
    for (size_t i = 0; i < n; ++i) offset[i] = position[i] - q[i] - h * v[i];
    forces.stiffness(offset, product);
    for (size_t i = 0; i < n; ++i) right[i] = h * (force[i] + product[i]);
    if (forces.damping) {
      for (size_t i = 0; i < n; ++i) offset[i] = velocity[i] - v[i];
      forces.damping(offset, product);
      add_scaled(h, product, right);
    }
    const KrylovResult solved = solver(system, right, dv);
    ++result.iterations;
    result.products += solved.iterations;
    const double size = dot(dv, dv);
    if (!std::isfinite(size))
      throw simulation_error("an implicit step found velocities that are not finite; take shorter steps.");
    if (!solved.converged)
      throw simulation_error("the equations of an implicit step were not solved in " +
                             std::to_string(solved.iterations) + " iterations; take shorter steps or allow more.");
    double changed = 0;
    for (size_t i = 0; i < n; ++i) {
      const double change = dv[i] - previous[i];
      changed += change * change;
      velocity[i] = v[i] + dv[i];
      position[i] = q[i] + h * velocity[i];
    }
    result.change = size > 0 ? std::sqrt(changed / size) : 0;
    if (result.change <= options.tolerance) break;
    previous = dv;
  }
  for (size_t i = 0; i < n; ++i) {
    v[i] = velocity[i];
    q[i] = position[i];
  }
  return result;
}

}  // namespace sinew
