// dot_in_eight_sums() and four_dots_in_eight_sums(), dispatched at run time.
#include "sinew/linalg/dot_kernel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/linalg/dot_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

constexpr size_t sums = 8;

double finish(const double* sum, const double* a, const double* b, size_t done, size_t count) {
  double first = sum[0];
  for (size_t i = done; i < count; ++i) first += a[i] * b[i];
  return ((first + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

template <size_t vectors_of_a>
HWY_INLINE void dots(const double* const* a, const double* HWY_RESTRICT b, size_t count, double* result) {
  using Real = sinew::lanes::HWY_NAMESPACE::Pack<double, sums>;
  constexpr size_t vectors = sums / Real::lanes;
  Real sum[vectors_of_a][vectors];
  for (auto& of_one : sum)
    for (Real& s : of_one) s = Real::zero();
  size_t i = 0;
  for (; i + sums <= count; i += sums)
    for (size_t v = 0; v < vectors; ++v) {
      const Real by = Real::load(b + i + v * Real::lanes);
      for (size_t j = 0; j < vectors_of_a; ++j) sum[j][v] = sum[j][v] + Real::load(a[j] + i + v * Real::lanes) * by;
    }
  double total[sums];
  for (size_t j = 0; j < vectors_of_a; ++j) {
    for (size_t v = 0; v < vectors; ++v) sum[j][v].store(total + v * Real::lanes);
    result[j] = finish(total, a[j], b, i, count);
  }
}

double dot(const double* a, const double* b, size_t count) {
  double result;
  dots<1>(&a, b, count, &result);
  return result;
}

void four_dots(const double* const* a, const double* b, size_t count, double* result) { dots<4>(a, b, count, result); }

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(dot);
HWY_EXPORT(four_dots);

double dot_in_eight_sums(const double* a, const double* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(dot)(a, b, count);
}

void four_dots_in_eight_sums(const double* const* a, const double* b, std::size_t count, double* result) {
  HWY_DYNAMIC_DISPATCH(four_dots)(a, b, count, result);
}

}  // namespace sinew
#endif
