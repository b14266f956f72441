#include "sinew/linalg/block_matrix.h"

#include <algorithm>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t row_grain = 1024;

// The elements around each vertex, compressed: element[start[v] .. start[v + 1]).
struct Incidence {
  std::vector<std::size_t> start;
  std::vector<int> element;
};

template <class ElementRange>
Incidence incidence(int rows, int element_count, const ElementRange& vertices_of) {
  Incidence result;
  result.start.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (int e = 0; e < element_count; ++e)
    for (const int vertex : vertices_of(e)) {
      if (vertex < 0 || vertex >= rows)
        throw usage_error("element " + std::to_string(e) + " names vertex " + std::to_string(vertex) +
                          ", but the matrix has " + std::to_string(rows) + " block rows");
      ++result.start[static_cast<std::size_t>(vertex) + 1];
    }
  for (std::size_t v = 1; v < result.start.size(); ++v) result.start[v] += result.start[v - 1];
  result.element.resize(result.start.back());
  std::vector<std::size_t> next(result.start.begin(), result.start.end() - 1);
  for (int e = 0; e < element_count; ++e)
    for (const int vertex : vertices_of(e)) result.element[next[static_cast<std::size_t>(vertex)]++] = e;
  return result;
}

template <class ElementRange>
BlockMatrix pattern(int rows, int element_count, const ElementRange& vertices_of) {
  const std::size_t row_count = static_cast<std::size_t>(rows);
  const Incidence around = incidence(rows, element_count, vertices_of);

  BlockMatrix matrix;
  matrix.rows = rows;
  matrix.row_start.assign(row_count + 1, 0);
  std::vector<std::vector<int>> chunk_columns((row_count + row_grain - 1) / row_grain);
  parallel_chunks(row_count, row_grain, [&](std::size_t begin, std::size_t end) {
    std::vector<int>& columns = chunk_columns[begin / row_grain];
    std::vector<int> neighbours;
    for (std::size_t row = begin; row < end; ++row) {
      neighbours.assign(1, static_cast<int>(row));
      for (std::size_t k = around.start[row]; k < around.start[row + 1]; ++k) {
        const auto vertices = vertices_of(around.element[k]);
        neighbours.insert(neighbours.end(), vertices.begin(), vertices.end());
      }
      std::sort(neighbours.begin(), neighbours.end());
      neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
      columns.insert(columns.end(), neighbours.begin(), neighbours.end());
      matrix.row_start[row + 1] = static_cast<int>(neighbours.size());
    }
  });
  for (std::size_t row = 0; row < row_count; ++row) matrix.row_start[row + 1] += matrix.row_start[row];
  matrix.column.reserve(static_cast<std::size_t>(matrix.row_start.back()));
  for (const std::vector<int>& columns : chunk_columns)
    matrix.column.insert(matrix.column.end(), columns.begin(), columns.end());
  matrix.block.assign(matrix.column.size(), Mat3::zero());
  return matrix;
}

}  // namespace

BlockMatrix block_pattern(int rows, std::span<const int> elements, int vertices_per_element) {
  if (rows < 0 || vertices_per_element < 1 || elements.size() % static_cast<std::size_t>(vertices_per_element) != 0)
    throw usage_error("a block pattern needs whole elements: " + std::to_string(elements.size()) +
                      " indices cannot be cut into elements of " + std::to_string(vertices_per_element));
  const std::size_t size = static_cast<std::size_t>(vertices_per_element);
  return pattern(rows, static_cast<int>(elements.size() / size),
                 [&](int e) { return elements.subspan(static_cast<std::size_t>(e) * size, size); });
}

BlockMatrix block_pattern(int rows, std::span<const int> elements, std::span<const int> start) {
  const bool ascending = std::is_sorted(start.begin(), start.end());
  if (rows < 0 || start.empty() || !ascending || start.front() < 0 ||
      static_cast<std::size_t>(start.back()) > elements.size())
    throw usage_error("a block pattern needs ascending element starts that end within the " +
                      std::to_string(elements.size()) + " indices given");
  return pattern(rows, static_cast<int>(start.size()) - 1, [&](int e) {
    const std::size_t begin = static_cast<std::size_t>(start[static_cast<std::size_t>(e)]);
    const std::size_t end = static_cast<std::size_t>(start[static_cast<std::size_t>(e) + 1]);
    return elements.subspan(begin, end - begin);
  });
}

int find_block(const BlockMatrix& matrix, int row, int column) {
  const auto begin = matrix.column.begin() + matrix.row_start[static_cast<std::size_t>(row)];
  const auto end = matrix.column.begin() + matrix.row_start[static_cast<std::size_t>(row) + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? static_cast<int>(found - matrix.column.begin()) : -1;
}

void multiply(const BlockMatrix& matrix, std::span<const double> x, std::span<double> y) {
  const std::size_t rows = static_cast<std::size_t>(matrix.rows);
  if (x.size() != 3 * rows || y.size() != 3 * rows)
    throw usage_error("a matrix of " + std::to_string(rows) + " block rows multiplies vectors of " +
                      std::to_string(3 * rows) + " numbers, not " + std::to_string(x.size()));
  parallel_chunks(rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      // One accumulator per block row and column: nine independent chains that the compiler packs.
      double sum[9] = {};
      const std::size_t last = static_cast<std::size_t>(matrix.row_start[row + 1]);
      for (std::size_t k = static_cast<std::size_t>(matrix.row_start[row]); k < last; ++k) {
        const double* m = matrix.block[k].m;
        const double* v = x.data() + 3 * static_cast<std::size_t>(matrix.column[k]);
        const double factor[9] = {v[0], v[1], v[2], v[0], v[1], v[2], v[0], v[1], v[2]};
        for (std::size_t i = 0; i < 9; ++i) sum[i] += m[i] * factor[i];
      }
      for (std::size_t i = 0; i < 3; ++i) y[3 * row + i] = sum[3 * i] + sum[3 * i + 1] + sum[3 * i + 2];
    }
  });
}

BlockMatrix principal_submatrix(const BlockMatrix& matrix, std::span<const int> keep, int kept_rows) {
  if (keep.size() != static_cast<std::size_t>(matrix.rows))
    throw usage_error("a principal submatrix needs one mark per block row: " + std::to_string(matrix.rows) + ", not " +
                      std::to_string(keep.size()));
  int next = 0;
  for (const int row : keep)
    if (row >= 0 && row != next++)
      throw usage_error("the kept block rows of a principal submatrix must be numbered 0, 1, 2, ... in order");
  if (next != kept_rows)
    throw usage_error(std::to_string(next) + " block rows are marked to be kept, but " + std::to_string(kept_rows) +
                      " are announced");

  BlockMatrix result;
  result.rows = kept_rows;
  result.row_start.reserve(static_cast<std::size_t>(kept_rows) + 1);
  result.row_start.push_back(0);
  for (std::size_t row = 0; row < keep.size(); ++row) {
    if (keep[row] < 0) continue;
    const std::size_t last = static_cast<std::size_t>(matrix.row_start[row + 1]);
    for (std::size_t k = static_cast<std::size_t>(matrix.row_start[row]); k < last; ++k) {
      const int column = keep[static_cast<std::size_t>(matrix.column[k])];
      if (column < 0) continue;
      result.column.push_back(column);
      result.block.push_back(matrix.block[k]);
    }
    result.row_start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

}  // namespace sinew
