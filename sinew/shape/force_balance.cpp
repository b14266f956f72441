#include "sinew/shape/force_balance.h"

#include "sinew/base/index.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/shape/force_template.h"

namespace sinew {
namespace {

// Least square of a singular value that counts, relative to the largest.
constexpr double least_square = 1e-10;
constexpr Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

double work_along(std::span<const PointForce> force, std::span<const Vec3> motion) {
  double work = 0;
  for (const PointForce& each : force) work += dot(each.force, motion[index(each.point)]);
  return work;
}

// The inverse of A, without directions in which A is nearly singular.
template <std::size_t N>
std::array<std::array<double, N>, N> pseudo_inverse(const std::array<std::array<double, N>, N>& a) {
  std::array<double, N * N> squares{};  // A^T A
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t k = 0; k < N; ++k) squares[i * N + j] += a[k][i] * a[k][j];
  const SymmetricEigen eigen = symmetric_eigen(squares, N);
  std::array<std::array<double, N>, N> inverse{};
  for (std::size_t e = 0; e < N && eigen.values[e] > least_square * eigen.values[0]; ++e) {
    const std::span<const double> v = eigen.vector(e);
    for (std::size_t k = 0; k < N; ++k) {
      double along = 0;
      for (std::size_t j = 0; j < N; ++j) along += a[k][j] * v[j];
      for (std::size_t i = 0; i < N; ++i) inverse[i][k] += v[i] * along / eigen.values[e];
    }
  }
  return inverse;
}

}  // namespace

ForceBalance::ForceBalance(const BalanceRegion& region, const ShapeBody& body)
    : points_(body.points()), region_(region) {
  const Vec3 c = region.centre;
  const double radius = region.radius;
  for (std::size_t k = 0; k < motions; ++k) {
    const Vec3 shift = k < 3 ? axes[k] : Vec3{}, turn = k < 3 ? Vec3{} : axes[k - 3] / radius;
    motion_[k] = body.rigid_motion(shift, turn, c);
    against_[k] = body.integrate(ForceField{
        [=](const Vec3& x) { return bell(distance(x, c), radius) * (shift + cross(turn, x - c)); }, c, radius, radius});
  }
  std::array<Numbers, motions> work;  // of against_[j] along motion_[i]
  for (std::size_t i = 0; i < motions; ++i)
    for (std::size_t j = 0; j < motions; ++j) work[i][j] = work_along(against_[j], motion_[i]);
  shares_ = pseudo_inverse(work);
}

ForceBalance::Counter ForceBalance::counter(std::span<const PointForce> force) const {
  Numbers s{};
  for (std::size_t k = 0; k < motions; ++k) {
    const double along = work_along(force, motion_[k]);
    for (std::size_t i = 0; i < motions; ++i) s[i] -= shares_[i][k] * along;
  }
  return {{s[0], s[1], s[2]}, Vec3{s[3], s[4], s[5]} / region_.radius, region_.centre};
}

std::vector<PointForce> ForceBalance::balanced(std::span<const PointForce> force) const {
  const Counter against = counter(force);
  std::vector<Vec3> sum(points_);
  add_forces(force, 1, sum);
  for (std::size_t k = 0; k < motions; ++k)
    add_forces(against_[k], k < 3 ? against.a[k] : against.b[k - 3] * region_.radius, sum);
  return nonzero_forces(sum);
}

std::vector<Vec3> ForceBalance::balanced_work(std::span<const Vec3> displacements) const {
  std::vector<Vec3> result(displacements.begin(), displacements.end());
  for (std::size_t i = 0; i < motions; ++i) {
    const double along = work_along(against_[i], displacements);
    for (std::size_t k = 0; k < motions; ++k)
      for (std::size_t f = 0; f < points_; ++f) result[f] -= (shares_[i][k] * along) * motion_[k][f];
  }
  return result;
}

}  // namespace sinew
