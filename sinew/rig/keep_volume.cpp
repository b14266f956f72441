#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/rotation.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/kept_volume.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr std::size_t keep_volume_grain = 2048, normal_matrix_grain = 8192;
// Corrections, at least and at most, after each of which volumes are measured again; near the end each leaves the
// square of what was missing. Pieces settle them, since parts may stay off by what they do not agree in.
constexpr int least_corrections = 2, most_corrections = 8;
constexpr double rounding_of_volume = 1e-10, settled = 1e-6;  // of the volume at rest
// Added to the diagonal, as a share of it: parts give way to pieces, with which they may not agree.
constexpr double softness_of_parts = 1e-3, softness_of_pieces = 1e-9;

// The scale of a bone's map that is meant as a change of size: the one nearest to 1 that it does not exceed along any
// axis. Squash and stretch, which lengthens one axis or shortens another, has 1.
double uniform_scale(const Affine& bone) {
  const Vec3 sigma = signed_svd(bone.linear).sigma;
  const double a = std::abs(sigma.x), b = std::abs(sigma.y), c = std::abs(sigma.z);
  constexpr double rounding = 1e-6;
  const double least = std::min({a, b, c}), most = std::max({a, b, c});
  if (std::abs(least - 1) < rounding && std::abs(most - 1) < rounding) return 1;
  return std::clamp(1.0, least, most);
}

// Points on the bones, which carry them linearly: bones agree where they meet.
std::vector<Vec3> posed_spine(const KeptVolume& kept, std::span<const Affine> bones) {
  std::vector<Vec3> spine(kept.spine.size());
  linear_blend(kept.spine, kept.influences, bones, spine);
  return spine;
}

// Per vertex, the gradient of what closed skin encloses: a third of the area vectors around it. Zero where nothing
// moves.
void find_gradients(const KeptVolume& kept, std::span<const Vec3> x, std::vector<Vec3>& gradient) {
  gradient.resize(x.size());
  parallel_for(x.size(), keep_volume_grain, [&](std::size_t v) {
    Vec3 sum;
    if (kept.shares.start[v] != kept.shares.start[v + 1])
      for (auto k = index(kept.ring_start[v]); k < index(kept.ring_start[v + 1]); ++k)
        sum += cross(x[index(kept.ring[k][0])] - x[v], x[index(kept.ring[k][1])] - x[v]);
    gradient[v] = sum / 6;
  });
}

// Adds `per_chunk` sums over the chunks of [0, count), `constraints` numbers each, in their order.
std::vector<double> summed(std::size_t count, std::size_t constraints,
                           const std::function<void(std::size_t begin, std::size_t end, double* sums)>& per_chunk) {
  const std::size_t chunks = (count + keep_volume_grain - 1) / keep_volume_grain;
  std::vector<double> sums(chunks * constraints);
  parallel_chunks(count, keep_volume_grain, [&](std::size_t begin, std::size_t end) {
    per_chunk(begin, end, &sums[begin / keep_volume_grain * constraints]);
  });
  std::vector<double> result(constraints);
  for (std::size_t k = 0; k < chunks; ++k)
    for (std::size_t c = 0; c < constraints; ++c) result[c] += sums[k * constraints + c];
  return result;
}

std::vector<double> volumes_of(const KeptVolume& kept, std::span<const Vec3> spine, std::span<const Vec3> gradient,
                               std::span<const Vec3> x) {
  const std::size_t count = kept.constraints.size();
  // Pieces by signed tetrahedra over a point near them; parts by their vertices.
  std::vector<double> volumes =
      summed(kept.triangles.size(), count, [&](std::size_t begin, std::size_t end, double* to) {
        for (std::size_t t = begin; t < end; ++t) {
          if (kept.piece[t] < 0) continue;
          const Triangle& corners = kept.triangles[t];
          const Vec3 a = x[index(corners[0])] - x[0], b = x[index(corners[1])] - x[0], c = x[index(corners[2])] - x[0];
          to[index(kept.piece[t])] += dot(a, cross(b, c)) / 6;
        }
      });
  const std::vector<double> parts = summed(x.size(), count, [&](std::size_t begin, std::size_t end, double* to) {
    for (std::size_t v = begin; v < end; ++v) {
      const double around = dot(x[v] - spine[v], gradient[v]) / 2;
      for (auto k = index(kept.shares.start[v]); k < index(kept.shares.start[v + 1]); ++k)
        to[index(kept.shares.constraint[k])] += kept.shares.share[k] * around;
    }
  });
  for (std::size_t c = 0; c < count; ++c)
    if (!kept.constraints[c].whole) volumes[c] = parts[c];
  return volumes;
}

