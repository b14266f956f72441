// goal_forces() and set_natural_shape() with the tetrahedra of a patch and their mean side by side in vector registers,
// dispatched at run time.
#include "sinew/deform/flesh/goal_elasticity.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/flesh/goal_elasticity_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/deform/flesh/patch_lanes.h"

#include <algorithm>

#include "sinew/linalg/rotation.h"

// Shared by all instruction sets.
#ifndef SINEW_GOAL_ELASTICITY_LANES
#define SINEW_GOAL_ELASTICITY_LANES
namespace sinew::goal_elasticity {

// Matrices of a patch, an entry per lane.
template <class Number>
struct alignas(64) LaneMatrices {
  Number m[9][patch_lanes];

  Mat3 in(std::size_t lane) const {
    Mat3 a;
    for (std::size_t k = 0; k < 9; ++k) a(k / 3, k % 3) = static_cast<double>(m[k][lane]);
    return a;
  }
};

// The rotations of the lanes in `which` (a bit each) by the decomposition, where Newton's method has no direction.
template <class Number>
void rotations_from_afar(const LaneMatrices<Number>& f, unsigned which, NaturalPatch<Number>& natural) {
  for (std::size_t lane = 0; lane < patch_lanes; ++lane) {
    if (!(which >> lane & 1)) continue;
    const Mat3 gradient = f.in(lane);
    const Quat q = to_quaternion(closest_rotation(gradient));
    const double entry[4] = {q.x, q.y, q.z, q.w};
    for (std::size_t k = 0; k < 4; ++k) natural.rotation[k][lane] = static_cast<Number>(entry[k]);
  }
}

// Bounds the stretches of the lanes in `which`. Returns how many had to be.
template <class Number>
std::size_t bound_stretches(const LaneMatrices<Number>& g, unsigned which, double most, NaturalPatch<Number>& natural,
                            Number (&volume)[patch_lanes]) {
  std::size_t bounded = 0;
  for (std::size_t lane = 0; lane < patch_lanes; ++lane) {
    if (!(which >> lane & 1)) continue;
    const SignedSvd svd = signed_svd(g.in(lane));
    Vec3 stretch;
    for (std::size_t k = 0; k < 3; ++k) stretch[k] = std::clamp(svd.sigma[k], 1 / most, most);
    bounded += stretch != svd.sigma;
    const Mat3 inverse = svd.v * Mat3::diagonal({1 / stretch.x, 1 / stretch.y, 1 / stretch.z}) * transpose(svd.u);
    for (std::size_t k = 0; k < 9; ++k) natural.inverse[k][lane] = static_cast<Number>(inverse(k / 3, k % 3));
    volume[lane] = static_cast<Number>(stretch.x * stretch.y * stretch.z);
  }
  return bounded;
}

}  // namespace sinew::goal_elasticity
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

using namespace sinew::patch_kernels::HWY_NAMESPACE;
using namespace sinew::goal_elasticity;

// The registers that hold the lanes of a patch.
template <class Number>
constexpr size_t groups = patch_lanes / Real<Number>::lanes;

// True in the lane of the mean.
template <class Number>
HWY_INLINE typename Real<Number>::Mask is_mean(size_t lane) {
  alignas(64) static constexpr Number mark[patch_lanes] = {0, 0, 0, 0, 0, 0, 1, 0};
  static_assert(mean_lane == 6);
  return Real<Number>::load_aligned(mark + lane) > Real<Number>::zero();
}

// The mean's lane of a value that is in register `mean_lane / lanes`, in every lane.
template <class Number>
HWY_INLINE Real<Number> mean_of(const Real<Number> (&of)[groups<Number>]) {
  constexpr size_t group = mean_lane / Real<Number>::lanes;
  return sum_in_lanes(select_or_zero(is_mean<Number>(group * Real<Number>::lanes), of[group]));
}

