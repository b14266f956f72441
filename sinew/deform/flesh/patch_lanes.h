// Access of vector kernels to the tetrahedra of a patch (patch_elasticity.h), one in each lane.

// This header is included once for each instruction set.
#if defined(SINEW_PATCH_LANES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_PATCH_LANES_H
#undef SINEW_PATCH_LANES_H
#else
#define SINEW_PATCH_LANES_H
#endif

#include "sinew/deform/flesh/patch_elasticity.h"
#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::patch_kernels {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;

// A tetrahedron in each lane.
template <class Number>
using Real = Pack<Number, patch_lanes>;
template <class Number>
using Vector = Vector3<Real<Number>>;
template <class Number>
using Matrix = Matrix3<Real<Number>>;
template <class Number>
using Symmetric = Symmetric3<Real<Number>>;

#if HWY_TARGET == HWY_SCALAR

// The row that `index` names.
template <class Number>
HWY_INLINE Vector<Number> gather_rows(const Row<Number>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const Number* row = &rows->x + *index;
  return {row[0], row[1], row[2]};
}

// Adds the force on one corner of a tetrahedron at the patch's vertex.
template <class Number>
HWY_INLINE void add_at_vertices(const Patch<Number>& patch, size_t corner, size_t lane, const Vector<Number>& force,
                                Row<Number>* HWY_RESTRICT to) {
  Number* row = &to->x + patch.slot[corner][lane];
  row[0] += sum(force.x);
  row[1] += sum(force.y);
  row[2] += sum(force.z);
}

#else

// The rows that `index` names, one per lane: four rows of four floats are transposed in each 16-byte block, ...
template <class D = Real<float>::Tag>
HWY_INLINE Vector<float> gather_rows(const Row<float>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const D d;
  const hn::FixedTag<float, 4> block;
  const auto row = [&](size_t lane) { return hn::Load(block, &rows->x + index[lane]); };
  hn::Vec<D> r[4];
  for (size_t k = 0; k < 4; ++k) {
    if constexpr (Real<float>::lanes == 8)
      r[k] = k + 4 < size_t{patch_size} ? hn::Combine(d, row(k + 4), row(k)) : hn::ZeroExtendVector(d, row(k));
    else
      r[k] = row(k);
  }
  const auto xy_even = hn::InterleaveLower(d, r[0], r[2]), xy_odd = hn::InterleaveLower(d, r[1], r[3]);
  const auto z_even = hn::InterleaveUpper(d, r[0], r[2]), z_odd = hn::InterleaveUpper(d, r[1], r[3]);
  return {hn::InterleaveLower(d, xy_even, xy_odd), hn::InterleaveUpper(d, xy_even, xy_odd),
          hn::InterleaveLower(d, z_even, z_odd)};
}
// ... doubles, which are needed once a step, are gathered number by number.
HWY_INLINE Vector<double> gather_rows(const Row<double>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const auto first = load_indices<Real<double>>(index);
  return {gather<Real<double>>(&rows->x, first), gather<Real<double>>(&rows->y, first),
          gather<Real<double>>(&rows->z, first)};
}

// Adds the forces on one corner of the tetrahedra in lanes [lane, lane + Real::lanes) at the patch's vertices: four
// rows of four floats are transposed in each 16-byte block, ...
template <class D = Real<float>::Tag>
HWY_INLINE void add_at_vertices(const Patch<float>& patch, size_t corner, size_t lane, const Vector<float>& force,
                                Row<float>* HWY_RESTRICT to) {
  const D d;
  const hn::FixedTag<float, 4> block;
  const std::uint8_t* slot = patch.slot[corner] + lane;
  const auto zero = hn::Zero(d);
  const auto xz_lower = hn::InterleaveLower(d, force.x.v, force.z.v),
             xz_upper = hn::InterleaveUpper(d, force.x.v, force.z.v);
  const auto y_lower = hn::InterleaveLower(d, force.y.v, zero), y_upper = hn::InterleaveUpper(d, force.y.v, zero);
  const hn::Vec<D> row[4] = {hn::InterleaveLower(d, xz_lower, y_lower), hn::InterleaveUpper(d, xz_lower, y_lower),
                             hn::InterleaveLower(d, xz_upper, y_upper), hn::InterleaveUpper(d, xz_upper, y_upper)};
  const auto add = [&](size_t t, hn::Vec<hn::FixedTag<float, 4>> part) {
    float* sum = &to->x + slot[t];
    hn::Store(hn::Add(hn::Load(block, sum), part), block, sum);
  };
  for (size_t t = 0; t < 4; ++t) {
    if constexpr (Real<float>::lanes == 8)
      add(t, hn::LowerHalf(block, row[t]));
    else
      add(t, row[t]);
  }
  if constexpr (Real<float>::lanes == 8)
    for (size_t t = 4; t < static_cast<size_t>(patch_size); ++t) add(t, hn::UpperHalf(block, row[t - 4]));
}
// ... doubles by way of memory.
HWY_INLINE void add_at_vertices(const Patch<double>& patch, size_t corner, size_t lane, const Vector<double>& force,
                                Row<double>* HWY_RESTRICT to) {
  const Real<double>::Tag d;
  const hn::CappedTag<double, 4> part;
  Row<double> row[Real<double>::lanes];
  hn::StoreInterleaved4(force.x.v, force.y.v, force.z.v, hn::Zero(d), d, &row[0].x);
  for (size_t t = 0; t < Real<double>::lanes; ++t) {
    double* sum = &to->x + patch.slot[corner][lane + t];
    for (size_t k = 0; k < 4; k += hn::Lanes(part))
      hn::Store(hn::Add(hn::Load(part, sum + k), hn::Load(part, &row[t].x + k)), part, sum + k);
  }
}

#endif

// The gradient of the shape function of corner 1, 2 or 3, counted from 0.
template <class Number>
HWY_INLINE Vector<Number> gradient(const Patch<Number>& patch, size_t corner, size_t lane) {
  using R = Real<Number>;
  const auto& g = patch.gradient[corner];
  return {R::load_aligned(g[0] + lane), R::load_aligned(g[1] + lane), R::load_aligned(g[2] + lane)};
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::patch_kernels
HWY_AFTER_NAMESPACE();

#endif