// Rates of the volumes, by constraints x constraints, if vertices move along their gradients as each constraint asks:
// the sum over vertices of give |gradient|^2 times the outer product of their shares. Lower triangle.
DenseMatrix normal_matrix(const KeptVolume& kept, std::span<const Vec3> gradient) {
  const std::size_t count = kept.constraints.size();
  const std::size_t chunks = (gradient.size() + normal_matrix_grain - 1) / normal_matrix_grain;
  std::vector<DenseMatrix> parts(chunks);
  const ConstraintShares& shares = kept.shares;
  parallel_chunks(gradient.size(), normal_matrix_grain, [&](std::size_t begin, std::size_t end) {
    DenseMatrix& matrix = parts[begin / normal_matrix_grain] = DenseMatrix(count, count);
    for (std::size_t v = begin; v < end; ++v) {
      const double rate = kept.give[v] * squared_norm(gradient[v]);
      if (rate == 0) continue;
      for (auto i = index(shares.start[v]); i < index(shares.start[v + 1]); ++i)
        for (auto j = index(shares.start[v]); j <= i; ++j)
          matrix(index(shares.constraint[i]), index(shares.constraint[j])) += rate * shares.share[i] * shares.share[j];
    }
  });
  DenseMatrix sum(count, count);
  for (const DenseMatrix& part : parts)
    for (std::size_t k = 0; k < sum.value.size(); ++k) sum.value[k] += part.value[k];
  for (std::size_t c = 0; c < count; ++c) {
    const double own = sum(c, c);
    sum(c, c) = own > 0 ? own * (1 + (kept.constraints[c].whole ? softness_of_pieces : softness_of_parts)) : 1;
  }
  return sum;
}

// Cholesky factor of a positive definite matrix, in its lower triangle.
void factor_in_place(DenseMatrix& a) {
  const std::size_t n = a.rows;
  for (std::size_t j = 0; j < n; ++j) {
    const double least = 1e-14 * a(j, j);
    for (std::size_t k = 0; k < j; ++k) {
      const double factor = a(j, k);
      if (factor == 0) continue;
      for (std::size_t i = j; i < n; ++i) a(i, j) -= factor * a(i, k);
    }
    const double pivot = std::sqrt(std::max(a(j, j), least));
    a(j, j) = pivot;
    for (std::size_t i = j + 1; i < n; ++i) a(i, j) /= pivot;
  }
}

void solve_in_place(const DenseMatrix& factor, std::vector<double>& b) {
  const std::size_t n = factor.rows;
  for (std::size_t j = 0; j < n; ++j) {
    b[j] /= factor(j, j);
    for (std::size_t i = j + 1; i < n; ++i) b[i] -= factor(i, j) * b[j];
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t i = j + 1; i < n; ++i) b[j] -= factor(i, j) * b[i];
    b[j] /= factor(j, j);
  }
}

// Moves each vertex along its gradient by what its constraints ask for, no farther than its reach.
void move_along(const KeptVolume& kept, std::span<const Vec3> gradient, std::span<const double> asked,
                std::span<Vec3> x) {
  const ConstraintShares& shares = kept.shares;
  parallel_for(x.size(), keep_volume_grain, [&](std::size_t v) {
    if (kept.give[v] == 0) return;
    double sum = 0;
    for (auto k = index(shares.start[v]); k < index(shares.start[v + 1]); ++k)
      sum += shares.share[k] * asked[index(shares.constraint[k])];
    const Vec3 moved = (kept.give[v] * sum) * gradient[v];
    const double length = norm(moved);
    x[v] += length > kept.reach[v] ? (kept.reach[v] / length) * moved : moved;
  });
}

}  // namespace

std::vector<double> constrained_volumes(const KeptVolume& kept, std::span<const Affine> bones,
                                        std::span<const Vec3> positions) {
  std::vector<Vec3> gradient;
  find_gradients(kept, positions, gradient);
  return volumes_of(kept, posed_spine(kept, bones), gradient, positions);
}

std::vector<double> wanted_volumes(const KeptVolume& kept, std::span<const Affine> bones) {
  std::vector<double> size;
  for (const Affine& bone : bones) size.push_back(uniform_scale(bone));
  std::vector<double> wanted;
  for (const VolumeConstraint& constraint : kept.constraints) {
    double excess = 0;  // over one, so that bones without scale give the volume at rest to the bit
    for (const auto& [bone, share] : constraint.size_by)
      excess += share * (size[index(bone)] * size[index(bone)] * size[index(bone)] - 1);
    wanted.push_back((1 + excess) * constraint.rest);
  }
  return wanted;
}

void keep_volume(const KeptVolume& kept, std::span<const Affine> bones, std::span<Vec3> positions) {
  const std::vector<Vec3> spine = posed_spine(kept, bones);
  const std::vector<double> wanted = wanted_volumes(kept, bones);
  std::vector<Vec3> gradient;
  std::vector<double> missing(wanted.size());
  for (int k = 0; k < most_corrections; ++k) {
    find_gradients(kept, positions, gradient);
    const std::vector<double> now = volumes_of(kept, spine, gradient, positions);
    double largest = 0, of_pieces = 0;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      missing[c] = wanted[c] - now[c];
      const double share = std::abs(missing[c] / kept.constraints[c].rest);
      largest = std::max(largest, share);
      if (kept.constraints[c].whole) of_pieces = std::max(of_pieces, share);
    }
    if (!(largest > rounding_of_volume) || (k >= least_corrections && of_pieces < settled)) return;
    DenseMatrix factor = normal_matrix(kept, gradient);
    factor_in_place(factor);
    solve_in_place(factor, missing);
    move_along(kept, gradient, missing, positions);
  }
}

}  // namespace sinew