// sum_k x_k (x) gradient_k of the tetrahedra in lanes [lane, lane + Real::lanes).
template <class Number>
HWY_INLINE Matrix<Number> gradient_of(const Patch<Number>& patch, size_t lane, const Row<Number>* HWY_RESTRICT x) {
  const Vector<Number> x0 = gather_rows(x, patch.corner[0] + lane);
  Vector<Number> edge[3], g[3];
  for (size_t k = 0; k < 3; ++k) {
    edge[k] = gather_rows(x, patch.corner[k + 1] + lane) - x0;
    g[k] = gradient(patch, k, lane);
  }
  Matrix<Number> d;
  const auto set_row = [&](size_t i, Real<Number> a, Real<Number> b, Real<Number> c) {
    d.m[3 * i] = combine(g[0].x, a, g[1].x, b, g[2].x, c);
    d.m[3 * i + 1] = combine(g[0].y, a, g[1].y, b, g[2].y, c);
    d.m[3 * i + 2] = combine(g[0].z, a, g[1].z, b, g[2].z, c);
  };
  set_row(0, edge[0].x, edge[1].x, edge[2].x);
  set_row(1, edge[0].y, edge[1].y, edge[2].y);
  set_row(2, edge[0].z, edge[1].z, edge[2].z);
  return d;
}

// Gradients of all lanes, with the mean over the tetrahedra in the mean's lane.
template <class Number>
HWY_INLINE void all_gradients(const Patch<Number>& patch, const Row<Number>* HWY_RESTRICT x,
                              Matrix<Number> (&d)[groups<Number>]) {
  using R = Real<Number>;
  Matrix<Number> mean;
  for (R& m : mean.m) m = R::zero();
  for (size_t g = 0; g < groups<Number>; ++g) {
    d[g] = gradient_of(patch, g * R::lanes, x);
    const R share = R::load_aligned(patch.share + g * R::lanes);
    for (size_t k = 0; k < 9; ++k) mean.m[k] = mul_add(share, d[g].m[k], mean.m[k]);
  }
  constexpr size_t own = mean_lane / R::lanes;
  const auto which = is_mean<Number>(own * R::lanes);
  for (size_t k = 0; k < 9; ++k) d[own].m[k] = select(which, sum_in_lanes(mean.m[k]), d[own].m[k]);
}

template <class Number>
HWY_INLINE Matrix<Number> load_matrix(const Number (&from)[9][patch_lanes], size_t lane) {
  Matrix<Number> a;
  for (size_t k = 0; k < 9; ++k) a.m[k] = Real<Number>::load_aligned(from[k] + lane);
  return a;
}
template <class Number>
HWY_INLINE void store_matrix(const Matrix<Number>& a, size_t lane, Number (&to)[9][patch_lanes]) {
  for (size_t k = 0; k < 9; ++k) a.m[k].store(to[k] + lane);
}

// A bit for each lane from `lane` on.
template <class Tag>
HWY_INLINE unsigned bits(PackMask<Tag> mask, size_t lane) {
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(Tag(), mask.m, bytes);
  return static_cast<unsigned>(bytes[0]) << lane;
}

// Whether all eigenvalues of `sign` (a - bound I) are positive, by its leading minors.
template <class Number>
HWY_INLINE typename Real<Number>::Mask exceeds(const Symmetric<Number>& a, Real<Number> bound, Real<Number> sign) {
  using R = Real<Number>;
  const R xx = sign * (a.m[0] - bound), yy = sign * (a.m[2] - bound), zz = sign * (a.m[5] - bound);
  const R xy = sign * a.m[1], xz = sign * a.m[3], yz = sign * a.m[4], zero = R::zero();
  const R minor = neg_mul_add(xy, xy, xx * yy);
  const R first = neg_mul_add(yz, yz, yy * zz), second = neg_mul_add(xy, zz, yz * xz),
          third = neg_mul_add(yy, xz, xy * yz);
  const R det = combine(xx, first, xy, second, xz, third);
  return (xx > zero) & (minor > zero) & (det > zero);
}

