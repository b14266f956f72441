// Linear constraints at points of a body in the subspace form of Capell (2004), section 4.8: velocities change such
// that sum_i dv_i phi_i(x_c) = a_c (4.10), three equations per point, at any interior or surface point of any basis.
//
// Points may outnumber the functions that can satisfy them, and may be nearly dependent. The solution is therefore the
// least-squares minimum of sum w_c |C_c^T dv - a_c|^2 with C_ic = phi_i(x_c), within the
// well-conditioned directions: the columns u_k of W^1/2 C^T D^-1/2 = U S V^T whose singular value is above a fraction
// of the largest. The other directions are left to the body, since they would require changes of the functions many
// times as large as the motion of the points (docs/constraints.md). With C W^1/2 U = Q R the thesis's steps apply with
// one change: its projection I - c c^T / c^T c, column by column, is orthogonal only if the columns are, and otherwise
// violates earlier constraints; here it is I - Q Q^T.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

class LinearConstraints {
 public:
  // `values` has a row per constraint, phi_i(x_c) in column i; leave out functions that are not free and subtract their
  // contribution from a. `weights` (>= 0; one per constraint, or empty) matter only for constraints that cannot all be
  // met. Directions below `independence` times the largest singular value are left out. At most `most_directions` are
  // kept, those with the largest ones. `inertia` (D > 0; one per
  // function, or empty) weighs the change of each function when directions are compared, e.g. its mass. Throws
  // simulation_error where a value is not finite.
  explicit LinearConstraints(const SparseRows& values, std::span<const double> weights = {}, double independence = 1e-3,
                             std::span<const double> inertia = {}, std::size_t most_directions = SIZE_MAX);

  int functions() const { return functions_; }
  int count() const { return static_cast<int>(values_.rows()); }
  std::size_t rank() const { return solve_.size() / (values_.rows() > 0 ? values_.rows() : 1); }

  // Adds to dv (a vector per function) the least change that meets the constraints in the least-squares sense: to
  // rounding where they are consistent and independent. `a` has one vector per constraint; the change is linear in it.
  void meet(std::span<const Vec3> a, std::span<Vec3> dv) const;
  void meet(std::span<const Vec3> a, std::span<double> dv) const;  // three numbers per function

  // Residual a - C^T dv of each constraint after meet() from dv = 0.
  std::vector<Vec3> left_over(std::span<const Vec3> a) const;

  // Projection to = (I - Q Q^T) from, for x, y and z alike; three numbers per function.
  void project(std::span<const double> from, std::span<double> to) const;
  // project() as an operator, which refers to this object.
  LinearOperator projection() const;

  // The squared length of (I - Q Q^T) r for a row with these values of these functions (one each), without the whole
  // vector: what the constraints leave free of it.
  double squared_free_part(std::span<const int> functions, std::span<const double> values) const;

  // Values at the points: sum_i v_i phi_i(x_c), one vector per constraint.
  std::vector<Vec3> at_points(std::span<const double> v) const;

  // The columns of Q, one number per function each: for preconditioners that take the constraints into account.
  std::vector<std::vector<double>> orthonormal_columns() const;

  // Q^T: independent constraints of unit length that leave the same motions free as all constraints together.
  SparseRows independent_rows() const;

 private:
  void add_least_change(std::span<const Vec3> a, std::span<Vec3> touched) const;
  void check(std::size_t constraints, std::size_t functions) const;

  int functions_ = 0;
  SparseRows values_;
  std::vector<int> touched_;         // functions that occur in any constraint, ascending
  std::vector<int> place_;           // per entry of values_: the index of its function in touched_
  std::vector<double> orthonormal_;  // Q over touched_, column by column
  std::vector<double> solve_;        // R^-T U^T W^1/2: rank x constraints, by rows
};

// Largest singular value of rows `begin` to `end` (exclusive) of W^1/2 C^T D^-1/2, to a few per cent; used to scale
// constraints of different kinds. 0 if the rows are zero.
double largest_singular_value(const SparseRows& rows, std::span<const double> weights, std::span<const double> inertia,
                              std::size_t begin, std::size_t end);

// Preconditioner within the constraints' subspace, from one for the whole space, M^-1, such as the factor at rest: G =
// M^-1 - M^-1 Q (Q^T M^-1 Q)^-1 Q^T M^-1, the exact inverse of M under the constraints. If M is the matrix itself, one
// step of projected conjugate gradients is exact, which it is not with P M^-1 P. Costs three applications of M^-1 per
// direction of Q once, and one plus a small dense solution per use. `inverse` must be symmetric positive definite;
// throws simulation_error where it is not.
LinearOperator constrained_preconditioner(const LinearOperator& inverse, const LinearConstraints& constraints);

}  // namespace sinew
