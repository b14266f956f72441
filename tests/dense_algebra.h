// Dense algebra that tests hold the product against. Eigen's decompositions are compiled here once: in every source
// that uses them they would take longer than all else in it.
#pragma once

#include <Eigen/Core>
#include <complex>

namespace sinew::test {

using DenseMatrix = Eigen::MatrixXd;
using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// The solution of a regular system; one column for each right-hand side.
DenseMatrix solved(const DenseMatrix& matrix, const DenseMatrix& right);

DenseMatrix inverse(const DenseMatrix& matrix);

// Finds the smallest of all least-squares solutions; the matrix may have any rank.
DenseMatrix least_squares(const DenseMatrix& matrix, const DenseMatrix& right);

int rank(const DenseMatrix& matrix);

// An orthonormal basis of the columns, which are independent.
DenseMatrix orthonormal_columns(const DenseMatrix& matrix);

// Eigenvalues of a symmetric matrix, in ascending order.
Eigen::VectorXd symmetric_eigenvalues(const DenseMatrix& matrix);

// Those of stiffness x = value mass x; the mass is positive definite.
Eigen::VectorXd symmetric_eigenvalues(const DenseMatrix& stiffness, const DenseMatrix& mass);

// Eigenvalues of any square matrix, in no order.
Eigen::VectorX<std::complex<long double>> eigenvalues(const LongMatrix& matrix);

// Singular values in descending order, and the left vectors that belong to them.
struct SingularValues {
  Eigen::VectorXd values;
  DenseMatrix left;
};
SingularValues singular_values(const DenseMatrix& matrix);

}  // namespace sinew::test
