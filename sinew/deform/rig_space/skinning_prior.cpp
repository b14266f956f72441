#include "sinew/deform/rig_space/skinning_prior.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/linalg/sparse_matrix.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

constexpr std::size_t fields_at_once = 16;  // one pass over the factor serves them all
constexpr int smoothings[] = {8, 32, 128};  // in turn: values a few edges apart, and a few times as far, are alike

// Numbers in [-1, 1) without pattern, the same in every run.
class Noise {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_ = 20130719;
};

// Neighbours along the boundary's triangles, both ways.
std::vector<std::pair<int, int>> boundary_links(const TetrahedralMesh& mesh, std::span<const char> is_boundary) {
  std::vector<std::pair<int, int>> links;
  for (const Triangle& t : boundary_surface(mesh).triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (!is_boundary[static_cast<std::size_t>(a)] || !is_boundary[static_cast<std::size_t>(b)]) continue;
      links.push_back({a, b});
      links.push_back({b, a});
    }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

// Half of each value goes to its neighbours' mean, so many times. Values outside of the boundary stay zero.
void smooth(const std::vector<std::pair<int, int>>& links, int times, std::vector<double>& value) {
  std::vector<double> sum(value.size()), count(value.size());
  for (int k = 0; k < times; ++k) {
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(count.begin(), count.end(), 0.0);
    for (const auto& [to, from] : links) {
      sum[static_cast<std::size_t>(to)] += value[static_cast<std::size_t>(from)];
      count[static_cast<std::size_t>(to)] += 1;
    }
    for (std::size_t v = 0; v < value.size(); ++v)
      if (count[v] > 0) value[v] = 0.5 * (value[v] + sum[v] / count[v]);
  }
}

struct Couplings {
  SparseMatrix interior;  // K_qq over all vertices; boundary vertices have a one
  SparseMatrix boundary;  // K_qb
};

Couplings couplings(const TetrahedralMesh& mesh, std::span<const char> is_boundary) {
  std::vector<int> corners;
  for (const Tetrahedron& t : mesh.tetrahedra) corners.insert(corners.end(), t.begin(), t.end());
  Couplings result;
  result.interior = result.boundary = sparse_matrix(static_cast<int>(mesh.positions.size()), corners, 4);
  for (std::size_t k = 0; k < mesh.tetrahedra.size(); ++k) {
    const Tetrahedron& t = mesh.tetrahedra[k];
    const ShapeGradients shape = shape_gradients(mesh, k);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        if (is_boundary[static_cast<std::size_t>(t[i])]) continue;
        const double value = shape.volume * dot(shape.gradient[i], shape.gradient[j]);
        if (!std::isfinite(value))
          throw simulation_error("harmonic fields: tetrahedron " + std::to_string(k) +
                                 " has no volume; mesh the body anew.");
        entry(is_boundary[static_cast<std::size_t>(t[j])] ? result.boundary : result.interior, t[i], t[j]) += value;
      }
  }
  // Boundary vertices, and those of no tetrahedron.
  for (int v = 0; v < result.interior.rows; ++v)
    if (entry(result.interior, v, v) == 0) entry(result.interior, v, v) = 1;
  return result;
}

}  // namespace

HarmonicFields harmonic_fields(const TetrahedralMesh& mesh, std::span<const int> boundary, int count,
                               const Progress& progress) {
  const std::size_t n = mesh.positions.size(), all = static_cast<std::size_t>(count);
  HarmonicFields fields{count, std::vector<double>(n * all)};
  std::vector<char> is_boundary(n, 0);
  for (const int v : boundary) is_boundary[static_cast<std::size_t>(v)] = 1;
  const std::vector<std::pair<int, int>> links = boundary_links(mesh, is_boundary);
  const Couplings system = couplings(mesh, is_boundary);
  ScalarCholesky factor;
  factor.factor(system.interior);
  Noise noise;
  std::vector<double> x(n * fields_at_once), right(n * fields_at_once);
  std::vector<std::vector<double>> columns(fields_at_once);
  for (std::size_t first = 0; first < all; first += fields_at_once) {
    report_or_stop(progress, "weighing the boundary", static_cast<double>(first) / static_cast<double>(all));
    const std::size_t width = std::min(fields_at_once, all - first);
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t c = 0; c < width; ++c) {
      columns[c].assign(n, 0.0);
      for (const int v : boundary) columns[c][static_cast<std::size_t>(v)] = noise();
    }
    parallel_for(width, 1, [&](std::size_t c) {
      std::vector<double>& column = columns[c];
      smooth(links, smoothings[(first + c) % std::size(smoothings)], column);
      double square = 0;
      for (const double value : column) square += value * value;
      const double scale = square > 0 ? std::sqrt(static_cast<double>(boundary.size()) / square) : 0;
      for (std::size_t v = 0; v < n; ++v) x[v * fields_at_once + c] = scale * column[v];
    });
    multiply(system.boundary, x, right, static_cast<int>(fields_at_once));
    for (std::size_t v = 0; v < n; ++v)
      for (std::size_t c = 0; c < fields_at_once; ++c) {
        const std::size_t k = v * fields_at_once + c;
        right[k] = is_boundary[v] ? x[k] : -right[k];
      }
    factor.solve(right, x, static_cast<int>(fields_at_once));
    for (std::size_t v = 0; v < n; ++v)
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(v * fields_at_once), width,
                  fields.value.begin() + static_cast<std::ptrdiff_t>(v * all + first));
  }
  return fields;
}

}  // namespace sinew
