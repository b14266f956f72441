#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/body_binding.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/sparse_matrix.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

// Weight of smoothness against fidelity to the surface. Small: the surface's own values are met to
// about a per cent; large enough to fill the interior from a few points.
constexpr double smoothness = 0.02;

// Of the residual, relative: the error it leaves in the values is about 1e-10, where elements extrapolate far 1e-7
// (docs/binding.md).
constexpr double tolerance = 1e-12;
constexpr int most_iterations = 20'000;
constexpr std::size_t batch = 8;  // columns solved at once, so that one pass over the matrix serves them all
constexpr std::size_t grain = 1024;

double mean_edge(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (const Tetrahedron& t : mesh.tetrahedra)
    sum += distance(mesh.positions[static_cast<std::size_t>(t[0])], mesh.positions[static_cast<std::size_t>(t[1])]);
  return sum / static_cast<double>(mesh.tetrahedra.size());
}

// The normal equations of the minimisation.
SparseMatrix normal_matrix(const TetrahedralMesh& mesh, const Embedding& embedding) {
  const auto vertices = static_cast<int>(mesh.positions.size());
  std::vector<int> corners;
  corners.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) corners.insert(corners.end(), t.begin(), t.end());
  SparseMatrix matrix = sparse_matrix(vertices, corners, 4);

  const double scale = smoothness / mean_edge(mesh);
  for (std::size_t k = 0; k < mesh.tetrahedra.size(); ++k) {
    const Tetrahedron& t = mesh.tetrahedra[k];
    const ShapeGradients shape = shape_gradients(mesh, k);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        entry(matrix, t[i], t[j]) += scale * shape.volume * dot(shape.gradient[i], shape.gradient[j]);
  }
  for (const EmbeddedPoint& point : embedding.points) {
    if (point.tetrahedron < 0) continue;
    const Tetrahedron& t = mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) entry(matrix, t[i], t[j]) += point.weights[i] * point.weights[j];
  }
  return matrix;
}

// The right-hand sides B^T values: `columns` numbers per mesh vertex.
std::vector<double> sums_at_vertices(const TetrahedralMesh& mesh, const Embedding& embedding,
                                     std::span<const double> values, std::size_t columns) {
  std::vector<double> sums(mesh.positions.size() * columns, 0.0);
  for (std::size_t s = 0; s < embedding.points.size(); ++s) {
    const EmbeddedPoint& point = embedding.points[s];
    if (point.tetrahedron < 0) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto v = static_cast<std::size_t>(mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k]);
      for (std::size_t c = 0; c < columns; ++c) sums[v * columns + c] += point.weights[k] * values[s * columns + c];
    }
  }
  return sums;
}

// Columns [first, first + count) of a matrix stored row by row, to or from the first of `width` columns.
void copy_columns(std::span<const double> from, std::size_t from_width, std::size_t from_first, std::span<double> to,
                  std::size_t to_width, std::size_t to_first, std::size_t count) {
  for (std::size_t row = 0; row * to_width < to.size(); ++row)
    for (std::size_t c = 0; c < count; ++c) to[row * to_width + to_first + c] = from[row * from_width + from_first + c];
}

}  // namespace

std::vector<double> extend_into_volume(const TetrahedralMesh& mesh, const Embedding& embedding,
                                       std::span<const double> values, int columns, const Progress& progress) {
  const SparseMatrix matrix = normal_matrix(mesh, embedding);
  const std::vector<double> pivot = diagonal(matrix);
  const std::size_t vertices = mesh.positions.size(), all = static_cast<std::size_t>(columns);
  const std::size_t width = std::min(all, batch);

  // `width` columns side by side are one system, with the matrix that often on its diagonal: as many iterations
  // as one column takes. Where the matrix is singular, in components without points, all vectors stay zero.
  std::size_t first = 0;
  const LinearOperator product = [&](std::span<const double> from, std::span<double> to) {
    report_or_stop(progress, "binding the body to the skeleton", static_cast<double>(first) / static_cast<double>(all));
    multiply(matrix, from, to, static_cast<int>(width));
  };
  const LinearOperator jacobi = [&](std::span<const double> from, std::span<double> to) {
    parallel_for(vertices, grain, [&](std::size_t v) {
      for (std::size_t k = v * width; k < (v + 1) * width; ++k) to[k] = pivot[v] > 0 ? from[k] / pivot[v] : 0;
    });
  };

  std::vector<double> result = sums_at_vertices(mesh, embedding, values, all);
  std::vector<double> b(vertices * width), x(vertices * width);
  ConjugateGradients solver;
  for (; first < all; first += width) {
    const std::size_t count = std::min(width, all - first);
    std::fill(b.begin(), b.end(), 0.0);
    std::fill(x.begin(), x.end(), 0.0);
    copy_columns(result, all, first, b, width, 0, count);
    if (!solver.solve(product, jacobi, b, x, {tolerance, most_iterations, 1}).converged)
      throw simulation_error(
          "what is known on the skin could not be carried into the body, whose cells are too "
          "irregular; choose another number of tetrahedra.");
    copy_columns(x, width, 0, result, all, first, count);
  }
  return result;
}

std::vector<Influences> body_influences(const TetrahedralMesh& mesh, const Embedding& embedding,
                                        const SimulationSurface& surface, const Progress& progress) {
  const std::size_t bones = surface.bones.size(), vertices = mesh.positions.size();
  std::vector<double> values(embedding.points.size() * bones, 0.0);
  for (std::size_t s = 0; s < surface.influences.size(); ++s)
    for (int k = 0; k < surface.influences[s].count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      values[s * bones + static_cast<std::size_t>(surface.influences[s].joint[slot])] =
          surface.influences[s].weight[slot];
    }
  const std::vector<double> extended = extend_into_volume(mesh, embedding, values, static_cast<int>(bones), progress);

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
