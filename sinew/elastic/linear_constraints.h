// Linear constraints at points of a body, in the subspace form of Capell (2004), section 4.8: velocities change such
// that sum_i dv_i phi_i(x_c) = a_c (4.10), three equations per point, at any interior or surface point of any basis.
//
// There may be more points than functions that could meet them, and points that all but depend on each other. What is
// met is the least-squares problem, least sum of w_c |C_c^T dv - a_c|^2, C_ic = phi_i(x_c), in the directions that the
// functions really have: with W^1/2 C^T D^-1/2 = U S V^T those u_k whose singular value is above a share of the
// largest. What the others ask for is left to the body itself, since following them would take changes of the functions
// many times as large as what the points move by (docs/constraints.md). With C W^1/2 U = Q R the thesis's steps are as
// they were, but for the projection: I - c c^T / c^T c column by column is no orthogonal one and leaves earlier
// constraints broken unless the columns are orthogonal; here it is I - Q Q^T.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

class LinearConstraints {
 public:
  // A row of `values` per constraint, phi_i(x_c) in column i; functions that are not free must be left out of the rows
  // and their part of the sum taken off a. `weights` (>= 0), one per constraint or none at all, say what counts where
  // not all can be met; what can be met all together is met whatever they are. Directions below `independence` of the
  // largest singular value are left out; `inertia` (D > 0), one per function or none at all, says how much it counts
  // there that a function changes, such as its mass. Throws simulation_error where a value is not finite.
  explicit LinearConstraints(const SparseRows& values, std::span<const double> weights = {}, double independence = 1e-3,
                             std::span<const double> inertia = {});

  int functions() const { return functions_; }
  int count() const { return static_cast<int>(values_.rows()); }
  std::size_t rank() const { return solve_.size() / (values_.rows() > 0 ? values_.rows() : 1); }

  // Changes dv (a vector per function) least so that the constraints are met in the least-squares sense: to rounding
  // where all agree and are independent. `a` has one vector per constraint; the change is linear in it.
  void meet(std::span<const Vec3> a, std::span<Vec3> dv) const;
  void meet(std::span<const Vec3> a, std::span<double> dv) const;  // three numbers per function

  // What meet() leaves of each constraint, from dv = 0: a - C^T dv.
  std::vector<Vec3> left_over(std::span<const Vec3> a) const;

  // v - Q Q^T v for each of x, y and z; three numbers per function.
  void project(std::span<const double> from, std::span<double> to) const;
  // The same as an operator, which refers to this object.
  LinearOperator projection() const;

  // sum_i v_i phi_i(x_c), one vector per constraint.
  std::vector<Vec3> at_points(std::span<const double> v) const;

  // Q's columns, one number per function each: for preconditioners that know the constraints.
  std::vector<std::vector<double>> orthonormal_columns() const;

  // Q^T: as many independent constraints as there are, of length one, which leave the same free as all of them.
  SparseRows independent_rows() const;

 private:
  void add_least_change(std::span<const Vec3> a, std::span<Vec3> touched) const;
  void check(std::size_t constraints, std::size_t functions) const;

  int functions_ = 0;
  SparseRows values_;
  std::vector<int> touched_;         // functions that any constraint sees, ascending
  std::vector<int> place_;           // per entry of values_: its function's among them
  std::vector<double> orthonormal_;  // Q over them, column by column
  std::vector<double> solve_;        // R^-T U^T W^1/2: rank x constraints, by rows
};

// The largest singular value of rows `begin` to `end` (exclusive) of W^1/2 C^T D^-1/2, to a few per cent:
// what constraints of different kinds are brought to one scale by. 0 where the rows are.
double largest_singular_value(const SparseRows& rows, std::span<const double> weights, std::span<const double> inertia,
                              std::size_t begin, std::size_t end);

// A preconditioner for the system within the constraints' subspace, from one for the whole, M^-1, such as the factor at
// rest: G = M^-1 - M^-1 Q (Q^T M^-1 Q)^-1 Q^T M^-1, what M^-1 becomes where M's own constrained system is solved
// exactly. Where M is the matrix itself, one step of projected conjugate gradients is exact, as it is not with P M^-1
// P. Costs three applications of M^-1 per direction of Q once, and one plus a small dense solution each time.
// `inverse` must be symmetric positive definite. Throws simulation_error where it is not.
LinearOperator constrained_preconditioner(const LinearOperator& inverse, const LinearConstraints& constraints);

}  // namespace sinew
