#include "sinew/linalg/cholesky/numeric.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/parallel.h"
#include "sinew/linalg/cholesky/dense_kernels.h"
#include "sinew/linalg/cholesky/panels.h"

namespace sinew::cholesky {
namespace {

using std::size_t;

constexpr size_t block_columns = 24;      // of the blocked dense factorisation: a multiple of 3
constexpr double smallest_pivot = 1e-14;  // relative to the matrix's own diagonal entry

// The front of one supernode with n columns and m rows below: `stride` = m + 2 n rows of
//   n rows: F11, becomes L11 (lower triangle)
//   m rows: F21, becomes L21 = F21 L11^-T
//   n rows: I,   becomes X = L11^-T (upper triangle)
// so that one sweep over the columns makes all three; then W = L21 X^T and D^-1 = X X^T.
struct Front {
  size_t n = 0, m = 0, stride = 0;
  std::vector<double> entry;
  std::vector<double> scaled;  // a block column on its way
  std::vector<double> panel;   // -W, then the lower triangle of -D^-1: n columns of m + n rows

  double* at(size_t row, size_t column) { return entry.data() + row + column * stride; }
};

void clear(Front& front, const Supernode& node) {
  front.n = 3 * index(node.columns);
  front.m = 3 * index(node.rows);
  front.stride = front.m + 2 * front.n;
  front.entry.assign(front.stride * front.n, 0.0);
  for (size_t i = 0; i < front.n; ++i) *front.at(front.n + front.m + i, i) = 1;
}

// Where column `row` (in order of elimination) lies among the node's own columns and its rows.
size_t local_position(const Symbolic& symbolic, const Supernode& node, int row) {
  if (row < node.first + node.columns) return index(row - node.first);
  const auto begin = symbolic.row.begin() + node.row_begin;
  return index(node.columns) + static_cast<size_t>(std::lower_bound(begin, begin + node.rows, row) - begin);
}

void add_matrix(const BlockMatrix& matrix, const Symbolic& symbolic, const Supernode& node, Front& front) {
  for (int column = node.first; column < node.first + node.columns; ++column) {
    // By symmetry a row of the matrix is the column of the factor, transposed.
    const size_t source = index(symbolic.permutation[index(column)]);
    const size_t to_column = 3 * index(column - node.first);
    for (size_t k = index(matrix.row_start[source]); k < index(matrix.row_start[source + 1]); ++k) {
      const int row = symbolic.position[index(matrix.column[k])];
      if (row < column) continue;
      const size_t to_row = 3 * local_position(symbolic, node, row);
      const Mat3& block = matrix.block[k];
      for (size_t j = 0; j < 3; ++j)
        for (size_t i = 0; i < 3; ++i) *front.at(to_row + i, to_column + j) += block(j, i);
    }
  }
}

// The update matrix of a supernode, m x m, lower triangle: what its elimination adds to its parent.
using Update = std::unique_ptr<double[]>;

void add_child(const Symbolic& symbolic, const Supernode& child, const double* child_update, const Supernode& node,
               Front& front, double* update) {
  const size_t rows = index(child.rows), stride = 3 * rows;
  std::vector<size_t> position(rows);
  for (size_t i = 0; i < rows; ++i)
    position[i] = 3 * local_position(symbolic, node, symbolic.row[index(child.row_begin) + i]);
  for (size_t block = 0; block < rows; ++block)
    for (size_t j = 0; j < 3; ++j) {
      const double* from = child_update + (3 * block + j) * stride;
      const size_t column = position[block] + j;
      // Rows of the front start at 0; those of the update matrix behind the front's own columns.
      double* to = column < front.n ? front.at(0, column) : update + (column - front.n) * front.m - front.n;
      for (size_t i = block; i < rows; ++i) {
        double* target = to + position[i];
        target[0] += from[3 * i];
        target[1] += from[3 * i + 1];
        target[2] += from[3 * i + 2];
      }
    }
}

// Unblocked Cholesky of the n x n lower triangle at `a`. Returns the failing column or n.
size_t factor_diagonal_block(double* a, size_t stride, size_t n, const double* original_diagonal) {
  for (size_t j = 0; j < n; ++j) {
    const double pivot = a[j + j * stride];
    if (!(pivot > smallest_pivot * original_diagonal[j]) || !std::isfinite(pivot)) return j;
    const double root = std::sqrt(pivot), inverse_root = 1 / root;
    a[j + j * stride] = root;
    for (size_t i = j + 1; i < n; ++i) a[i + j * stride] *= inverse_root;
    for (size_t k = j + 1; k < n; ++k) {
      const double factor = a[k + j * stride];
      for (size_t i = k; i < n; ++i) a[i + k * stride] -= a[i + j * stride] * factor;
    }
  }
  return n;
}

// Inverse of a lower triangle, with its sign changed: the products of dense_kernels.h subtract.
void negative_lower_inverse(const double* l, size_t stride, size_t n, double* inverse) {
  std::fill(inverse, inverse + n * n, 0.0);
  for (size_t j = 0; j < n; ++j) {
    inverse[j + j * n] = -1 / l[j + j * stride];
    for (size_t i = j + 1; i < n; ++i) {
      double sum = 0;
      for (size_t k = j; k < i; ++k) sum += l[i + k * stride] * inverse[k + j * n];
      inverse[i + j * n] = -sum / l[i + i * stride];
    }
  }
}

// Moves a block column to `scaled` and leaves zeros.
void move_out(double* from, size_t stride, size_t rows, size_t columns, std::vector<double>& scaled) {
  scaled.resize(rows * columns);
  for (size_t j = 0; j < columns; ++j) {
    std::copy(from + j * stride, from + j * stride + rows, scaled.data() + j * rows);
    std::fill(from + j * stride, from + j * stride + rows, 0.0);
  }
}

// L11, L21 and L11^-T, left-looking by block columns. Rows [k, k + n + m) hold everything that is
// not known to be zero: the tail of F11, F21 and the first k rows of what was I. Returns the
// failing column or n.
size_t eliminate(Front& front, const std::vector<double>& original_diagonal) {
  double inverse[block_columns * block_columns];
  for (size_t k = 0; k < front.n; k += block_columns) {
    const size_t width = std::min(block_columns, front.n - k);
    subtract_product_transposed({front.at(k, k), front.stride}, {front.at(k, 0), front.stride},
                                {front.at(k, 0), front.stride}, front.n + front.m, width, k);
    const size_t failed = factor_diagonal_block(front.at(k, k), front.stride, width, original_diagonal.data() + k);
    if (failed < width) return k + failed;
    negative_lower_inverse(front.at(k, k), front.stride, width, inverse);
    double* below = front.at(k + width, k);
    const size_t rows = front.n + front.m;
    move_out(below, front.stride, rows, width, front.scaled);
    subtract_product_transposed({below, front.stride}, {front.scaled.data(), rows}, {inverse, width}, rows, width,
                                width);
  }
  return front.n;
}

// -W and -D^-1. X is upper triangular: a block of its rows begins at its own diagonal.
void multiply_out(Front& front) {
  constexpr size_t block = 96;
  const size_t rows = front.m + front.n;
  front.panel.assign(rows * front.n, 0.0);
  for (size_t k = 0; k < front.n; k += block) {
    const size_t width = std::min(block, front.n - k), depth = front.n - k;
    const ConstMatrixView x{front.at(front.n + front.m + k, k), front.stride};
    subtract_product_transposed({front.panel.data() + k * rows, rows}, {front.at(front.n, k), front.stride}, x, front.m,
                                width, depth);
    subtract_product_transposed({front.panel.data() + front.m + k, rows}, x,
                                {front.at(front.n + front.m, k), front.stride}, width, k + width, depth);
  }
}

template <class Real>
void store_panel(const Front& front, Real* below, Real* inverse) {
  const size_t rows = front.m + front.n;
  for (size_t j = 0; j < front.n; ++j)
    for (size_t i = 0; i < front.m; ++i) *below++ = static_cast<Real>(-front.panel[i + j * rows]);
  const double* lower = front.panel.data() + front.m;
  for (size_t first = 0; first < front.n; first += group_columns)
    for (size_t j = first; j < std::min(first + group_columns, front.n); ++j)
      for (size_t i = first; i < front.n; ++i)
        *inverse++ = static_cast<Real>(-lower[std::max(i, j) + std::min(i, j) * rows]);
}

// One factorisation in progress.
template <class Real>
class Elimination {
 public:
  Elimination(const BlockMatrix& matrix, const Symbolic& symbolic, Panels<Real>& panels)
      : matrix_(matrix),
        symbolic_(symbolic),
        update_(symbolic.nodes.size()),
        children_(symbolic.nodes.size()),
        panels_(panels) {
    const size_t entries_before = panels_.entries();
    panels_.begin.assign(1, 0);
    for (size_t k = 0; k < symbolic.nodes.size(); ++k) {
      const Supernode& node = symbolic.nodes[k];
      const size_t columns = 3 * index(node.columns);
      panels_.begin.push_back(panels_.begin.back() + 3 * index(node.rows) * columns + packed_size(columns));
      if (node.parent >= 0) children_[index(node.parent)].push_back(static_cast<int>(k));
    }
    if (!panels_.data || panels_.entries() != entries_before)
      panels_.data = std::make_unique_for_overwrite<Real[]>(panels_.entries() + vector_padding);
    std::fill_n(panels_.data.get() + panels_.entries(), vector_padding, Real(0));
  }