template <class Number>
HWY_INLINE size_t natural_shape(std::span<const Patch<Number>> patches, std::span<const Row<Number>> goal,
                                double most_stretch, size_t begin, size_t end, std::span<NaturalPatch<Number>> all) {
  using R = Real<Number>;
  const R one(1), zero = R::zero();
  const R most(static_cast<Number>(most_stretch * most_stretch)), least = one / most;
  size_t bounded = 0;
  for (size_t p = begin; p < end; ++p) {
    const Patch<Number>& patch = patches[p];
    NaturalPatch<Number>& natural = all[p];
    Matrix<Number> gradients[groups<Number>];
    all_gradients(patch, goal.data(), gradients);
    unsigned far = 0;
    alignas(64) Number volume[patch_lanes];
    for (size_t g = 0; g < groups<Number>; ++g) {
      const size_t lane = g * R::lanes;
      const Matrix<Number>& a = gradients[g];
      const Vector<Number> r0 = row(a, 0), r1 = row(a, 1), r2 = row(a, 2);
      const Vector<Number> c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
      const R det = dot(r0, c0);
      const Vector<Number> x = column(a, 0), y = column(a, 1), z = column(a, 2);
      const Symmetric<Number> c{{dot(x, x), dot(x, y), dot(y, y), dot(x, z), dot(y, z), dot(z, z)}};
      // The squared stretches are the eigenvalues of G^T G.
      const auto near = exceeds<Number>(c, least, one) & exceeds<Number>(c, most, -one) & (det > zero);
      far |= bits(!near, lane);
      const R over = one / select(near, det, one);
      const Matrix<Number> inverse{{over * c0.x, over * c1.x, over * c2.x, over * c0.y, over * c1.y, over * c2.y,
                                    over * c0.z, over * c1.z, over * c2.z}};
      store_matrix(inverse, lane, natural.inverse);
      select(near, det, one).store(volume + lane);
    }
    unsigned used = (1u << patch.count) - 1;
    if (patch.mean_shear > 0) used |= 1u << mean_lane;
    if (far & used) {
      LaneMatrices<Number> of;
      for (size_t g = 0; g < groups<Number>; ++g) store_matrix(gradients[g], g * R::lanes, of.m);
      bounded += bound_stretches(of, far & used, most_stretch, natural, volume);
    }
    for (size_t lane = 0; lane < patch_lanes; lane += R::lanes) {
      const auto mean = is_mean<Number>(lane);
      const R det = R::load_aligned(volume + lane);
      (det * select(mean, R(patch.mean_shear), R::load_aligned(patch.shear + lane))).store(natural.shear + lane);
      (det * select(mean, R(patch.mean_lambda), R::load_aligned(patch.lambda + lane))).store(natural.lambda + lane);
      for (size_t k = 0; k < 3; ++k) zero.store(natural.rotation[k] + lane);
      one.store(natural.rotation[3] + lane);
    }
  }
  return bounded;
}

// Columns of Q^T A.
template <class Number>
HWY_INLINE Matrix<Number> transpose_times(const Matrix<Number>& q, const Matrix<Number>& a) {
  const Vector<Number> c[3] = {transpose_times(q, column(a, 0)), transpose_times(q, column(a, 1)),
                               transpose_times(q, column(a, 2))};
  return {{c[0].x, c[1].x, c[2].x, c[0].y, c[1].y, c[2].y, c[0].z, c[1].z, c[2].z}};
}
template <class Number>
HWY_INLINE Matrix<Number> product(const Matrix<Number>& a, const Matrix<Number>& b) {
  const Vector<Number> c[3] = {times(a, column(b, 0)), times(a, column(b, 1)), times(a, column(b, 2))};
  return {{c[0].x, c[1].x, c[2].x, c[0].y, c[1].y, c[2].y, c[0].z, c[1].z, c[2].z}};
}

// Twice the symmetric part.
template <class Number>
HWY_INLINE Symmetric<Number> twice_symmetric(const Matrix<Number>& a) {
  return {{a.m[0] + a.m[0], a.m[1] + a.m[3], a.m[4] + a.m[4], a.m[2] + a.m[6], a.m[5] + a.m[7], a.m[8] + a.m[8]}};
}

