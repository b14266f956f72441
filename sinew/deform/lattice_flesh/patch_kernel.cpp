// patch_forces() with a vector register for each 3-vector, dispatched at run time.
#include "sinew/deform/lattice_flesh/patch_elasticity.h"

// Registers of four doubles: AVX2 and AVX-512. Other processors run the plain loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/lattice_flesh/patch_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

// What all targets share.
#ifndef SINEW_PATCH_KERNEL_SHARED
#define SINEW_PATCH_KERNEL_SHARED
namespace sinew {
namespace {

struct PatchProduct {
  const Patch& patch;
  const PatchTetrahedron* tetrahedra;
  const int* vertex;
  const PatchFrame& frame;
  double load;
  const PaddedVec3* position;
  PaddedVec3* force;
};

// Face-connected tetrahedra: four vertices, and one more for each after the first.
constexpr std::size_t most_tetrahedra = patch_size, most_vertices = patch_size + 3;

}  // namespace
}  // namespace sinew
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

using Tag = hn::FixedTag<double, 4>;
using Vector = hn::Vec<Tag>;

HWY_INLINE Vector load_vec(const PaddedVec3& v) { return hn::Load(Tag(), &v.x); }

// a.x x + a.y y + a.z z
HWY_INLINE Vector combine(const double* HWY_RESTRICT a, Vector x, Vector y, Vector z) {
  const Tag d;
  return hn::MulAdd(hn::Set(d, a[2]), z, hn::MulAdd(hn::Set(d, a[1]), y, hn::Mul(hn::Set(d, a[0]), x)));
}

struct Columns {
  Vector x, y, z;   // the last lane of each is zero
};

HWY_INLINE Columns transpose(const Columns& h) {
  const Tag d;
  const Vector zero = hn::Zero(d);
  const Vector low = hn::InterleaveLower(d, h.x, h.y), high = hn::InterleaveUpper(d, h.x, h.y);
  const Vector low_z = hn::InterleaveLower(d, h.z, zero), high_z = hn::InterleaveUpper(d, h.z, zero);
  return {hn::ConcatLowerLower(d, low_z, low), hn::ConcatLowerLower(d, high_z, high), hn::ConcatUpperUpper(d, low_z, low)};
}

