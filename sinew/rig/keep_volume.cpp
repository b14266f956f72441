#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/rotation.h"
#include "sinew/rig/kept_volume.h"

namespace sinew {
namespace {

constexpr std::size_t keep_volume_grain = 512;  // groups of vertices
// Corrections, at least and at most. The first is for pieces and parts; the others are for pieces, along the gradients
// of the first, since parts may stay off by what they do not agree in. Near the end each leaves of what was missing a
// multiple of its square, which the correction before it tells; volumes are not measured again where that will do.
constexpr int least_corrections = 2, most_corrections = 8;
constexpr double surely = 0.01;                               // of `settled`
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
  linear_blend(kept.spine, kept.packed, bones, spine);
  return spine;
}

struct MeasuredVolumes {
  std::vector<double> volume;
  DenseMatrix rates;  // its diagonal is softened
};

std::vector<char> whole_ones(const KeptVolume& kept) {
  std::vector<char> whole;
  for (const VolumeConstraint& constraint : kept.constraints) whole.push_back(constraint.whole);
  return whole;
}

// Volumes of the constraints and their rates, with the gradients at all vertices.
MeasuredVolumes measured(const KeptVolume& kept, std::span<const Vec3> spine, std::span<const Vec3> x,
                         std::vector<double>& gradient) {
  const std::size_t count = kept.constraints.size(), groups = kept.groups.groups();
  const std::vector<char> whole = whole_ones(kept);
  std::vector<VolumeSums> sums((groups + keep_volume_grain - 1) / keep_volume_grain);
  gradient.resize(3 * VolumeGroups::group * groups);
  parallel_chunks(groups, keep_volume_grain, [&](std::size_t begin, std::size_t end) {
    VolumeSums& sum = sums[begin / keep_volume_grain];
    sum = {std::vector<double>(count), std::vector<double>(count * count)};
    add_volumes(kept.groups, begin, end, whole, {x, spine, x[0]}, sum, gradient);
  });
  MeasuredVolumes result{std::vector<double>(count), DenseMatrix(count, count)};
  for (const VolumeSums& sum : sums) {
    for (std::size_t c = 0; c < count; ++c) result.volume[c] += sum.volume[c];
    for (std::size_t k = 0; k < count * count; ++k) result.rates.value[k] += sum.rates[k];
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

}  // namespace

std::vector<double> constrained_volumes(const KeptVolume& kept, std::span<const Affine> bones,
                                        std::span<const Vec3> positions) {
  std::vector<double> gradient;
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

namespace {

// Returns what pieces miss at most, relative to rest. `asked` becomes what takes them there along gradients of another
// pose.
double ask_of_pieces(const KeptVolume& kept, std::span<const char> whole, std::span<const double> wanted,
                     std::span<const Vec3> x, std::span<const double> gradient, std::vector<double>& asked) {
  const std::size_t count = wanted.size(), groups = kept.groups.groups();
  std::vector<std::vector<double>> sums((groups + keep_volume_grain - 1) / keep_volume_grain);
  parallel_chunks(groups, keep_volume_grain, [&](std::size_t begin, std::size_t end) {
    std::vector<double>& sum = sums[begin / keep_volume_grain];
    sum.resize(2 * count);
    add_pieces(kept.groups, begin, end, whole, {x, {}, x[0]}, gradient, sum);
  });
  double largest = 0;
  asked.assign(count, 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    if (!whole[c]) continue;
    double volume = 0, rate = 0;
    for (const std::vector<double>& sum : sums) volume += sum[2 * c], rate += sum[2 * c + 1];
    const double missing = wanted[c] - volume;
    largest = std::max(largest, std::abs(missing / kept.constraints[c].rest));
    if (rate > 0) asked[c] = missing / rate;
  }
  return largest;
}

}  // namespace

void keep_volume(const KeptVolume& kept, std::span<const Affine> bones, std::span<Vec3> positions) {
  const std::vector<double> wanted = wanted_volumes(kept, bones);
  const std::vector<char> whole = whole_ones(kept);
  std::vector<double> gradient;
  MeasuredVolumes now = measured(kept, posed_spine(kept, bones), positions, gradient);
  std::vector<double> asked(wanted.size());
  double largest = 0, before = 0;  // what constraints miss, and what pieces do
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    asked[c] = wanted[c] - now.volume[c];
    const double share = std::abs(asked[c] / kept.constraints[c].rest);
    largest = std::max(largest, share);
    if (kept.constraints[c].whole) before = std::max(before, share);
  }
  if (!(largest > rounding_of_volume)) return;
  factor_in_place(now.rates);
  solve_in_place(now.rates, asked);
  const auto move = [&] {
    parallel_chunks(kept.groups.groups(), keep_volume_grain, [&](std::size_t begin, std::size_t end) {
      move_along(kept.groups, begin, end, gradient, asked, positions);
    });
  };
  move();
  for (int k = 1; k < most_corrections; ++k) {
    const double missing = ask_of_pieces(kept, whole, wanted, positions, gradient, asked);
    if (k >= least_corrections && missing < settled) return;
    move();
    const double left = before > 0 ? missing * missing * missing / (before * before) : HUGE_VAL;
    if (k + 1 >= least_corrections && left < surely * settled) return;
    before = missing;
  }
}

}  // namespace sinew
