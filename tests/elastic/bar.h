// A bar of trilinear cells, 0.6 x 0.2 x 0.2 m, with the matrices of its dynamics over the functions that are free.
#pragma once

#include <string>
#include <vector>

#include "sinew/elastic/basis_integrals.h"
#include "sinew/elastic/free_vertices.h"
#include "sinew/elastic/green_strain.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/sparse_pattern.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/quality.h"
#include "studies/reference/implicit_step.h"
#include "tests/elastic/basis_samples.h"

namespace sinew::test {

struct Bar {
  LatticeBody body;
  FreeVertices free;
  BlockMatrix stiffness, mass;  // over the free functions
  std::vector<double> weight;   // kilograms per free function

  std::size_t numbers() const { return 3 * free.vertex.size(); }

  // The basis at vertices of the finest complex, over the free functions.
  SparseRows rows_at(const std::vector<int>& vertices) const {
    SparseRows rows;
    rows.columns = free.count();
    for (const int v : vertices) {
      for (int k = body.basis.start[at(v)]; k < body.basis.start[at(v) + 1]; ++k) {
        const int number = free.number[at(body.basis.column[at(k)])];
        if (number < 0 || body.basis.value[at(k)] == 0) continue;
        rows.column.push_back(number);
        rows.value.push_back(body.basis.value[at(k)]);
      }
      rows.start.push_back(static_cast<int>(rows.column.size()));
    }
    return rows;
  }
  // The vertex of the finest complex at x.
  int vertex_at(const Vec3& x) const {
    int nearest = 0;
    for (std::size_t v = 0; v < body.mesh.positions.size(); ++v)
      if (distance(body.mesh.positions[v], x) < distance(body.mesh.positions[at(nearest)], x))
        nearest = static_cast<int>(v);
    return nearest;
  }
  std::vector<Vec3> spread(std::span<const double> numbers) const {
    std::vector<Vec3> q(static_cast<std::size_t>(body.count()));
    for (std::size_t f = 0; f < free.vertex.size(); ++f)
      q[at(free.vertex[f])] = {numbers[3 * f], numbers[3 * f + 1], numbers[3 * f + 2]};
    return q;
  }
};

inline BlockMatrix blocks_of(const SparseMatrix& matrix) {
  BlockMatrix result;
  result.rows = matrix.rows;
  result.row_start = matrix.row_start;
  result.column = matrix.column;
  for (const double value : matrix.value) result.block.push_back(Mat3::identity() * value);
  return result;
}

// Matrix int density phi_i phi_j dV (3.8), exact for linear functions. `density`: per tetrahedron.
inline SparseMatrix basis_mass(const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                               std::span<const double> density, int functions) {
  SparseMatrix mass;
  SparsePattern pattern = element_pattern(functions, basis.function, basis.start);
  mass.rows = functions;
  mass.row_start = std::move(pattern.row_start);
  mass.column = std::move(pattern.column);
  mass.value.assign(mass.column.size(), 0.0);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    if (!(density[t] > 0)) continue;
    const std::array<Vec3, 4> corner = corners_of(mesh, t);
    const double weight = density[t] * volume(corner[0], corner[1], corner[2], corner[3]);
    for (auto i = static_cast<std::size_t>(basis.start[t]); i < static_cast<std::size_t>(basis.start[t + 1]); ++i) {
      for (auto j = static_cast<std::size_t>(basis.start[t]); j < static_cast<std::size_t>(basis.start[t + 1]); ++j) {
        const int at = find_column(mass.row_start, mass.column, basis.function[i], basis.function[j]);
        mass.value[static_cast<std::size_t>(at)] += weight * mean_product(basis.value[i], basis.value[j]);
      }
    }
  }
  return mass;
}

enum class Root { held, loose };

inline Bar bar(Root root, const Material& material, std::array<int, 3> cells = {4, 2, 2}) {
  Bar result{trilinear_body(cells, {0.6, 0.2, 0.2}, 1, material), {}, {}, {}, {}};
  std::vector<int> held;
  if (root == Root::held)
    for (int i = 0; i < result.body.count(); ++i)
      if (result.body.rest(i).x < 1e-9) held.push_back(i);
  result.free = free_vertices(static_cast<std::size_t>(result.body.count()), held);
  result.stiffness = principal_submatrix(rest_stiffness(result.body.samples, result.body.count()), result.free.number,
                                         result.free.count());
  const std::vector<double> density(result.body.mesh.tetrahedra.size(), material.density);
  const SparseMatrix mass = basis_mass(result.body.mesh, result.body.pieces, density, result.body.count());
  // The pattern of masses is that of the stiffness: both couple the functions of each tetrahedron.
  result.mass = principal_submatrix(blocks_of(mass), result.free.number, result.free.count());
  const std::vector<double> weight = basis_weights(result.body.mesh, result.body.pieces, density, result.body.count());
  for (const int i : result.free.vertex) result.weight.push_back(weight[at(i)]);
  return result;
}

inline LinearOperator operator_of(const BlockMatrix& matrix) {
  return [&matrix](std::span<const double> from, std::span<double> to) { multiply(matrix, from, to); };
}

// Weight, friction and the elastic force of Green's strain on the free functions. Refers to the bar and the energy.
inline ImplicitForces forces_of(const Bar& bar, GreenStrainEnergy& energy, const Vec3& gravity, double friction) {
  ImplicitForces forces;
  forces.force = [&bar, &energy, gravity, friction](std::span<const double> q, std::span<const double> v,
                                                    std::span<double> force) {
    std::vector<Vec3> gradient(static_cast<std::size_t>(bar.body.count()));
    energy.gradient(bar.spread(q), gradient);
    for (std::size_t f = 0; f < bar.free.vertex.size(); ++f)
      for (std::size_t c = 0; c < 3; ++c)
        force[3 * f + c] = bar.weight[f] * (gravity[c] - friction * v[3 * f + c]) - gradient[at(bar.free.vertex[f])][c];
  };
  forces.linearize = [&bar, &energy](std::span<const double> q, std::span<const double>) {
    energy.linearize(bar.spread(q), GreenHessian::exact);
  };
  forces.stiffness = [&bar, &energy](std::span<const double> from, std::span<double> to) {
    const std::vector<Vec3> x = bar.spread(from);
    std::vector<double> all(3 * x.size()), product(all.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) all[3 * i + c] = x[i][c];
    energy.multiply(all, product);
    for (std::size_t f = 0; f < bar.free.vertex.size(); ++f)
      for (std::size_t c = 0; c < 3; ++c) to[3 * f + c] = product[3 * at(bar.free.vertex[f]) + c];
  };
  forces.damping = [&bar, friction](std::span<const double> from, std::span<double> to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = friction * bar.weight[i / 3] * from[i];
  };
  return forces;
}

}  // namespace sinew::test
