#include "sinew/deform/rig_space/skinning_prior.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/base/error.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/linalg/sparse_matrix.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

constexpr std::size_t columns_at_once = 16;  // one pass over the factor serves them all

struct Couplings {
  SparseMatrix interior;                                       // K_qq over all vertices; boundary vertices have a one
  std::vector<std::vector<std::pair<int, double>>> to_column;  // per boundary vertex: -K_qb's entries, by vertex
};

Couplings couplings(const TetrahedralMesh& mesh, std::span<const int> column) {
  std::vector<int> corners;
  for (const Tetrahedron& t : mesh.tetrahedra) corners.insert(corners.end(), t.begin(), t.end());
  Couplings result{sparse_matrix(static_cast<int>(mesh.positions.size()), corners, 4), {}};
  result.to_column.resize(mesh.positions.size());
  for (std::size_t v = 0; v < column.size(); ++v)
    if (column[v] >= 0) entry(result.interior, static_cast<int>(v), static_cast<int>(v)) = 1;
  for (std::size_t k = 0; k < mesh.tetrahedra.size(); ++k) {
    const Tetrahedron& t = mesh.tetrahedra[k];
    const ShapeGradients shape = shape_gradients(mesh, k);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        if (column[static_cast<std::size_t>(t[i])] >= 0) continue;
        const double value = shape.volume * dot(shape.gradient[i], shape.gradient[j]);
        if (!std::isfinite(value))
          throw simulation_error("harmonic weights: tetrahedron " + std::to_string(k) +
                                 " has no volume; mesh the body anew.");
        const int other = column[static_cast<std::size_t>(t[j])];
        if (other < 0)
          entry(result.interior, t[i], t[j]) += value;
        else
          result.to_column[static_cast<std::size_t>(other)].push_back({t[i], -value});
      }
  }
  // Vertices of no tetrahedron.
  for (int v = 0; v < result.interior.rows; ++v)
    if (entry(result.interior, v, v) == 0) entry(result.interior, v, v) = 1;
  return result;
}

}  // namespace

std::vector<double> harmonic_weights(const TetrahedralMesh& mesh, std::span<const int> boundary,
                                     std::span<const int> interior, const GeodesicNeighbours& candidates,
                                     const Progress& progress) {
  std::vector<double> result(candidates.target.size(), 0.0);
  if (result.empty()) return result;
  const std::size_t n = mesh.positions.size();
  std::vector<int> column(n, -1);
  for (std::size_t j = 0; j < boundary.size(); ++j) column[static_cast<std::size_t>(boundary[j])] = static_cast<int>(j);
  const Couplings system = couplings(mesh, column);
  ScalarCholesky factor;
  factor.factor(system.interior);

  // Who asks for which column: interior vertex and entry.
  std::vector<std::vector<std::pair<int, std::size_t>>> asked(boundary.size());
  for (std::size_t i = 0; i < interior.size(); ++i)
    for (auto k = static_cast<std::size_t>(candidates.start[i]); k < static_cast<std::size_t>(candidates.start[i + 1]);
         ++k)
      asked[static_cast<std::size_t>(candidates.target[k])].push_back({interior[i], k});

  std::vector<double> x(n * columns_at_once);
  for (std::size_t first = 0; first < boundary.size(); first += columns_at_once) {
    report_or_stop(progress, "weighing the boundary",
                   static_cast<double>(first) / static_cast<double>(boundary.size()));
    const std::size_t count = std::min(columns_at_once, boundary.size() - first);
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t c = 0; c < count; ++c)
      for (const auto& [vertex, value] : system.to_column[first + c])
        x[static_cast<std::size_t>(vertex) * columns_at_once + c] += value;
    factor.solve(x, x, static_cast<int>(columns_at_once));
    for (std::size_t c = 0; c < count; ++c)
      for (const auto& [vertex, k] : asked[first + c])
        result[k] = std::max(0.0, x[static_cast<std::size_t>(vertex) * columns_at_once + c]);
  }
  return result;
}

}  // namespace sinew