// V (2 mu e + lambda tr(e) I) with e = sym(h) - load I.
HWY_INLINE Columns weighted_stress(const Columns& h, double load, double shear, double lambda) {
  const Tag d;
  HWY_ALIGN static constexpr double units[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const Columns row = transpose(h);
  const Vector unit_x = hn::Load(d, units), unit_y = hn::Load(d, units + 4), unit_z = hn::Load(d, units + 8);
  const Vector diagonal = hn::MulAdd(h.x, unit_x, hn::MulAdd(h.y, unit_y, hn::Mul(h.z, unit_z)));
  const Vector trace = hn::Sub(hn::SumOfLanes(d, diagonal), hn::Set(d, 3 * load));
  const Vector twice_shear_load = hn::Set(d, 2 * shear * load), mu = hn::Set(d, shear);
  const Vector pressure = hn::MulSub(hn::Set(d, lambda), trace, twice_shear_load);
  return {hn::MulAdd(pressure, unit_x, hn::Mul(mu, hn::Add(h.x, row.x))),
          hn::MulAdd(pressure, unit_y, hn::Mul(mu, hn::Add(h.y, row.y))),
          hn::MulAdd(pressure, unit_z, hn::Mul(mu, hn::Add(h.z, row.z)))};
}

void forces(const PatchProduct& in) {
  const Tag d;
  const auto vertices = static_cast<size_t>(in.patch.vertex_end - in.patch.vertex_begin);
  const auto tetrahedra = static_cast<size_t>(in.patch.tetrahedron_end - in.patch.tetrahedron_begin);
  HWY_ALIGN double local[4 * most_vertices];
  HWY_ALIGN double sum[4 * most_vertices];
  HWY_ALIGN double stress[12 * most_tetrahedra];

  // R^T x is a combination of the rows of R.
  const Columns rows{load_vec(in.frame.row[0]), load_vec(in.frame.row[1]), load_vec(in.frame.row[2])};
  for (size_t k = 0; k < vertices; ++k) {
    hn::Store(combine(&in.position[in.vertex[k]].x, rows.x, rows.y, rows.z), d, local + 4 * k);
    hn::Store(hn::Zero(d), d, sum + 4 * k);
  }

  Columns mean{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (size_t i = 0; i < tetrahedra; ++i) {
    const PatchTetrahedron& t = in.tetrahedra[i];
    const double* g = &t.gradient[0].x;
    const Vector x0 = hn::Load(d, local + 4 * t.corner[0]);
    const Vector e1 = hn::Sub(hn::Load(d, local + 4 * t.corner[1]), x0), e2 = hn::Sub(hn::Load(d, local + 4 * t.corner[2]), x0),
                 e3 = hn::Sub(hn::Load(d, local + 4 * t.corner[3]), x0);
    const auto column = [&](size_t j) {
      return hn::MulAdd(hn::Set(d, g[6 + j]), e3, hn::MulAdd(hn::Set(d, g[3 + j]), e2, hn::Mul(hn::Set(d, g[j]), e1)));
    };
    const Columns h{column(0), column(1), column(2)};
    const Vector share = hn::Set(d, t.share);
    mean = {hn::MulAdd(share, h.x, mean.x), hn::MulAdd(share, h.y, mean.y), hn::MulAdd(share, h.z, mean.z)};
    const Columns own = weighted_stress(h, in.load, t.shear, t.lambda);
    hn::Store(own.x, d, stress + 12 * i);
    hn::Store(own.y, d, stress + 12 * i + 4);
    hn::Store(own.z, d, stress + 12 * i + 8);
  }
  mean = weighted_stress(mean, in.load, in.patch.shear, in.patch.lambda);

  const auto add = [&](std::uint16_t corner, Vector f) {
    double* to = sum + 4 * corner;
    hn::Store(hn::Add(hn::Load(d, to), f), d, to);
  };
  for (size_t i = 0; i < tetrahedra; ++i) {
    const PatchTetrahedron& t = in.tetrahedra[i];
    const Vector share = hn::Set(d, t.share);
    const Vector x = hn::MulAdd(share, mean.x, hn::Load(d, stress + 12 * i)), y = hn::MulAdd(share, mean.y, hn::Load(d, stress + 12 * i + 4)),
                 z = hn::MulAdd(share, mean.z, hn::Load(d, stress + 12 * i + 8));
    const Vector f1 = combine(&t.gradient[0].x, x, y, z), f2 = combine(&t.gradient[1].x, x, y, z), f3 = combine(&t.gradient[2].x, x, y, z);
    add(t.corner[1], f1);
    add(t.corner[2], f2);
    add(t.corner[3], f3);
    add(t.corner[0], hn::Neg(hn::Add(f1, hn::Add(f2, f3))));
  }

  // And R f one of its columns.
  const Columns columns = transpose(rows);
  for (size_t k = 0; k < vertices; ++k) hn::Store(combine(sum + 4 * k, columns.x, columns.y, columns.z), d, &in.force[k].x);
}

constexpr bool vectorised = true;

#else

void forces(const PatchProduct&) {}

constexpr bool vectorised = false;

#endif

bool is_vectorised() { return vectorised; }

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(forces);
HWY_EXPORT(is_vectorised);

void patch_forces(const PatchElasticity& elasticity, std::size_t patch, const PatchFrame& frame, double load,
                  std::span<const PaddedVec3> position, std::span<PaddedVec3> force) {
  static const bool vectorised = HWY_DYNAMIC_DISPATCH(is_vectorised)();
  if (!vectorised) return patch_forces_reference(elasticity, patch, frame, load, position, force);
  const Patch& p = elasticity.patches[patch];
  HWY_DYNAMIC_DISPATCH(forces)({p, elasticity.tetrahedra.data() + p.tetrahedron_begin, elasticity.vertex.data() + p.vertex_begin, frame,
                                load, position.data(), force.data() + p.vertex_begin});
}

}  // namespace sinew
#endif
