#include "sinew/linalg/dense_matrix.h"

#include <Eigen/Core>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/dot_kernel.h"

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

constexpr std::size_t columns_at_once = 4;

// result[j] = (the j-th column of `a`) . b, for the first `count` columns.
void dots_with_columns(const DenseView& a, std::size_t count, const double* b, double* result) {
  const auto column = [&](std::size_t j) { return a.value.data() + j * a.rows; };
  std::size_t j = 0;
  for (; j + columns_at_once <= count; j += columns_at_once) {
    const double* const four[] = {column(j), column(j + 1), column(j + 2), column(j + 3)};
    four_dots_in_eight_sums(four, b, a.rows, result + j);
  }
  for (; j < count; ++j) result[j] = dot_in_eight_sums(column(j), b, a.rows);
}

void check_result(bool fits) {
  if (!fits) throw usage_error("a product of dense matrices was asked for with sizes that do not match.");
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
  check_result(a.columns == b.rows && result.size() == a.rows * b.columns);
  result_map(result, a.rows, b.columns).noalias() = dense_map(a) * dense_map(b);
}

void transposed_product(const DenseView& a, const DenseView& b, std::span<double> result) {
  check_result(a.rows == b.rows && result.size() == a.columns * b.columns);
  parallel_for(b.columns, 4, [&](std::size_t j) {
    dots_with_columns(a, a.columns, b.value.data() + j * b.rows, &result[j * a.columns]);
  });
}

void transposed_square(const DenseView& a, std::span<double> result) {
  const std::size_t n = a.columns;
  check_result(result.size() == n * n);
  parallel_for(n, 4, [&](std::size_t j) { dots_with_columns(a, j + 1, a.value.data() + j * a.rows, &result[j * n]); });
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) result[i * n + j] = result[j * n + i];
}

void add_gram(const DenseMatrix& a, DenseMatrix& sum) {
  if (sum.rows != a.rows || sum.columns != a.rows)
    throw usage_error("a matrix of " + size_text(a) + " numbers has no Gram matrix of " + size_text(sum) + ".");
  dense_map(sum).selfadjointView<Eigen::Lower>().rankUpdate(dense_map(a));
}

}  // namespace sinew
