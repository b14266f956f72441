#include "sinew/linalg/scalar_cholesky.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/sparse_pattern.h"

namespace sinew {
namespace {

constexpr std::size_t scalar_cholesky_row_grain = 512;

// Grows groups of up to three rows: starts with the first free row, and adds twice the free neighbour with the fewest
// new neighbours. Single rows and pairs that are left are combined at the end. Returns rows in groups of three; -1 pads
// the last.
std::vector<int> groups_of_three(const SparseMatrix& matrix) {
  const auto neighbours = [&](int row) {
    return std::span<const int>(matrix.column)
        .subspan(index(matrix.row_start[index(row)]),
                 index(matrix.row_start[index(row) + 1] - matrix.row_start[index(row)]));
  };
  std::vector<char> taken(index(matrix.rows), 0);
  std::vector<int> reached(index(matrix.rows), -1);  // the last group that reaches a row
  std::vector<int> whole, rest;
  for (int seed = 0; seed < matrix.rows; ++seed) {
    if (taken[index(seed)]) continue;
    std::vector<int> group;
    const auto take = [&](int row) {
      taken[index(row)] = 1;
      group.push_back(row);
      for (const int column : neighbours(row)) reached[index(column)] = seed;
    };
    take(seed);
    while (group.size() < 3) {
      int best = -1, fewest = 0;
      for (const int member : group)
        for (const int candidate : neighbours(member)) {
          if (taken[index(candidate)]) continue;
          int brings = 0;
          for (const int column : neighbours(candidate)) brings += reached[index(column)] != seed;
          if (best < 0 || brings < fewest || (brings == fewest && candidate < best)) best = candidate, fewest = brings;
        }
      if (best < 0) break;
      take(best);
    }
    std::vector<int>& to = group.size() == 3 ? whole : rest;
    to.insert(to.end(), group.begin(), group.end());
  }
  whole.insert(whole.end(), rest.begin(), rest.end());
  while (whole.size() % 3 != 0) whole.push_back(-1);
  return whole;
}

BlockMatrix grouped(const SparseMatrix& matrix, std::span<const int> order, std::span<const int> place) {
  BlockMatrix result;
  result.rows = static_cast<int>(order.size() / 3);
  result.row_start.push_back(0);
  std::vector<int> columns;
  for (int block_row = 0; block_row < result.rows; ++block_row) {
    const auto members = order.subspan(3 * index(block_row), 3);
    columns.assign(1, block_row);
    for (const int row : members) {
      if (row < 0) continue;
      for (int k = matrix.row_start[index(row)]; k < matrix.row_start[index(row) + 1]; ++k)
        columns.push_back(place[index(matrix.column[index(k)])] / 3);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    result.column.insert(result.column.end(), columns.begin(), columns.end());
    result.row_start.push_back(static_cast<int>(result.column.size()));
  }
  result.block.assign(result.column.size(), Mat3::zero());
  for (std::size_t at = 0; at < order.size(); ++at) {
    const int row = order[at], block_row = static_cast<int>(at / 3);
    if (row < 0) {  // padding: an equation x = 0 of its own
      result.block[index(find_block(result, block_row, block_row))](at % 3, at % 3) = 1;
      continue;
    }
    for (int k = matrix.row_start[index(row)]; k < matrix.row_start[index(row) + 1]; ++k) {
      const std::size_t to = index(place[index(matrix.column[index(k)])]);
      result.block[index(find_block(result, block_row, static_cast<int>(to / 3)))](at % 3, to % 3) =
          matrix.value[index(k)];
    }
  }
  return result;
}

}  // namespace

void ScalarCholesky::factor(const SparseMatrix& matrix, FactorPrecision precision) {
  const std::vector<int> order = groups_of_three(matrix);
  std::vector<int> place(index(matrix.rows));
  for (std::size_t at = 0; at < order.size(); ++at)
    if (order[at] >= 0) place[index(order[at])] = static_cast<int>(at);
  cholesky_ = {};
  cholesky_.factor(grouped(matrix, order, place), precision);
  place_ = std::move(place);
}

void ScalarCholesky::solve(std::span<const double> b, std::span<double> x, int width) const {
  const std::size_t columns = index(width), length = 3 * index(cholesky_.rows());
  if (width < 1 || b.size() != columns * place_.size() || x.size() != b.size())
    throw usage_error("a factor of " + std::to_string(place_.size()) + " rows solves for " + std::to_string(width) +
                      " vectors of as many numbers each, not " + std::to_string(b.size()) + " and " +
                      std::to_string(x.size()) + " in all");
  // Kept per thread, since new memory from the system costs as much as the substitution. It is moved out while in use,
  // so that a nested solution has its own.
  static thread_local std::vector<double> spare;
  std::vector<double> vectors = std::move(spare);
  vectors.assign(columns * length, 0.0);
  parallel_chunks(place_.size(), scalar_cholesky_row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t c = 0; c < columns; ++c) vectors[c * length + index(place_[row])] = b[columns * row + c];
  });
  cholesky_.solve(vectors, vectors, width);
  parallel_chunks(place_.size(), scalar_cholesky_row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t c = 0; c < columns; ++c) x[columns * row + c] = vectors[c * length + index(place_[row])];
  });
  spare = std::move(vectors);
}

}  // namespace sinew
