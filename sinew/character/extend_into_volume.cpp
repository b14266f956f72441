#include <algorithm>

#include "sinew/character/body_binding.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {
namespace {

// Weight of smoothness against fidelity to the surface. Small: the surface's own values are met to
// about a per cent; large enough to fill the interior from a few points.
constexpr double smoothness = 0.02;

double mean_edge(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (const Tetrahedron& t : mesh.tetrahedra)
    sum += distance(mesh.positions[static_cast<std::size_t>(t[0])], mesh.positions[static_cast<std::size_t>(t[1])]);
  return sum / static_cast<double>(mesh.tetrahedra.size());
}

void add_scalar(BlockMatrix& matrix, int row, int column, double value) {
  Mat3& block = matrix.block[static_cast<std::size_t>(find_block(matrix, row, column))];
  for (std::size_t k = 0; k < 3; ++k) block(k, k) += value;
}

// The normal equations; a scalar operator, written three times along the diagonal of each block so that
// one substitution carries three columns.
BlockMatrix normal_matrix(const TetrahedralMesh& mesh, const Embedding& embedding) {
  const auto vertices = static_cast<int>(mesh.positions.size());
  std::vector<int> corners;
  corners.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) corners.insert(corners.end(), t.begin(), t.end());
  BlockMatrix matrix = block_pattern(vertices, corners, 4);

  const double scale = smoothness / mean_edge(mesh);
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(t[k])]; };
    const Vec3 e1 = x(1) - x(0), e2 = x(2) - x(0), e3 = x(3) - x(0);
    const double six_volumes = dot(cross(e1, e2), e3);
    const Vec3 g1 = cross(e2, e3) / six_volumes, g2 = cross(e3, e1) / six_volumes, g3 = cross(e1, e2) / six_volumes;
    const Vec3 gradient[4] = {-(g1 + g2 + g3), g1, g2, g3};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        add_scalar(matrix, t[i], t[j], scale * six_volumes / 6 * dot(gradient[i], gradient[j]));
  }
  for (const EmbeddedPoint& point : embedding.points) {
    if (point.tetrahedron < 0) continue;
    const Tetrahedron& t = mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) add_scalar(matrix, t[i], t[j], point.weights[i] * point.weights[j]);
  }
  // Components without points would be singular; a trace of identity sends them to zero and moves
  // nothing else by more than it is.
  for (int v = 0; v < vertices; ++v) add_scalar(matrix, v, v, 1e-9);
  return matrix;
}

}  // namespace

std::vector<double> extend_into_volume(const TetrahedralMesh& mesh, const Embedding& embedding,
                                       std::span<const double> values, int columns) {
  const BlockMatrix matrix = normal_matrix(mesh, embedding);
  BlockCholesky factor;
  factor.analyze(matrix);
  factor.factor(matrix);

  const std::size_t vertices = mesh.positions.size(), width = static_cast<std::size_t>(columns);
  std::vector<double> result(vertices * width), b(3 * vertices), x(3 * vertices);
  for (std::size_t first = 0; first < width; first += 3) {
    const std::size_t count = std::min<std::size_t>(3, width - first);
    std::fill(b.begin(), b.end(), 0.0);
    for (std::size_t s = 0; s < embedding.points.size(); ++s) {
      const EmbeddedPoint& point = embedding.points[s];
      if (point.tetrahedron < 0) continue;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto v = static_cast<std::size_t>(mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k]);
        for (std::size_t c = 0; c < count; ++c) b[3 * v + c] += point.weights[k] * values[s * width + first + c];
      }
    }
    factor.solve(b, x);
    for (std::size_t v = 0; v < vertices; ++v)
      for (std::size_t c = 0; c < count; ++c) result[v * width + first + c] = x[3 * v + c];
  }
  return result;
}

std::vector<Influences> body_influences(const TetrahedralMesh& mesh, const Embedding& embedding,
                                        const SimulationSurface& surface) {
  const std::size_t bones = surface.bones.size(), vertices = mesh.positions.size();
  std::vector<double> values(embedding.points.size() * bones, 0.0);
  for (std::size_t s = 0; s < surface.influences.size(); ++s)
    for (int k = 0; k < surface.influences[s].count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      values[s * bones + static_cast<std::size_t>(surface.influences[s].joint[slot])] =
          surface.influences[s].weight[slot];
    }
  const std::vector<double> extended = extend_into_volume(mesh, embedding, values, static_cast<int>(bones));

  std::vector<Influences> result(vertices);
  std::vector<std::pair<double, int>> sorted;
  for (std::size_t v = 0; v < vertices; ++v) {
    sorted.clear();
    // Below one per cent a bone's pull cannot be seen, and fitting noise begins.
    for (std::size_t b = 0; b < bones; ++b)
      if (extended[v * bones + b] > 0.01) sorted.push_back({-extended[v * bones + b], static_cast<int>(b)});
    std::sort(sorted.begin(), sorted.end());
    if (sorted.size() > max_influences) sorted.resize(max_influences);
    double sum = 0;
    for (const auto& [negative, bone] : sorted) sum -= negative;
    for (const auto& [negative, bone] : sorted) {
      const auto slot = static_cast<std::size_t>(result[v].count++);
      result[v].joint[slot] = bone;
      result[v].weight[slot] = -negative / sum;
    }
  }
  return result;
}

}  // namespace sinew
