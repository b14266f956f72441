// Values of vector registers: every lane is what one number is, and small vectors and matrices are those of small.h.
#include <gtest/gtest.h>

#include <random>

#include "sinew/linalg/small.h"

// Compiled for each instruction set, as kernels are; the best that the machine has runs.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/linalg/lanes_test.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"
#include "tests/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;
using Real = Pack<double, 4>;

struct Numbers {
  std::mt19937_64 generator{11};
  double operator()() { return std::uniform_real_distribution<double>(-2, 2)(generator); }
};
double lane_of(const Real& value, std::size_t lane) {
  double numbers[4] = {};
  value.store(numbers);
  return numbers[lane];
}

// The same of numbers, of registers and of small.h.
template <class Number>
struct Case {
  Vector3<Number> a, b;
  Matrix3<Number> m;
  Quaternion<Number> q;
};

struct Results {
  double dot, largest;
  Vec3 sum, cross, product, transposed, chosen, symmetric;
  Mat3 matrix;
  Quat turned;
};

template <class Number>
struct Computed {
  Number dot, largest;
  Vector3<Number> sum, cross, product, transposed, chosen, symmetric;
  Matrix3<Number> matrix;
  Quaternion<Number> turned;
};

template <class Number>
Computed<Number> compute(const Case<Number>& c) {
  const Number s = larger(absolute(c.a.x), smaller(c.a.y, c.b.y));
  const Symmetric3<Number> symmetric{{c.m.m[0], c.m.m[1], c.m.m[4], c.m.m[2], c.m.m[5], c.m.m[8]}};
  return {dot(c.a, c.b),
          s,
          mul_add(s, c.a, c.b) - c.a,
          cross(c.a, c.b),
          times(c.m, c.a),
          transpose_times(c.m, c.a),
          select(c.a.x > c.b.x, c.a, c.b),
          times(symmetric, c.a),
          to_matrix(c.q),
          rotated(c.q, c.a)};
}

Results expected(const Case<double>& c) {
  const Vec3 a{c.a.x, c.a.y, c.a.z}, b{c.b.x, c.b.y, c.b.z};
  Mat3 m, both;
  for (std::size_t k = 0; k < 9; ++k) m.m[k] = c.m.m[k];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) both(i, j) = i <= j ? m(i, j) : m(j, i);
  const Quat q{c.q.x, c.q.y, c.q.z, c.q.w};
  const double s = std::max(std::abs(a.x), std::min(a.y, b.y));
  return {dot(a, b),
          s,
          a * s + b - a,
          cross(a, b),
          m * a,
          transpose(m) * a,
          a.x > b.x ? a : b,
          both * a,
          to_matrix(q),
          normalized(q * Quat{0.5 * a.x, 0.5 * a.y, 0.5 * a.z, 1})};
}

// A turn by a quaternion has the most operations.
void expect_near(double found, double wanted) {
  EXPECT_NEAR(found, wanted, test::rounding_of(1 + std::abs(wanted), 18));
}

template <class Number, class Lane>
void expect_same(const Computed<Number>& found, const Results& wanted, const Lane& lane) {
  const auto vectors = [&](const Vector3<Number>& v, const Vec3& w) {
    expect_near(lane(v.x), w.x);
    expect_near(lane(v.y), w.y);
    expect_near(lane(v.z), w.z);
  };
  expect_near(lane(found.dot), wanted.dot);
  expect_near(lane(found.largest), wanted.largest);
  vectors(found.sum, wanted.sum);
  vectors(found.cross, wanted.cross);
  vectors(found.product, wanted.product);
  vectors(found.transposed, wanted.transposed);
  vectors(found.chosen, wanted.chosen);
  vectors(found.symmetric, wanted.symmetric);
  for (std::size_t k = 0; k < 9; ++k) expect_near(lane(found.matrix.m[k]), wanted.matrix.m[k]);
  expect_near(lane(found.turned.x), wanted.turned.x);
  expect_near(lane(found.turned.y), wanted.turned.y);
  expect_near(lane(found.turned.z), wanted.turned.z);
  expect_near(lane(found.turned.w), wanted.turned.w);
}

void every_lane_is_small_h() {
  Numbers numbers;
  for (int turn = 0; turn < 50; ++turn) {
    double lanes[4][19];  // of each lane: a, b, m, q
    for (auto& lane : lanes) {
      for (double& number : lane) number = numbers();
      const Quat q = normalized(Quat{lane[15], lane[16], lane[17], lane[18]});
      lane[15] = q.x, lane[16] = q.y, lane[17] = q.z, lane[18] = q.w;
    }
    const auto pack = [&](std::size_t k) {
      const double all[4] = {lanes[0][k], lanes[1][k], lanes[2][k], lanes[3][k]};
      return Real::load(all);
    };
    const auto filled = [](auto of, auto& c) {
      c.a = {of(0), of(1), of(2)};
      c.b = {of(3), of(4), of(5)};
      for (std::size_t k = 0; k < 9; ++k) c.m.m[k] = of(6 + k);
      c.q = {of(15), of(16), of(17), of(18)};
    };
    Case<Real> together;
    filled(pack, together);
    const Computed<Real> found = compute(together);
    for (std::size_t l = 0; l < Real::lanes; ++l) {
      Case<double> alone;
      filled([&](std::size_t k) { return lanes[l][k]; }, alone);
      const Results wanted = expected(alone);
      expect_same(found, wanted, [&](const Real& value) { return lane_of(value, l); });
      expect_same(compute(alone), wanted, [](double value) { return value; });
    }
  }
}

void loads_gathers_and_sums() {
  const double from[9] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  const int at[4] = {2, 0, 1, 0};
  const Real gathered = gather<Real>(from, load_indices<Real>(at, 3));
  double total = 0;
  for (std::size_t l = 0; l < Real::lanes; ++l) {
    EXPECT_EQ(lane_of(gathered, l), from[3 * at[l]]);
    total += from[3 * at[l]];
  }
  EXPECT_EQ(sum(gathered), total);
  EXPECT_EQ(lane_of(sum_in_lanes(gathered), Real::lanes - 1), total);
  const float narrow[4] = {0.5f, -1.25f, 3, 7};
  for (std::size_t l = 0; l < Real::lanes; ++l)
    EXPECT_EQ(lane_of(load_floats<Real>(narrow), l), static_cast<double>(narrow[l]));
  EXPECT_TRUE(none(gathered > Real(1000), gathered));
  EXPECT_FALSE(none((gathered > Real(0.5)) & !(gathered > Real(1000)), gathered));
  EXPECT_EQ(lane_of(select_or_zero(gathered <= Real(1000), gathered), 0), from[6]);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(every_lane_is_small_h);
HWY_EXPORT(loads_gathers_and_sums);

TEST(Lanes, EveryLaneIsOneNumberAndOneNumberIsSmallH) { HWY_DYNAMIC_DISPATCH(every_lane_is_small_h)(); }
TEST(Lanes, LoadGatherAndSum) { HWY_DYNAMIC_DISPATCH(loads_gathers_and_sums)(); }

}  // namespace sinew
#endif
