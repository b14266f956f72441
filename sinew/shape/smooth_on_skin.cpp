#include "sinew/shape/smooth_on_skin.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// Weight of a value that stays, beside that of an edge.
constexpr double certain = 1e12;

}  // namespace

std::vector<Vec3> smoothed_on_skin(const TriangleMesh& skin, std::span<const Vec3> field,
                                   std::span<const double> radius) {
  const std::size_t n = field.size();
  const std::vector<std::array<int, 2>> edges = mesh_edges(skin).vertices;
  std::vector<int> ends;
  for (const auto& edge : edges) ends.insert(ends.end(), edge.begin(), edge.end());
  SparseMatrix matrix = sparse_matrix(static_cast<int>(n), ends, 2);
  for (const auto& [a, b] : edges) {
    entry(matrix, a, a) += 1;
    entry(matrix, b, b) += 1;
    entry(matrix, a, b) -= 1;
    entry(matrix, b, a) -= 1;
  }
  const std::vector<double> area = vertex_areas(skin);
  std::vector<double> values(3 * n);
  for (std::size_t v = 0; v < n; ++v) {
    // A vertex without triangles has no edges, and stays.
    const double weight = area[v] > 0 ? std::min(area[v] / (radius[v] * radius[v]), certain) : certain;
    entry(matrix, static_cast<int>(v), static_cast<int>(v)) += weight;
    for (std::size_t k = 0; k < 3; ++k) values[3 * v + k] = weight * field[v][k];
  }
  ScalarCholesky factor;
  factor.factor(matrix);
  factor.solve(values, values, 3);
  std::vector<Vec3> smoothed(n);
  for (std::size_t k = 0; k < values.size(); ++k) smoothed[k / 3][k % 3] = values[k];
  return smoothed;
}

}  // namespace sinew
