// Linear constraints at points of a body, in the subspace form of Capell (2004), section 4.8: velocities change such
// that sum_i dv_i phi_i(x_c) = a_c (4.10), three equations per point, at any interior or surface point of any basis.
//
// The columns of C, C_ic = phi_i(x_c), are made orthonormal once, C = Q R, in their order: a point whose column the
// earlier ones span adds nothing and is left out, so that earlier constraints win. Where what it asks for agrees with
// the earlier ones that is silent; where not, conflicts() names it. The thesis projects with I - c c^T / c^T c column
// by column, which is no orthogonal projection and leaves earlier constraints broken unless the columns are orthogonal;
// here it is I - Q Q^T.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/krylov.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// A constraint that cannot be met beside earlier ones.
struct ConstraintConflict {
  int constraint = 0;
  std::vector<int> with;  // the earlier ones that already decide it; none where no free function reaches the point
  double gap = 0;         // how far what they decide is from what it asks for, in the unit of a
};

class LinearConstraints {
 public:
  // A row of `values` per constraint, phi_i(x_c) in column i; functions that are not free must be left out of the rows
  // and their part of the sum taken off a. A column of C counts as dependent where less than `independence` of its
  // length is outside the span of the earlier ones. Throws simulation_error where a value is not finite.
  explicit LinearConstraints(const SparseRows& values, double independence = 1e-6);

  int functions() const { return functions_; }
  int count() const { return static_cast<int>(values_.rows()); }
  const std::vector<int>& kept() const { return kept_; }  // independent constraints, ascending

  // The constraints left out that contradict the kept ones for these right-hand sides: by more than `tolerance`, in the
  // unit of a, and more than the independence asked for allows. `a` has one vector per constraint.
  std::vector<ConstraintConflict> conflicts(std::span<const Vec3> a, double tolerance = 1e-9) const;

  // Changes dv (a vector per function) least so that the kept constraints are met, to rounding.
  void meet(std::span<const Vec3> a, std::span<Vec3> dv) const;
  void meet(std::span<const Vec3> a, std::span<double> dv) const;  // three numbers per function

  // v - Q Q^T v for each of x, y and z; three numbers per function.
  void project(std::span<const double> from, std::span<double> to) const;
  // The same as an operator, which refers to this object.
  LinearOperator projection() const;

  // sum_i v_i phi_i(x_c), one vector per constraint.
  std::vector<Vec3> at_points(std::span<const double> v) const;

  // Q's columns, one number per function each: for preconditioners that know the constraints.
  std::vector<std::vector<double>> orthonormal_columns() const;

 private:
  double& r(std::size_t row, std::size_t column) { return triangle_[column * (column + 1) / 2 + row]; }
  double r(std::size_t row, std::size_t column) const { return triangle_[column * (column + 1) / 2 + row]; }
  // b of R^T b = a, over the kept constraints.
  std::vector<Vec3> orthonormal_values(std::span<const Vec3> a) const;
  void add_least_change(std::span<const Vec3> a, std::span<Vec3> touched) const;
  void check(std::size_t constraints, std::size_t functions) const;

  struct Dependent {
    int constraint;
    std::vector<double> share;  // of each kept constraint's orthonormal column that came before
  };

  int functions_ = 0;
  SparseRows values_;
  std::vector<int> touched_;         // functions that any constraint sees, ascending
  std::vector<double> orthonormal_;  // Q over them, column by column
  std::vector<double> triangle_;     // R, column by column
  std::vector<int> kept_;
  std::vector<Dependent> dependent_;
};

// One sentence that names what is dropped and why; `names` has one per constraint.
std::string conflict_sentence(std::span<const ConstraintConflict> conflicts, std::span<const std::string> names);

// A preconditioner for the system within the constraints' subspace, from one for the whole, M^-1, such as the factor at
// rest: G = M^-1 - M^-1 Q (Q^T M^-1 Q)^-1 Q^T M^-1, what M^-1 becomes where M's own constrained system is solved
// exactly. Where M is the matrix itself, one step of projected conjugate gradients is exact, as it is not with P M^-1
// P. Costs three applications of M^-1 per kept constraint once, and one plus a small dense solution each time.
// `inverse` must be symmetric positive definite. Throws simulation_error where it is not.
LinearOperator constrained_preconditioner(const LinearOperator& inverse, const LinearConstraints& constraints);

}  // namespace sinew
