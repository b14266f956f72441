#include "sinew/deform/lattice_flesh/contact_compliance.h"

#include <algorithm>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

// All columns are dropped, and those in use solved for anew, where they would take more memory than this.
constexpr std::size_t most_bytes = std::size_t{256} << 20;

}  // namespace

ContactCompliance::ContactCompliance(std::span<const int> vertices, std::size_t free_vertices)
    : vertices_(vertices.begin(), vertices.end()), row_(free_vertices, -1), columns_(free_vertices),
      unit_(3 * free_vertices, 0.0), solution_(3 * free_vertices) {
  for (std::size_t i = 0; i < vertices_.size(); ++i) row_[static_cast<std::size_t>(vertices_[i])] = static_cast<int>(i);
}

void ContactCompliance::along(std::span<const int> touched, std::span<const Vec3> up, const LinearOperator& inverse,
                              std::vector<double>& compliance) {
  const std::size_t bytes_each = 9 * sizeof(float) * vertices_.size();
  if ((kept_ + touched.size()) * bytes_each > most_bytes) {
    for (std::vector<float>& columns : columns_) columns = {};
    kept_ = 0;
  }
  for (int vertex : touched) keep_columns(vertex, inverse);

  const std::size_t count = touched.size();
  compliance.resize(count * count);
  parallel_for(count, 16, [&](std::size_t j) {
    const auto column_of = static_cast<std::size_t>(touched[j]);
    for (std::size_t i = 0; i < count; ++i) {
      if (touched[i] > touched[j]) continue;   // the columns of the later vertex count, for both
      const auto row = static_cast<std::size_t>(row_[static_cast<std::size_t>(touched[i])]);
      const float* block = &columns_[column_of][9 * row];
      double sum = 0;
      for (std::size_t r = 0; r < 3; ++r)
        sum += up[i][r] * (block[3 * r] * up[j].x + block[3 * r + 1] * up[j].y + block[3 * r + 2] * up[j].z);
      compliance[i * count + j] = sum;
      compliance[j * count + i] = sum;
    }
  });
}

void ContactCompliance::keep_columns(int vertex, const LinearOperator& inverse) {
  std::vector<float>& columns = columns_[static_cast<std::size_t>(vertex)];
  if (!columns.empty()) return;
  ++kept_;
  columns.resize(9 * vertices_.size());
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t at = 3 * static_cast<std::size_t>(vertex) + c;
    unit_[at] = 1;
    inverse(unit_, solution_);
    unit_[at] = 0;
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      for (std::size_t r = 0; r < 3; ++r)
        columns[9 * i + 3 * r + c] = static_cast<float>(solution_[3 * static_cast<std::size_t>(vertices_[i]) + r]);
  }
}

}  // namespace sinew