  void run() {
    // Each task stops at its own first failure; the first of all in the order of elimination is told.
    std::vector<int> failure(symbolic_.tasks.size(), -1);
    parallel_for(symbolic_.tasks.size(), 1, [&](size_t t) {
      Front front;
      const Task& task = symbolic_.tasks[t];
      for (int k = task.node_begin; k < task.node_end && failure[t] < 0; ++k) failure[t] = eliminate_node(k, front);
    });
    for (const int column : failure) check(column);
    Front front;
    for (const int k : symbolic_.top) check(eliminate_node(k, front));
  }

 private:
  void check(int failed_column) const {
    if (failed_column < 0) return;
    throw simulation_error("the matrix is not positive definite at block row " +
                           std::to_string(symbolic_.permutation[index(failed_column)]) +
                           "; that vertex is not held, has no mass or lies in inverted elements");
  }

  // Returns the first failing column, or -1.
  int eliminate_node(int k, Front& front) {
    const Supernode& node = symbolic_.nodes[index(k)];
    clear(front, node);
    Update& update = update_[index(k)];
    if (front.m > 0) update = std::make_unique<double[]>(front.m * front.m);
    add_matrix(matrix_, symbolic_, node, front);
    std::vector<double> original_diagonal(front.n);
    for (size_t i = 0; i < front.n; ++i) original_diagonal[i] = *front.at(i, i);
    for (const int child : children_[index(k)]) {
      if (update_[index(child)])
        add_child(symbolic_, symbolic_.nodes[index(child)], update_[index(child)].get(), node, front, update.get());
      update_[index(child)].reset();
    }
    const size_t failed = eliminate(front, original_diagonal);
    if (failed < front.n) return node.first + static_cast<int>(failed / 3);
    const ConstMatrixView below{front.at(front.n, 0), front.stride};
    subtract_product_transposed({update.get(), front.m}, below, below, front.m, front.m, front.n, Shape::lower);
    multiply_out(front);
    Real* panel = panels_.data.get() + panels_.begin[index(k)];
    store_panel(front, panel, panel + front.m * front.n);
    return -1;
  }

