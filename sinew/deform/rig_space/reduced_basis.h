// Derivatives of a body's vertices with respect to the free rig parameters, G = dx/dp (Hahn 2013, J and W J of section
// 4.4), as a sparse matrix, and the products that reduce forces and stiffness to the parameters.
//
// A row of G has three numbers per column. Columns are stored in tiles of eight, so that related parameters are dense
// within a tile and tiles without effect are left out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/small.h"

namespace sinew {

inline constexpr std::size_t tile_width = 8;

struct ReducedBasis {
  std::size_t columns = 0;    // number of parameters; the rest of the last tile is zero
  std::vector<int> start{0};  // vertices + 1: vertex v has entries start[v] .. start[v + 1]
  std::vector<int> tile;      // per entry, ascending within a vertex: columns 8 tile .. 8 tile + 7
  std::vector<double> value;  // per entry 3 x 8, metres per unit of the parameter

  std::size_t vertices() const { return start.size() - 1; }
  std::size_t tiles() const { return (columns + tile_width - 1) / tile_width; }
  std::size_t padded_columns() const { return tiles() * tile_width; }
  bool moves(std::size_t vertex) const { return start[vertex + 1] > start[vertex]; }
};

// Builds a basis row by row.
class ReducedBasisBuilder {
 public:
  explicit ReducedBasisBuilder(std::size_t columns);

  // Adds to the current row.
  void add(std::size_t column, const Vec3& derivative);
  // Adds weight times row `vertex` of `basis`.
  void add_row(const ReducedBasis& basis, std::size_t vertex, double weight);
  // Adds row `vertex` of `basis`, its vectors rotated by `turn`.
  void add_turned_row(const ReducedBasis& basis, std::size_t vertex, const Mat3& turn);
  void finish_row();

  ReducedBasis take() { return std::move(basis_); }
  const ReducedBasis& basis() const { return basis_; }  // rows finished so far

 private:
  double* tile(std::size_t tile);

  ReducedBasis basis_;
  std::vector<double> row_;   // tiles x 3 x 8
  std::vector<char> in_row_;  // per tile
  std::vector<int> tiles_in_row_;
};

// Computes x_v = base_v + (G u)_v for the first vertices, as many as x has.
void displace(const ReducedBasis& basis, std::span<const double> u, std::span<const Vec3> base, std::span<Vec3> x);

// Computes result = G^T f, `columns` numbers.
void reduce(const ReducedBasis& basis, std::span<const Vec3> f, std::span<double> result);

// Adds G^T M G for masses per vertex, kilograms; padded_columns() squared numbers, both triangles.
void add_reduced_mass(const ReducedBasis& basis, std::span<const double> mass, std::span<double> result);

// Adds G^T K G with K symmetric over the vertices, of which only blocks between vertices that move are read.
// padded_columns() squared numbers, both triangles.
void add_reduced_stiffness(const ReducedBasis& basis, const BlockMatrix& stiffness, std::span<double> result);

}  // namespace sinew