// The rotations closest to `f` by Newton steps from the guess (closest_rotation() of linalg/rotation.h, in lanes).
// `lost`: set to 1, per bit, for lanes of positive weight where the steps have no direction or do not end.
template <class Number>
HWY_INLINE Quaternion<Real<Number>> closest_rotations(const Matrix<Number>& f, Quaternion<Real<Number>> q,
                                                      typename Real<Number>::Mask used, size_t lane, unsigned& lost) {
  using R = Real<Number>;
  constexpr int most_steps = 8;
  constexpr Number smallest_minor = Number(1e-4);
  // The error after a step is of the order of its cube, and that of the stress is as small relative to the stress.
  const R small(sizeof(Number) == 8 ? Number(1e-10) : Number(1e-5)), half(Number(0.5)), zero = R::zero();
  typename R::Mask open = used;
  for (int step = 0; step < most_steps; ++step) {
    const Matrix<Number> m = transpose_times(to_matrix(q), f);
    // gap = trace(S) I - S of S = sym(m)
    const R a = m.m[4] + m.m[8], b = m.m[0] + m.m[8], c = m.m[0] + m.m[4];
    const R d = -half * (m.m[1] + m.m[3]), e = -half * (m.m[2] + m.m[6]), g = -half * (m.m[5] + m.m[7]);
    const Vector<Number> axial{half * (m.m[7] - m.m[5]), half * (m.m[2] - m.m[6]), half * (m.m[3] - m.m[1])};
    const R minor = neg_mul_add(d, d, a * b);
    const Vector<Number> k0{neg_mul_add(g, g, b * c), neg_mul_add(d, c, e * g), neg_mul_add(b, e, d * g)};
    const R det = combine(a, k0.x, d, k0.y, e, k0.z);
    const R size = half * (a + b + c), least(smallest_minor);
    const auto fits =
        (a > least * size) & (minor > least * size * size) & (det > least * size * size * size) & (size > zero);
    const R over = R(2) / select(fits, det, R(1));
    const Vector<Number> k1{k0.y, neg_mul_add(e, e, a * c), neg_mul_add(a, g, d * e)};
    const Vector<Number> k2{k0.z, k1.z, minor};
    const Vector<Number> w = over * Vector<Number>{dot(k0, axial), dot(k1, axial), dot(k2, axial)};
    const Quaternion<R> next = rotated(q, w);
    const auto go = open & fits;
    q = {select(go, next.x, q.x), select(go, next.y, q.y), select(go, next.z, q.z), select(go, next.w, q.w)};
    lost |= bits(open & !fits, lane);
    open = go & (dot(w, w) > small);
    if (none(open, R())) break;
  }
  lost |= bits(open, lane);
  return q;
}

// F = I + D G^-1, or F as it is given.
template <class Number>
HWY_INLINE Matrix<Number> gradient_from(Matrix<Number> d, bool from_goal) {
  if (!from_goal) return d;
  for (const unsigned k : {0u, 4u, 8u}) d.m[k] = d.m[k] + Real<Number>(1);
  return d;
}

