#include "sinew/deform/rig_space/reduced_basis.h"

#include <algorithm>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t tile_numbers = 3 * tile_width;
constexpr std::size_t reduction_grain = 128;  // vertices per part of a sum: fixed, so that sums are

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Adds the parts that chunks of vertices give, in the order of the chunks. add(begin, end, part) adds to `part`.
template <class Add>
void sum_parts(std::size_t vertices, std::span<double> result, const Add& add) {
  // Few parts, each of as many numbers as the result: what they cost to add is not to exceed what they save.
  const std::size_t parts = std::clamp<std::size_t>(vertices / reduction_grain, 1, 8);
  const std::size_t size = (vertices + parts - 1) / parts;
  std::vector<double> sums(parts * result.size(), 0.0);
  parallel_for(parts, 1, [&](std::size_t part) {
    const std::size_t begin = part * size, end = std::min(vertices, begin + size);
    if (begin < end) add(begin, end, std::span<double>(sums).subspan(part * result.size(), result.size()));
  });
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += sums[part * result.size() + k];
}

// c += a^T b of two tiles, 3 x 8 each; c is 8 x 8 within rows of `stride` numbers.
void add_outer(const double* a, const double* b, double* c, std::size_t stride) {
  for (std::size_t i = 0; i < tile_width; ++i) {
    const double x = a[i], y = a[tile_width + i], z = a[2 * tile_width + i];
    double* row = c + i * stride;
    for (std::size_t j = 0; j < tile_width; ++j) row[j] += x * b[j] + y * b[tile_width + j] + z * b[2 * tile_width + j];
  }
}

// to += m from, tiles of 3 x 8.
void add_product(const Mat3& m, const double* from, double* to) {
  for (std::size_t row = 0; row < 3; ++row) {
    const double x = m(row, 0), y = m(row, 1), z = m(row, 2);
    double* target = to + row * tile_width;
    for (std::size_t j = 0; j < tile_width; ++j)
      target[j] += x * from[j] + y * from[tile_width + j] + z * from[2 * tile_width + j];
  }
}

}  // namespace

ReducedBasisBuilder::ReducedBasisBuilder(std::size_t columns) {
  basis_.columns = columns;
  row_.assign(basis_.tiles() * tile_numbers, 0.0);
  in_row_.assign(basis_.tiles(), 0);
}

double* ReducedBasisBuilder::tile(std::size_t tile) {
  if (!in_row_[tile]) {
    in_row_[tile] = 1;
    tiles_in_row_.push_back(static_cast<int>(tile));
  }
  return row_.data() + tile * tile_numbers;
}

void ReducedBasisBuilder::add(std::size_t column, const Vec3& derivative) {
  double* target = tile(column / tile_width) + column % tile_width;
  for (std::size_t axis = 0; axis < 3; ++axis) target[axis * tile_width] += derivative[axis];
}

void ReducedBasisBuilder::add_row(const ReducedBasis& basis, std::size_t vertex, double weight) {
  for (auto e = index(basis.start[vertex]); e < index(basis.start[vertex + 1]); ++e) {
    const double* from = basis.value.data() + e * tile_numbers;
    double* target = tile(index(basis.tile[e]));
    for (std::size_t k = 0; k < tile_numbers; ++k) target[k] += weight * from[k];
  }
}

void ReducedBasisBuilder::finish_row() {
  std::sort(tiles_in_row_.begin(), tiles_in_row_.end());
  for (const int t : tiles_in_row_) {
    double* from = row_.data() + index(t) * tile_numbers;
    basis_.tile.push_back(t);
    basis_.value.insert(basis_.value.end(), from, from + tile_numbers);
    std::fill(from, from + tile_numbers, 0.0);
    in_row_[index(t)] = 0;
  }
  tiles_in_row_.clear();
  basis_.start.push_back(static_cast<int>(basis_.tile.size()));
}

