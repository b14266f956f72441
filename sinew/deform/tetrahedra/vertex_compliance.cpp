#include "sinew/deform/tetrahedra/vertex_compliance.h"

#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/base/scratch.h"

namespace sinew {
namespace {

// Columns of vertices that do not touch now are dropped where all would take more memory than this.
constexpr std::size_t most_bytes = std::size_t{256} << 20;

}  // namespace

VertexCompliance::VertexCompliance(std::span<const int> vertices, std::size_t free_vertices)
    : vertices_(vertices.begin(), vertices.end()),
      row_(free_vertices, -1),
      columns_(free_vertices),
      units_(9 * free_vertices, 0.0),
      solutions_(9 * free_vertices) {
  for (std::size_t i = 0; i < vertices_.size(); ++i) row_[static_cast<std::size_t>(vertices_[i])] = static_cast<int>(i);
}

void VertexCompliance::between(std::span<const VertexDirection> directions, const BlockCholesky& factor,
                               std::span<double> compliance) {
  std::size_t missing = 0;
  for (const VertexDirection& d : directions) missing += columns_[static_cast<std::size_t>(d.vertex)].empty();
  if ((kept_ + missing) * 9 * sizeof(float) * vertices_.size() > most_bytes) drop_all_but(directions);
  for (const VertexDirection& d : directions) keep_columns(d.vertex, factor);

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

void VertexCompliance::keep_columns(int vertex, const BlockCholesky& factor) {
  std::vector<float>& columns = columns_[static_cast<std::size_t>(vertex)];
  if (!columns.empty()) return;
  ++kept_;
  columns.resize(9 * vertices_.size());
  const std::size_t unknowns = units_.size() / 3, first = 3 * static_cast<std::size_t>(vertex);
  for (std::size_t c = 0; c < 3; ++c) units_[c * unknowns + first + c] = 1;
  factor.solve(units_, solutions_, 3);
  for (std::size_t c = 0; c < 3; ++c) units_[c * unknowns + first + c] = 0;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c)
        columns[9 * i + 3 * r + c] =
            static_cast<float>(solutions_[c * unknowns + 3 * static_cast<std::size_t>(vertices_[i]) + r]);
}

}  // namespace sinew