template <class Number>
HWY_INLINE double energy_and_forces(const GoalPose<Number>& pose, const TissueLaw& law, size_t begin, size_t end,
                                    Row<Number>* HWY_RESTRICT force) {
  using R = Real<Number>;
  using Mat = Matrix<Number>;
  const R zero = R::zero(), one(1), half(Number(0.5));
  const R growth_per_energy(static_cast<Number>(law.growth_per_energy()));
  const R most_growth(static_cast<Number>(law.most_growth)), most_extra(static_cast<Number>(law.most_growth - 1));
  const bool damped = !pose.rate.empty();
  double total = 0;
  for (size_t p = begin; p < end; ++p) {
    const Patch<Number>& patch = pose.patches[p];
    NaturalPatch<Number>& natural = pose.natural[p];
    // D G^-1 or F, whichever the displacement gives without rounding at the size of 1.
    Mat d[groups<Number>], change[groups<Number>];
    all_gradients(patch, pose.displacement.data(), d);
    if (damped) all_gradients(patch, pose.rate.data(), change);
    unsigned lost = 0;
    for (size_t g = 0; g < groups<Number>; ++g) {
      const size_t lane = g * R::lanes;
      if (pose.from_goal) d[g] = product(d[g], load_matrix(natural.inverse, lane));
      const auto used = R::load_aligned(natural.shear + lane) > zero;
      Quaternion<R> q{R::load_aligned(natural.rotation[0] + lane), R::load_aligned(natural.rotation[1] + lane),
                      R::load_aligned(natural.rotation[2] + lane), R::load_aligned(natural.rotation[3] + lane)};
      q = closest_rotations<Number>(gradient_from(d[g], pose.from_goal), q, used, lane, lost);
      q.x.store(natural.rotation[0] + lane), q.y.store(natural.rotation[1] + lane);
      q.z.store(natural.rotation[2] + lane), q.w.store(natural.rotation[3] + lane);
    }
    if (lost) {
      LaneMatrices<Number> of;
      for (size_t g = 0; g < groups<Number>; ++g) store_matrix(gradient_from(d[g], pose.from_goal), g * R::lanes, of.m);
      rotations_from_afar(of, lost, natural);
    }
    Mat stress[groups<Number>];
    R energy = zero;
    for (size_t g = 0; g < groups<Number>; ++g) {
      const size_t lane = g * R::lanes;
      const Quaternion<R> q{R::load_aligned(natural.rotation[0] + lane), R::load_aligned(natural.rotation[1] + lane),
                            R::load_aligned(natural.rotation[2] + lane), R::load_aligned(natural.rotation[3] + lane)};
      const Mat rotation = to_matrix(q);
      const R shear = R::load_aligned(natural.shear + lane), lambda = R::load_aligned(natural.lambda + lane);
      const auto used = shear > zero;
      Symmetric<Number> twice = twice_symmetric<Number>(transpose_times(rotation, d[g]));  // 2 (sym(Q^T F) - I)
      if (pose.from_goal) {
        // Q^T F - I = Q^T D G^-1 + (Q - I)^T, and sym(Q - I) = 2 (v v^T - |v|^2 I) for the quaternion (v, w).
        const R four(4), xx = four * q.x * q.x, yy = four * q.y * q.y, zz = four * q.z * q.z;
        twice = {{twice.m[0] - (yy + zz), mul_add(four * q.x, q.y, twice.m[1]), twice.m[2] - (xx + zz),
                  mul_add(four * q.x, q.z, twice.m[3]), mul_add(four * q.y, q.z, twice.m[4]), twice.m[5] - (xx + yy)}};
      } else {
        for (const unsigned k : {0u, 2u, 5u}) twice.m[k] = twice.m[k] - R(2);
      }
      const auto& e = twice.m;
      // psi0 times the volume: mu |E|^2 + lambda / 2 tr(E)^2 with E = twice / 2.
      const R squared =
          combine(e[0], e[0], e[2], e[2], e[5], e[5]) + R(2) * combine(e[1], e[1], e[3], e[3], e[4], e[4]);
      const R twice_trace = e[0] + e[2] + e[5];
      const R psi = R(Number(0.25)) * mul_add(shear, squared, half * lambda * twice_trace * twice_trace);
      const R extra = growth_per_energy * (psi / select(used, shear, one));  // psi0 / c
      const R growth = smaller(one + extra, most_growth);
      // psi0 + psi0^2 / 2c up to the bound of the growth, and a line from there on.
      const R below = select(extra > most_extra, most_extra / extra, one);
      const R grown = psi * mul_add(below, one + half * smaller(extra, most_extra), most_growth * (one - below));
      energy = energy + select_or_zero(used, grown);
      if (damped) {
        const Mat rate = pose.from_goal ? product(change[g], load_matrix(natural.inverse, lane)) : change[g];
        const Symmetric<Number> viscous = twice_symmetric<Number>(transpose_times(rotation, rate));
        for (size_t k = 0; k < 6; ++k) twice.m[k] = twice.m[k] + viscous.m[k];
      }
      const R weight = growth * shear, pressure = half * growth * lambda * (twice.m[0] + twice.m[2] + twice.m[5]);
      const Symmetric<Number> s{{mul_add(weight, twice.m[0], pressure), weight * twice.m[1],
                                 mul_add(weight, twice.m[2], pressure), weight * twice.m[3], weight * twice.m[4],
                                 mul_add(weight, twice.m[5], pressure)}};
      Mat& of = stress[g];
      of = from_rows(times(s, row(rotation, 0)), times(s, row(rotation, 1)), times(s, row(rotation, 2)));  // Q S
      if (pose.from_goal) {
        const Mat inverse = load_matrix(natural.inverse, lane);  // P = Q S G^-T
        of = from_rows(times(inverse, row(of, 0)), times(inverse, row(of, 1)), times(inverse, row(of, 2)));
      }
      for (R& m : of.m) m = select_or_zero(used, m);
    }
    total += static_cast<double>(sum(energy));
    Mat mean;
    for (size_t k = 0; k < 9; ++k) {
      R parts[groups<Number>];
      for (size_t g = 0; g < groups<Number>; ++g) parts[g] = stress[g].m[k];
      mean.m[k] = mean_of<Number>(parts);
    }
    Row<Number>* to = force + patch.vertex_begin;
    std::fill(to, force + patch.vertex_end, Row<Number>{});
    for (size_t g = 0; g < groups<Number>; ++g) {
      const size_t lane = g * R::lanes;
      const R share = R::load_aligned(patch.share + lane);
      for (size_t k = 0; k < 9; ++k) stress[g].m[k] = mul_add(share, mean.m[k], stress[g].m[k]);
      Vector<Number> corner[4];
      corner[0] = {zero, zero, zero};
      for (size_t c = 0; c < 3; ++c) {
        corner[c + 1] = times(stress[g], gradient(patch, c, lane));
        corner[0] = corner[0] - corner[c + 1];
      }
      for (size_t c = 0; c < 4; ++c) add_at_vertices(patch, c, lane, corner[c], to);
    }
  }
  return total;
}