void displace(const ReducedBasis& basis, std::span<const double> u, std::span<const Vec3> base, std::span<Vec3> x) {
  std::vector<double> padded(basis.padded_columns(), 0.0);
  std::copy(u.begin(), u.end(), padded.begin());
  parallel_for(x.size(), 512, [&](std::size_t v) {
    Vec3 sum = base[v];
    for (auto e = index(basis.start[v]); e < index(basis.start[v + 1]); ++e) {
      const double* from = basis.value.data() + e * tile_numbers;
      const double* part = padded.data() + index(basis.tile[e]) * tile_width;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double product = 0;
        for (std::size_t j = 0; j < tile_width; ++j) product += from[axis * tile_width + j] * part[j];
        sum[axis] += product;
      }
    }
    x[v] = sum;
  });
}

void reduce(const ReducedBasis& basis, std::span<const Vec3> f, std::span<double> result) {
  std::vector<double> padded(basis.padded_columns(), 0.0);
  for (std::size_t v = 0; v < basis.vertices(); ++v)
    for (auto e = index(basis.start[v]); e < index(basis.start[v + 1]); ++e) {
      const double* from = basis.value.data() + e * tile_numbers;
      double* part = padded.data() + index(basis.tile[e]) * tile_width;
      for (std::size_t j = 0; j < tile_width; ++j)
        part[j] += from[j] * f[v].x + from[tile_width + j] * f[v].y + from[2 * tile_width + j] * f[v].z;
    }
  std::copy_n(padded.begin(), basis.columns, result.begin());
}

void add_reduced_mass(const ReducedBasis& basis, std::span<const double> mass, std::span<double> result) {
  const std::size_t stride = basis.padded_columns();
  sum_parts(basis.vertices(), result, [&](std::size_t begin, std::size_t end, std::span<double> part) {
    double scaled[tile_numbers];
    for (std::size_t v = begin; v < end; ++v)
      for (auto e = index(basis.start[v]); e < index(basis.start[v + 1]); ++e) {
        for (std::size_t k = 0; k < tile_numbers; ++k) scaled[k] = mass[v] * basis.value[e * tile_numbers + k];
        for (auto o = index(basis.start[v]); o < index(basis.start[v + 1]); ++o)
          add_outer(scaled, basis.value.data() + o * tile_numbers,
                    part.data() + index(basis.tile[e]) * tile_width * stride + index(basis.tile[o]) * tile_width, stride);
      }
  });
}

void add_reduced_stiffness(const ReducedBasis& basis, const BlockMatrix& stiffness, std::span<double> result) {
  const std::size_t stride = basis.padded_columns();
  sum_parts(basis.vertices(), result, [&](std::size_t begin, std::size_t end, std::span<double> part) {
    // Row v of K G, of the tiles that are in it.
    std::vector<double> row(basis.tiles() * tile_numbers, 0.0);
    std::vector<char> in_row(basis.tiles(), 0);
    std::vector<int> tiles;
    for (std::size_t v = begin; v < end; ++v) {
      if (!basis.moves(v)) continue;
      for (auto k = index(stiffness.row_start[v]); k < index(stiffness.row_start[v + 1]); ++k) {
        const std::size_t other = index(stiffness.column[k]);
        for (auto e = index(basis.start[other]); e < index(basis.start[other + 1]); ++e) {
          const std::size_t t = index(basis.tile[e]);
          if (!in_row[t]) in_row[t] = 1, tiles.push_back(basis.tile[e]);
          add_product(stiffness.block[k], basis.value.data() + e * tile_numbers, row.data() + t * tile_numbers);
        }
      }
      for (const int t : tiles) {
        double* product = row.data() + index(t) * tile_numbers;
        for (auto e = index(basis.start[v]); e < index(basis.start[v + 1]); ++e)
          add_outer(basis.value.data() + e * tile_numbers, product,
                    part.data() + index(basis.tile[e]) * tile_width * stride + index(t) * tile_width, stride);
        std::fill(product, product + tile_numbers, 0.0);
        in_row[index(t)] = 0;
      }
      tiles.clear();
    }
  });
}

}  // namespace sinew
