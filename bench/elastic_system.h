// The linear system of one implicit step on a benchmark limb: S + M / h^2 of linear elastic tetrahedra with lumped
// mass, without core vertices.
#pragma once

#include <span>
#include <vector>

#include "bench/tet_file.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew::bench {

struct ElasticMaterial {
  double young = 1e5;  // Pa
  double poisson = 0.45;
  double density = 1000;  // kg/m^3
};

inline BlockMatrix elastic_system(const TetFile& limb, double step, const ElasticMaterial& material = {}) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const double lambda = material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson));
  const double mu = material.young / (2 * (1 + material.poisson));
  BlockMatrix system = block_pattern(static_cast<int>(limb.vertices.size()), limb.tetrahedra, 4);
  for (std::size_t e = 0; e + 4 <= limb.tetrahedra.size(); e += 4) {
    const std::span<const int, 4> tet(limb.tetrahedra.data() + e, 4);
    const Vec3 origin = limb.vertices[at(tet[0])];
    const Mat3 edges = Mat3::from_columns(limb.vertices[at(tet[1])] - origin, limb.vertices[at(tet[2])] - origin,
                                          limb.vertices[at(tet[3])] - origin);
    const double volume = determinant(edges) / 6;
    const Mat3 inverse_edges = inverse(edges);
    Vec3 gradient[4];  // of the linear shape functions
    for (std::size_t i = 0; i < 3; ++i) {
      gradient[i + 1] = inverse_edges.row(i);
      gradient[0] -= gradient[i + 1];
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        Mat3 block = lambda * outer(gradient[i], gradient[j]) + mu * outer(gradient[j], gradient[i]) +
                     Mat3::diagonal({1, 1, 1}) * (mu * dot(gradient[i], gradient[j]));
        block *= volume;
        if (i == j) block += Mat3::identity() * (material.density * volume / 4 / (step * step));
        system.block[at(find_block(system, tet[i], tet[j]))] += block;
      }
  }
  std::vector<int> keep(limb.vertices.size(), 0);
  for (const int held : limb.core) keep[at(held)] = -1;
  int free = 0;
  for (int& mark : keep)
    if (mark >= 0) mark = free++;
  return principal_submatrix(system, keep, free);
}

}  // namespace sinew::bench
