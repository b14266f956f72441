#include "sinew/linalg/dense_matrix.h"

#include <Eigen/Core>
#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

using ConstDenseMap = Eigen::Map<const Eigen::MatrixXd>;

Eigen::Map<Eigen::MatrixXd> dense_map(DenseMatrix& a) {
  return {a.value.data(), static_cast<Eigen::Index>(a.rows), static_cast<Eigen::Index>(a.columns)};
}

ConstDenseMap dense_map(const DenseMatrix& a) {
  return {a.value.data(), static_cast<Eigen::Index>(a.rows), static_cast<Eigen::Index>(a.columns)};
}

ConstDenseMap dense_map(const DenseView& a) {
  return {a.value.data(), static_cast<Eigen::Index>(a.rows), static_cast<Eigen::Index>(a.columns)};
}

Eigen::Map<Eigen::MatrixXd> result_map(std::span<double> value, std::size_t rows, std::size_t columns) {
  return {value.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

std::string size_text(const DenseMatrix& a) { return std::to_string(a.rows) + " x " + std::to_string(a.columns); }

}  // namespace

DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b) {
  if (a.columns != b.rows)
    throw usage_error("matrices of " + size_text(a) + " and " + size_text(b) + " numbers have no product.");
  DenseMatrix result(a.rows, b.columns);
  dense_map(result).noalias() = dense_map(a) * dense_map(b);
  return result;
}

DenseMatrix transposed_product(const DenseMatrix& a, const DenseMatrix& b) {
  if (a.rows != b.rows)
    throw usage_error("matrices of " + size_text(a) + " numbers, transposed, and " + size_text(b) +
                      " have no product.");
  DenseMatrix result(a.columns, b.columns);
  dense_map(result).noalias() = dense_map(a).transpose() * dense_map(b);
  return result;
}

void product(const DenseView& a, const DenseView& b, std::span<double> result) {
  if (a.columns != b.rows || result.size() != a.rows * b.columns)
    throw usage_error("a product of dense matrices was asked for with sizes that do not match.");
  result_map(result, a.rows, b.columns).noalias() = dense_map(a) * dense_map(b);
}

void transposed_product(const DenseView& a, const DenseView& b, std::span<double> result) {
  if (a.rows != b.rows || result.size() != a.columns * b.columns)
    throw usage_error("a product of dense matrices was asked for with sizes that do not match.");
  result_map(result, a.columns, b.columns).noalias() = dense_map(a).transpose() * dense_map(b);
}

void add_gram(const DenseMatrix& a, DenseMatrix& sum) {
  if (sum.rows != a.rows || sum.columns != a.rows)
    throw usage_error("a matrix of " + size_text(a) + " numbers has no Gram matrix of " + size_text(sum) + ".");
  dense_map(sum).selfadjointView<Eigen::Lower>().rankUpdate(dense_map(a));
}

}  // namespace sinew
