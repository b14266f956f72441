// Products with D and D^T, the four numbers of an entry side by side in a vector register; dispatched at run time.
#include "sinew/deform/mixed/volume_rows.h"

// Compiled twice, and chosen by the processor at run time: portable, and AVX2 with FMA. Entries have four numbers: wider registers bring nothing.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/mixed/volume_rows_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t lanes = HWY_MIN(HWY_MAX_BYTES / sizeof(double), 4);
constexpr size_t parts = 4 / lanes;
using Doubles = hn::FixedTag<double, lanes>;
using Floats = hn::FixedTag<float, lanes>;
using Vector = hn::Vec<Doubles>;

HWY_INLINE Vector load(const VolumeEntry& entry, size_t part) {
  return hn::PromoteTo(Doubles(), hn::LoadU(Floats(), &entry.x + part * lanes));
}

void change(const VolumeRows& rows, const double* HWY_RESTRICT u, size_t begin, size_t end, double* HWY_RESTRICT to) {
  const int* HWY_RESTRICT vertex = rows.vertex.data();
  const VolumeEntry* HWY_RESTRICT entry = rows.by_row.data();
  for (size_t r = begin; r < end; ++r) {
    Vector sum[parts];
    for (size_t p = 0; p < parts; ++p) sum[p] = hn::Zero(Doubles());
    const size_t last = static_cast<size_t>(rows.row_start[r + 1]);
    for (size_t e = static_cast<size_t>(rows.row_start[r]); e < last; ++e) {
      const double* at = u + 3 * static_cast<size_t>(vertex[e]);
      for (size_t p = 0; p < parts; ++p)
        sum[p] = hn::MulAdd(load(entry[e], p), hn::LoadU(Doubles(), at + p * lanes), sum[p]);
    }
    double total = 0;
    for (size_t p = 0; p < parts; ++p) total += hn::GetLane(hn::SumOfLanes(Doubles(), sum[p]));
    to[r] = total;
  }
}

void add_forces(const VolumeRows& rows, const double* HWY_RESTRICT tension, size_t begin, size_t end,
                double* HWY_RESTRICT to) {
  const int* HWY_RESTRICT row = rows.row.data();
  const VolumeEntry* HWY_RESTRICT entry = rows.by_vertex.data();
  for (size_t v = begin; v < end; ++v) {
    // Two chains of sums: one would wait for each of its additions.
    Vector even[parts], odd[parts];
    for (size_t p = 0; p < parts; ++p) even[p] = odd[p] = hn::Zero(Doubles());
    const size_t last = static_cast<size_t>(rows.vertex_start[v + 1]);
    size_t item = static_cast<size_t>(rows.vertex_start[v]);
    for (; item + 2 <= last; item += 2) {
      const auto first = hn::Set(Doubles(), tension[row[item]]), second = hn::Set(Doubles(), tension[row[item + 1]]);
      for (size_t p = 0; p < parts; ++p) {
        even[p] = hn::MulAdd(load(entry[item], p), first, even[p]);
        odd[p] = hn::MulAdd(load(entry[item + 1], p), second, odd[p]);
      }
    }
    if (item < last)
      for (size_t p = 0; p < parts; ++p)
        even[p] = hn::MulAdd(load(entry[item], p), hn::Set(Doubles(), tension[row[item]]), even[p]);
    alignas(32) double sum[4];
    for (size_t p = 0; p < parts; ++p) hn::StoreU(hn::Add(even[p], odd[p]), Doubles(), sum + p * lanes);
    for (size_t c = 0; c < 3; ++c) to[3 * v + c] += sum[c];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(change);
HWY_EXPORT(add_forces);

void volume_change(const VolumeRows& rows, std::span<const double> u, std::size_t begin, std::size_t end,
                   std::span<double> change) {
  HWY_DYNAMIC_DISPATCH(change)(rows, u.data(), begin, end, change.data());
}

void add_volume_forces(const VolumeRows& rows, std::span<const double> tension, std::size_t begin, std::size_t end,
                       std::span<double> force) {
  HWY_DYNAMIC_DISPATCH(add_forces)(rows, tension.data(), begin, end, force.data());
}

}  // namespace sinew
#endif