  const BlockMatrix& matrix_;
  const Symbolic& symbolic_;
  std::vector<Update> update_;
  std::vector<std::vector<int>> children_;
  Panels<Real>& panels_;
};

}  // namespace

template <class Real>
void numeric_factorisation(const BlockMatrix& matrix, const Symbolic& symbolic, Panels<Real>& panels) {
  Elimination<Real>(matrix, symbolic, panels).run();
}

bool round_to_half(const Panels<float>& panels, const Symbolic& symbolic, Panels<Half>& half) {
  half = {};
  const auto largest = [](const float* begin, const float* end) {
    return std::accumulate(begin, end, 0.0f, [](float most, float value) { return std::max(most, std::abs(value)); });
  };
  float largest_below = 0, largest_inverse = 0;
  for (size_t k = 0; k < symbolic.nodes.size(); ++k) {
    const float* inverse = panels.inverse(symbolic.nodes[k], k);
    largest_below = std::max(largest_below, largest(panels.below(symbolic.nodes[k], k), inverse));
    largest_inverse = std::max(largest_inverse, largest(inverse, panels.data.get() + panels.begin[k + 1]));
  }
  if (!(largest_below <= largest_half)) return false;
  const float scale =
      largest_inverse > 0 ? std::ldexp(1.0f, std::ilogb(largest_half) - std::ilogb(largest_inverse) - 1) : 1.0f;
  half.begin = panels.begin;
  half.inverse_scale = static_cast<double>(scale);
  half.data = std::make_unique<Half[]>(panels.entries() + vector_padding);
  for (size_t k = 0; k < symbolic.nodes.size(); ++k) {
    const size_t begin = panels.begin[k], end = panels.begin[k + 1];
    const auto below = static_cast<size_t>(panels.inverse(symbolic.nodes[k], k) - panels.data.get()) - begin;
    to_half(panels.data.get() + begin, below, 1, half.data.get() + begin);
    to_half(panels.data.get() + begin + below, end - begin - below, scale, half.data.get() + begin + below);
  }
  std::fill_n(half.data.get() + panels.entries(), vector_padding, Half{0});
  return true;
}

template void numeric_factorisation(const BlockMatrix&, const Symbolic&, Panels<double>&);
template void numeric_factorisation(const BlockMatrix&, const Symbolic&, Panels<float>&);

}  // namespace sinew::cholesky