double forces_in_doubles(const GoalPose<double>& pose, const TissueLaw& law, size_t begin, size_t end,
                         Row<double>* force) {
  return energy_and_forces(pose, law, begin, end, force);
}
double forces_in_floats(const GoalPose<float>& pose, const TissueLaw& law, size_t begin, size_t end,
                        Row<float>* force) {
  return energy_and_forces(pose, law, begin, end, force);
}
size_t shape_in_doubles(std::span<const Patch<double>> patches, std::span<const Row<double>> goal, double most,
                        size_t begin, size_t end, std::span<NaturalPatch<double>> natural) {
  return natural_shape(patches, goal, most, begin, end, natural);
}
size_t shape_in_floats(std::span<const Patch<float>> patches, std::span<const Row<float>> goal, double most,
                       size_t begin, size_t end, std::span<NaturalPatch<float>> natural) {
  return natural_shape(patches, goal, most, begin, end, natural);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "sinew/deform/flesh/energy_forces.h"

namespace sinew {

HWY_EXPORT(forces_in_doubles);
HWY_EXPORT(forces_in_floats);
HWY_EXPORT(shape_in_doubles);
HWY_EXPORT(shape_in_floats);

template <>
double goal_forces<double>(const GoalPose<double>& pose, const TissueLaw& law, std::size_t begin, std::size_t end,
                           std::span<Row<double>> force) {
  if (law.energy) return energy_forces(pose, law, begin, end, force);
  return HWY_DYNAMIC_DISPATCH(forces_in_doubles)(pose, law, begin, end, force.data());
}
template <>
double goal_forces<float>(const GoalPose<float>& pose, const TissueLaw& law, std::size_t begin, std::size_t end,
                          std::span<Row<float>> force) {
  if (law.energy) return energy_forces(pose, law, begin, end, force);
  return HWY_DYNAMIC_DISPATCH(forces_in_floats)(pose, law, begin, end, force.data());
}
template <>
std::size_t set_natural_shape<double>(std::span<const Patch<double>> patches, std::span<const Row<double>> goal,
                                      double most_stretch, std::size_t begin, std::size_t end,
                                      std::span<NaturalPatch<double>> natural) {
  return HWY_DYNAMIC_DISPATCH(shape_in_doubles)(patches, goal, most_stretch, begin, end, natural);
}
template <>
std::size_t set_natural_shape<float>(std::span<const Patch<float>> patches, std::span<const Row<float>> goal,
                                     double most_stretch, std::size_t begin, std::size_t end,
                                     std::span<NaturalPatch<float>> natural) {
  return HWY_DYNAMIC_DISPATCH(shape_in_floats)(patches, goal, most_stretch, begin, end, natural);
}

}  // namespace sinew
#endif
