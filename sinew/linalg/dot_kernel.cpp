// dot_in_eight_sums(), dispatched at run time.
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

double dot(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, size_t count) {
  using Real = sinew::lanes::HWY_NAMESPACE::Pack<double, sums>;
  constexpr size_t vectors = sums / Real::lanes;
  Real sum[vectors];
  for (Real& s : sum) s = Real::zero();
  size_t i = 0;
  for (; i + sums <= count; i += sums)
    for (size_t v = 0; v < vectors; ++v)
      sum[v] = sum[v] + Real::load(a + i + v * Real::lanes) * Real::load(b + i + v * Real::lanes);
  double total[sums];
  for (size_t v = 0; v < vectors; ++v) sum[v].store(total + v * Real::lanes);
  return finish(total, a, b, i, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(dot);

double dot_in_eight_sums(const double* a, const double* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(dot)(a, b, count);
}

}  // namespace sinew
#endif
