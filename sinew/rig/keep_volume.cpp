#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/rotation.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/kept_volume.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr std::size_t keep_volume_grain = 4096;
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

// The gradient, at a vertex, of what closed skin encloses: a third of the area vectors around it. Zero where nothing
// moves.
Vec3 gradient_at(const KeptVolume& kept, std::span<const Vec3> x, std::size_t v) {
  if (kept.shares.start[v] == kept.shares.start[v + 1]) return {};
  const Vec3 place = x[v];
  Vec3 sum, from;
  int last = -1;
  for (auto k = index(kept.ring_start[v]); k < index(kept.ring_start[v + 1]); ++k) {
    const auto [a, b] = kept.ring[k];
    if (a != last) from = x[index(a)] - place;
    const Vec3 to = x[index(b)] - place;
    sum += cross(from, to);
    from = to;
    last = b;
  }
  return sum / 6;
}

// Sums over some of the vertices. Volumes of pieces are a third of the sum of position times gradient, relative to a
// point near them; those of parts half of it, relative to the bones. Rates: of the volumes, by constraints x
// constraints, if vertices move along their gradients as each constraint asks: the sum of give |gradient|^2 times the
// outer product of their shares. Lower triangle.
struct VolumeSums {
  std::vector<double> piece, part;
  DenseMatrix rates;
};

void add_vertex(const KeptVolume& kept, const Vec3& x, const Vec3& origin, const Vec3& spine, const Vec3& gradient,
                std::size_t v, VolumeSums& sums) {
  const ConstraintShares& shares = kept.shares;
  const auto begin = index(shares.start[v]), end = index(shares.start[v + 1]);
  const double in_piece = dot(x - origin, gradient) / 3, in_part = dot(x - spine, gradient) / 2;
  const double rate = kept.give[v] * squared_norm(gradient);
  const std::size_t count = sums.rates.rows;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t constraint = index(shares.constraint[i]);
    sums.piece[constraint] += shares.share[i] * in_piece;
    sums.part[constraint] += shares.share[i] * in_part;
    if (rate == 0) continue;
    double* column = sums.rates.value.data() + constraint * count;
    const double of_column = rate * shares.share[i];
    for (std::size_t j = i; j < end; ++j) column[index(shares.constraint[j])] += of_column * shares.share[j];
  }
}

struct MeasuredVolumes {
  std::vector<double> volume;
  DenseMatrix rates;  // its diagonal is softened
};

// Volumes of the constraints and their rates, with the gradients at all vertices.
MeasuredVolumes measured(const KeptVolume& kept, std::span<const Vec3> spine, std::span<const Vec3> x,
                         std::vector<Vec3>& gradient) {
  const std::size_t count = kept.constraints.size();
  const std::size_t chunks = (x.size() + keep_volume_grain - 1) / keep_volume_grain;
  std::vector<VolumeSums> sums(chunks);
  gradient.resize(x.size());
  parallel_chunks(x.size(), keep_volume_grain, [&](std::size_t begin, std::size_t end) {
    VolumeSums& sum = sums[begin / keep_volume_grain] = {std::vector<double>(count), std::vector<double>(count),
                                                         DenseMatrix(count, count)};
    for (std::size_t v = begin; v < end; ++v) {
      gradient[v] = gradient_at(kept, x, v);
      add_vertex(kept, x[v], x[0], spine[v], gradient[v], v, sum);
    }
  });
  MeasuredVolumes result{std::vector<double>(count), DenseMatrix(count, count)};
  for (const VolumeSums& sum : sums) {
    for (std::size_t c = 0; c < count; ++c) result.volume[c] += kept.constraints[c].whole ? sum.piece[c] : sum.part[c];
    for (std::size_t k = 0; k < count * count; ++k) result.rates.value[k] += sum.rates.value[k];
  }
  for (std::size_t c = 0; c < count; ++c) {
    const double own = result.rates(c, c);
    result.rates(c, c) = own > 0 ? own * (1 + (kept.constraints[c].whole ? softness_of_pieces : softness_of_parts)) : 1;
  }
  return result;
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
  return measured(kept, posed_spine(kept, bones), positions, gradient).volume;
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
    MeasuredVolumes now = measured(kept, spine, positions, gradient);
    double largest = 0, of_pieces = 0;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      missing[c] = wanted[c] - now.volume[c];
      const double share = std::abs(missing[c] / kept.constraints[c].rest);
      largest = std::max(largest, share);
      if (kept.constraints[c].whole) of_pieces = std::max(of_pieces, share);
    }
    if (!(largest > rounding_of_volume) || (k >= least_corrections && of_pieces < settled)) return;
    factor_in_place(now.rates);
    solve_in_place(now.rates, missing);
    move_along(kept, gradient, missing, positions);
  }
}

}  // namespace sinew
