#include "sinew/deform/tetrahedra/vertex_compliance.h"

#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/base/scratch.h"

namespace sinew {
namespace {

// Columns of vertices that do not touch now are dropped where all would take more memory than this.
constexpr std::size_t most_bytes = std::size_t{256} << 20;
// Right-hand sides that the factor solves for in one pass.
constexpr std::size_t solved_at_once = 8;

}  // namespace

VertexCompliance::VertexCompliance(std::span<const int> vertices, std::size_t free_vertices)
    : vertices_(vertices.begin(), vertices.end()),
      row_(free_vertices, -1),
      columns_(free_vertices) {
  for (std::size_t i = 0; i < vertices_.size(); ++i) row_[static_cast<std::size_t>(vertices_[i])] = static_cast<int>(i);
}

void VertexCompliance::between(std::span<const VertexDirection> directions, const BlockCholesky& factor,
                               std::span<double> compliance) {
  ScratchVector<int> missing;  // ascending, as the directions' vertices are
  for (const VertexDirection& d : directions)
    if (columns_[static_cast<std::size_t>(d.vertex)].empty() && (missing.empty() || missing.back() != d.vertex))
      missing.push_back(d.vertex);
  if ((kept_ + missing.size()) * 9 * sizeof(float) * vertices_.size() > most_bytes) drop_all_but(directions);
  keep_columns(missing, factor);

  const std::size_t count = directions.size();
  parallel_for(count, 16, [&](std::size_t j) {
    const Vec3& from = directions[j].along;
    const auto column_of = static_cast<std::size_t>(directions[j].vertex);
    for (std::size_t i = 0; i <= j; ++i) {  // the columns of the later vertex count, for both
      const auto row = static_cast<std::size_t>(row_[static_cast<std::size_t>(directions[i].vertex)]);
      const float* block = &columns_[column_of][9 * row];
      double sum = 0;
      for (std::size_t r = 0; r < 3; ++r)
        sum += directions[i].along[r] * (block[3 * r] * from.x + block[3 * r + 1] * from.y + block[3 * r + 2] * from.z);
      compliance[i * count + j] = sum;
      compliance[j * count + i] = sum;
    }
  });
}

void VertexCompliance::drop_all_but(std::span<const VertexDirection> directions) {
  ScratchVector<int> touched;
  for (const VertexDirection& d : directions) touched.push_back(d.vertex);
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    if (columns_[f].empty() || std::binary_search(touched.begin(), touched.end(), static_cast<int>(f))) continue;
    columns_[f] = {};
    --kept_;
  }
}

// Columns of the inverse, several at once so that a panel of the factor that is read once serves all of them, and such
// groups side by side. A column has the same bits in whatever group it is solved.
void VertexCompliance::keep_columns(std::span<const int> vertices, const BlockCholesky& factor) {
  const std::size_t unknowns = 3 * row_.size(), columns = 3 * vertices.size();
  for (const int v : vertices) columns_[static_cast<std::size_t>(v)].resize(9 * vertices_.size());
  kept_ += vertices.size();
  parallel_chunks((columns + solved_at_once - 1) / solved_at_once, 1, [&](std::size_t begin, std::size_t end) {
    ScratchVector<double> units(solved_at_once * unknowns, 0.0), solutions(units.size());
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t first = group * solved_at_once, count = std::min(solved_at_once, columns - first);
      const auto unit = [&](std::size_t i) -> double& {
        const std::size_t column = first + i;
        return units[i * unknowns + 3 * static_cast<std::size_t>(vertices[column / 3]) + column % 3];
      };
      for (std::size_t i = 0; i < count; ++i) unit(i) = 1;
      factor.solve(std::span(units).first(count * unknowns), std::span(solutions).first(count * unknowns),
                   static_cast<int>(count));
      for (std::size_t i = 0; i < count; ++i) {
        unit(i) = 0;
        const std::size_t column = first + i;
        std::vector<float>& to = columns_[static_cast<std::size_t>(vertices[column / 3])];
        for (std::size_t v = 0; v < vertices_.size(); ++v)
          for (std::size_t r = 0; r < 3; ++r)
            to[9 * v + 3 * r + column % 3] =
                static_cast<float>(solutions[i * unknowns + 3 * static_cast<std::size_t>(vertices_[v]) + r]);
      }
    }
  });
}

}  // namespace sinew
