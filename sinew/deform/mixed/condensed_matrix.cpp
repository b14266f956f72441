#include "sinew/deform/mixed/condensed_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t condensed_matrix_row_grain = 64;

// M^T H for the 6x3 matrix M with M u = mandel(sym(u g^T)): each row as a symmetric matrix T, so that the row times
// the M of another gradient is T times that gradient.
std::array<Mat3, 3> rows_of_product(const MandelMatrix& h, const Vec3& g) {
  std::array<Mandel, 3> rows;
  for (std::size_t column = 0; column < 6; ++column) {
    const Vec3 product = to_matrix(h.row(column)) * g;  // H is symmetric
    for (std::size_t c = 0; c < 3; ++c) rows[c][column] = product[c];
  }
  return {to_matrix(rows[0]), to_matrix(rows[1]), to_matrix(rows[2])};
}

// Calls add(row, place, sample, entry of the row, entry of the column) for each pair of entries of a sample whose
// vertices are free, row by row and in the order of the samples. begin_entry(sample, entry) comes before each row's
// share of a sample.
template <class BeginEntry, class Add>
void for_each_coupling(const MixedBody& body, std::size_t row, const BeginEntry& begin_entry, const Add& add) {
  const StrainSamples& samples = body.samples;
  const std::size_t v = index(body.free.vertex[row]);
  for (std::size_t item = index(body.entries.start[v]); item < index(body.entries.start[v + 1]); ++item) {
    const std::size_t s = index(body.entries.sample[item]), k = index(body.entries.entry[item]);
    const std::size_t first = index(samples.start[s]), count = index(samples.start[s + 1]) - first;
    begin_entry(s, k);
    for (std::size_t l = 0; l < count; ++l) {
      const int place = body.places.place[body.places.begin[s] + (k - first) * count + l];
      if (place >= 0) add(index(place), s, k, first + l);
    }
  }
}

// Calls add(diagonal block of the row, stiffness) for each spring on a free vertex.
template <class Add>
void for_each_spring(const MixedBody& body, const Add& add) {
  for (std::size_t k = 0; k < body.pins.tied.size(); ++k) {
    const int row = body.free.number[index(body.pins.tied[k])];
    if (row < 0) continue;
    add(index(find_column(body.places.pattern.row_start, body.places.pattern.column, row, row)), body.pins.spring[k]);
  }
}

}  // namespace

BlockMatrix condensed_pattern(const MixedBody& body) {
  BlockMatrix matrix;
  matrix.rows = body.free.count();
  matrix.row_start = body.places.pattern.row_start;
  matrix.column = body.places.pattern.column;
  matrix.block.assign(matrix.column.size(), Mat3::zero());
  return matrix;
}

void assemble_condensed(const MixedBody& body, std::span<const Mat3> rotations, std::span<const MandelMatrix> hessian,
                        BlockMatrix& matrix) {
  std::fill(matrix.block.begin(), matrix.block.end(), Mat3::zero());
  parallel_for(index(matrix.rows), condensed_matrix_row_grain, [&](std::size_t row) {
    std::array<Mat3, 3> product;
    for_each_coupling(
        body, row,
        [&](std::size_t s, std::size_t k) { product = rows_of_product(hessian[s], body.samples.gradient[k]); },
        [&](std::size_t place, std::size_t s, std::size_t k, std::size_t l) {
          const Vec3 &gi = body.samples.gradient[k], &gj = body.samples.gradient[l];
          Mat3 local = outer(gj, gi) * -body.skew_modulus[s];
          const double isotropic = body.skew_modulus[s] * dot(gi, gj);
          for (std::size_t a = 0; a < 3; ++a) {
            const Vec3 stretch_part = product[a] * gj;
            for (std::size_t b = 0; b < 3; ++b) local(a, b) += stretch_part[b];
            local(a, a) += isotropic;
          }
          matrix.block[place] += rotations[s] * local * transpose(rotations[s]) * body.samples.volume[s];
        });
  });
  for_each_spring(body, [&](std::size_t place, double spring) {
    for (std::size_t c = 0; c < 3; ++c) matrix.block[place](c, c) += spring;
  });
}

bool condenses_to_poisson(const MixedBody& body) {
  if (!body.energy.quadratic) return false;
  for (std::size_t s = 0; s < body.samples.size(); ++s)
    if (body.energy.hessian(Mandel::identity(), {body.samples.shear[s], body.samples.lambda[s]}) !=
        MandelMatrix::diagonal(2 * body.skew_modulus[s]))
      return false;
  return true;
}

std::optional<std::vector<double>> volume_moduli(const MixedBody& body) {
  constexpr double rounding = 1e-12;
  std::vector<double> moduli;
  for (std::size_t s = 0; s < body.samples.size(); ++s) {
    const LameModuli lame{body.samples.shear[s], body.samples.lambda[s]};
    if (body.energy.gradient(Mandel::identity(), lame) != Mandel{}) return {};
    const MandelMatrix h = body.energy.hessian(Mandel::identity(), lame);
    const double modulus = h(0, 1), scale = rounding * (std::abs(h(0, 0)) + std::abs(modulus));
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) {
        const double wanted = (i == j ? 2 * body.skew_modulus[s] : 0) + (i < 3 && j < 3 ? modulus : 0);
        if (!(std::abs(h(i, j) - wanted) <= scale)) return {};
      }
    moduli.push_back(modulus);
  }
  return moduli;
}

SparseMatrix poisson_matrix(const MixedBody& body) { return poisson_matrix(body, body.skew_modulus); }

SparseMatrix poisson_matrix(const MixedBody& body, std::span<const double> modulus) {
  SparseMatrix matrix{body.free.count(), body.places.pattern.row_start, body.places.pattern.column, {}};
  matrix.value.assign(matrix.column.size(), 0.0);
  parallel_for(index(matrix.rows), condensed_matrix_row_grain, [&](std::size_t row) {
    for_each_coupling(
        body, row, [](std::size_t, std::size_t) {},
        [&](std::size_t place, std::size_t s, std::size_t k, std::size_t l) {
          matrix.value[place] +=
              2 * modulus[s] * body.samples.volume[s] * dot(body.samples.gradient[k], body.samples.gradient[l]);
        });
  });
  for_each_spring(body, [&](std::size_t place, double spring) { matrix.value[place] += spring; });
  return matrix;
}

}  // namespace sinew
