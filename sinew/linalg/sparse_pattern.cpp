#include "sinew/linalg/sparse_pattern.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t sparse_pattern_row_grain = 1024;

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
                          ", but the matrix has " + std::to_string(rows) + " rows");
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
SparsePattern pattern(int rows, int element_count, const ElementRange& vertices_of) {
  const std::size_t row_count = static_cast<std::size_t>(rows);
  const Incidence around = incidence(rows, element_count, vertices_of);

  SparsePattern result;
  result.row_start.assign(row_count + 1, 0);
  std::vector<std::vector<int>> chunk_columns((row_count + sparse_pattern_row_grain - 1) / sparse_pattern_row_grain);
  parallel_chunks(row_count, sparse_pattern_row_grain, [&](std::size_t begin, std::size_t end) {
    std::vector<int>& columns = chunk_columns[begin / sparse_pattern_row_grain];
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
      result.row_start[row + 1] = static_cast<int>(neighbours.size());
    }
  });
  for (std::size_t row = 0; row < row_count; ++row) result.row_start[row + 1] += result.row_start[row];
  result.column.reserve(static_cast<std::size_t>(result.row_start.back()));
  for (const std::vector<int>& columns : chunk_columns)
    result.column.insert(result.column.end(), columns.begin(), columns.end());
  return result;
}

}  // namespace

SparsePattern element_pattern(int rows, std::span<const int> elements, int vertices_per_element) {
  if (rows < 0 || vertices_per_element < 1 || elements.size() % static_cast<std::size_t>(vertices_per_element) != 0)
    throw usage_error("a matrix pattern needs whole elements: " + std::to_string(elements.size()) +
                      " indices cannot be cut into elements of " + std::to_string(vertices_per_element));
  const std::size_t size = static_cast<std::size_t>(vertices_per_element);
  return pattern(rows, static_cast<int>(elements.size() / size),
                 [&](int e) { return elements.subspan(static_cast<std::size_t>(e) * size, size); });
}

SparsePattern element_pattern(int rows, std::span<const int> elements, std::span<const int> start) {
  const bool ascending = std::is_sorted(start.begin(), start.end());
  if (rows < 0 || start.empty() || !ascending || start.front() < 0 ||
      static_cast<std::size_t>(start.back()) > elements.size())
    throw usage_error("a matrix pattern needs ascending element starts that end within the " +
                      std::to_string(elements.size()) + " indices given");
  return pattern(rows, static_cast<int>(start.size()) - 1, [&](int e) {
    const std::size_t begin = static_cast<std::size_t>(start[static_cast<std::size_t>(e)]);
    const std::size_t end = static_cast<std::size_t>(start[static_cast<std::size_t>(e) + 1]);
    return elements.subspan(begin, end - begin);
  });
}

int find_column(std::span<const int> row_start, std::span<const int> column, int row, int wanted) {
  const auto begin = column.begin() + row_start[static_cast<std::size_t>(row)];
  const auto end = column.begin() + row_start[static_cast<std::size_t>(row) + 1];
  const auto found = std::lower_bound(begin, end, wanted);
  return found != end && *found == wanted ? static_cast<int>(found - column.begin()) : -1;
}

}  // namespace sinew
