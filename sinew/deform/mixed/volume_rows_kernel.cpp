// Products with D and D^T, the four numbers of an entry side by side in a vector register; dispatched at run time.
#include "sinew/deform/mixed/volume_rows.h"

// Compiled twice, and chosen by the processor at run time: portable, and AVX2 with FMA. Entries have four numbers:
// wider registers bring nothing.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/mixed/volume_rows_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;

// Some of an entry's four numbers, or all.
using Part = Pack<double, 4>;
constexpr size_t parts = 4 / Part::lanes;

HWY_INLINE Part load(const VolumeEntry& entry, size_t part) { return load_floats<Part>(&entry.x + part * Part::lanes); }

void change(const VolumeRows& rows, const double* HWY_RESTRICT u, size_t begin, size_t end, double* HWY_RESTRICT to) {
  const int* HWY_RESTRICT vertex = rows.vertex.data();
  const VolumeEntry* HWY_RESTRICT entry = rows.by_row.data();
  for (size_t r = begin; r < end; ++r) {
    Part change_of[parts];
    for (Part& part : change_of) part = Part::zero();
    const size_t last = static_cast<size_t>(rows.row_start[r + 1]);
    for (size_t e = static_cast<size_t>(rows.row_start[r]); e < last; ++e) {
      const double* at = u + 3 * static_cast<size_t>(vertex[e]);
      for (size_t p = 0; p < parts; ++p)
        change_of[p] = mul_add(load(entry[e], p), Part::load(at + p * Part::lanes), change_of[p]);
    }
    double total = 0;
    for (const Part& part : change_of) total += sum(part);
    to[r] = total;
  }
}

void add_forces(const VolumeRows& rows, const double* HWY_RESTRICT tension, size_t begin, size_t end,
                double* HWY_RESTRICT to) {
  const int* HWY_RESTRICT row = rows.row.data();
  const VolumeEntry* HWY_RESTRICT entry = rows.by_vertex.data();
  for (size_t v = begin; v < end; ++v) {
    // Two chains of sums: one would wait for each of its additions.
    Part even[parts], odd[parts];
    for (size_t p = 0; p < parts; ++p) even[p] = odd[p] = Part::zero();
    const size_t last = static_cast<size_t>(rows.vertex_start[v + 1]);
    size_t item = static_cast<size_t>(rows.vertex_start[v]);
    for (; item + 2 <= last; item += 2) {
      const Part first(tension[row[item]]), second(tension[row[item + 1]]);
      for (size_t p = 0; p < parts; ++p) {
        even[p] = mul_add(load(entry[item], p), first, even[p]);
        odd[p] = mul_add(load(entry[item + 1], p), second, odd[p]);
      }
    }
    if (item < last)
      for (size_t p = 0; p < parts; ++p) even[p] = mul_add(load(entry[item], p), Part(tension[row[item]]), even[p]);
    alignas(32) double both[4];
    for (size_t p = 0; p < parts; ++p) (even[p] + odd[p]).store(both + p * Part::lanes);
    for (size_t c = 0; c < 3; ++c) to[3 * v + c] += both[c];
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
