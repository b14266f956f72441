#include "sinew/mesh/control_lattice/vertex_gradients.h"

#include <array>
#include <cstddef>
#include <map>

#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Volume times the gradient of corner k's linear function on a tetrahedron of positive volume.
Vec3 gradient_integral(const std::array<Vec3, 4>& p, std::size_t k) {
  constexpr std::size_t opposite[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};  // seen from inside
  const auto& f = opposite[k];
  return cross(p[f[1]] - p[f[0]], p[f[2]] - p[f[0]]) / 6;
}

}  // namespace

VertexGradients vertex_gradients(const ControlLattice& lattice) {
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, 1);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(fine);
  const SparseRows& values = fine.refine[0];
  std::vector<std::map<int, Vec3>> integral(lattice.cells());  // per cell and function
  std::vector<double> cell_volume(lattice.cells(), 0.0);
  for (std::size_t t = 0; t < tetrahedra.mesh.tetrahedra.size(); ++t) {
    const auto cell = index(fine.cell[index(tetrahedra.hexahedron[t])]);
    const std::array<Vec3, 4> p = corners_of(tetrahedra.mesh, t);
    cell_volume[cell] += volume(p[0], p[1], p[2], p[3]);
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3 g = gradient_integral(p, k);
      const auto v = index(tetrahedra.mesh.tetrahedra[t][k]);
      for (auto e = index(values.start[v]); e < index(values.start[v + 1]); ++e)
        integral[cell][values.column[e]] += values.value[e] * g;
    }
  }
  std::vector<std::vector<std::size_t>> around(lattice.positions.size());
  for (std::size_t h = 0; h < fine.hexahedra.size(); ++h)  // one for each corner of a cell
    for (int v : fine.hexahedra[h])
      if (index(v) < around.size()) around[index(v)].push_back(index(fine.cell[h]));
  VertexGradients result;
  for (const std::vector<std::size_t>& cells : around) {
    std::map<int, Vec3> sum;
    double total = 0;
    for (std::size_t c : cells) {
      total += cell_volume[c];
      for (const auto& [function, g] : integral[c]) sum[function] += g;
    }
    for (const auto& [function, g] : sum) {
      result.function.push_back(function);
      result.gradient.push_back(g / total);
    }
    result.start.push_back(static_cast<int>(result.function.size()));
  }
  return result;
}

void add_gradients(RowBuilder& builder, const VertexGradients& gradients, const SparseRows& weights, int row,
                   const Vec3& d) {
  const std::size_t vertices = gradients.start.size() - 1;
  for (auto e = index(weights.start[index(row)]); e < index(weights.start[index(row) + 1]); ++e) {
    const auto j = index(weights.column[e]);
    if (j >= vertices) break;
    for (auto k = index(gradients.start[j]); k < index(gradients.start[j + 1]); ++k)
      builder.add(gradients.function[k], weights.value[e] * dot(gradients.gradient[k], d));
  }
}

}  // namespace sinew
