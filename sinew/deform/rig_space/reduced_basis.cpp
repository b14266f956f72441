#include "sinew/deform/rig_space/reduced_basis.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/rig_space/reduced_kernel.h"

namespace sinew {
namespace {

constexpr std::size_t tile_numbers = 3 * tile_width;
constexpr std::size_t reduction_grain = 128;  // vertices per part of a sum: fixed, so that sums are

// Adds the parts that chunks of vertices give, in the order of the chunks. add(begin, end, part) adds to `part`.
template <class Add>
void sum_parts(std::size_t vertices, std::span<double> result, const Add& add) {
  // Few parts, each as large as the result, so that adding them costs less than parallelism saves.
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

// Mirrors the tiles above the diagonal to those below.
void mirror(std::span<double> square, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = (i / tile_width + 1) * tile_width; j < size; ++j) square[j * size + i] = square[i * size + j];
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

void ReducedBasisBuilder::add_turned_row(const ReducedBasis& basis, std::size_t vertex, const Mat3& turn) {
  for (auto e = index(basis.start[vertex]); e < index(basis.start[vertex + 1]); ++e) {
    const double* from = basis.value.data() + e * tile_numbers;
    double* target = tile(index(basis.tile[e]));
    for (std::size_t to = 0; to < 3; ++to)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t j = 0; j < tile_width; ++j)
          target[to * tile_width + j] += turn(to, axis) * from[axis * tile_width + j];
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
  parallel_chunks(x.size(), 512, [&](std::size_t begin, std::size_t end) {
    reduced_kernel::displace(basis, padded.data(), base.data(), x.data(), begin, end);
  });
}

void reduce(const ReducedBasis& basis, std::span<const Vec3> f, std::span<double> result) {
  std::vector<double> padded(basis.padded_columns(), 0.0);
  reduced_kernel::reduce(basis, f.data(), padded.data(), 0, basis.vertices());
  std::copy_n(padded.begin(), basis.columns, result.begin());
}

void add_reduced_mass(const ReducedBasis& basis, std::span<const double> mass, std::span<double> result) {
  std::vector<double> sum(result.size(), 0.0);
  sum_parts(basis.vertices(), sum, [&](std::size_t begin, std::size_t end, std::span<double> part) {
    reduced_kernel::add_mass(basis, mass.data(), part.data(), begin, end);
  });
  mirror(sum, basis.padded_columns());
  for (std::size_t k = 0; k < result.size(); ++k) result[k] += sum[k];
}

void add_reduced_stiffness(const ReducedBasis& basis, const BlockMatrix& stiffness, std::span<double> result) {
  std::vector<double> sum(result.size(), 0.0);
  sum_parts(basis.vertices(), sum, [&](std::size_t begin, std::size_t end, std::span<double> part) {
    reduced_kernel::add_stiffness(basis, stiffness, part.data(), begin, end);
  });
  mirror(sum, basis.padded_columns());
  for (std::size_t k = 0; k < result.size(); ++k) result[k] += sum[k];
}

}  // namespace sinew
