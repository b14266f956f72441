#include "sinew/deform/rig_space/reduced_kernel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/rig_space/reduced_kernel.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <vector>

#include "sinew/deform/rig_space/reduced_basis.h"
#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::reduced_kernel {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;

using Real = Pack<double, tile_width>;

inline constexpr std::size_t tile_numbers = 3 * tile_width;

HWY_INLINE Real load(const double* p) { return Real::load(p); }
HWY_INLINE std::size_t at(int i) { return static_cast<std::size_t>(i); }

// c += a^T b of two tiles, 3 x 8 each; c is 8 x 8 within rows of `stride` numbers.
HWY_INLINE void add_outer(const double* a, const double* b, double* c, std::size_t stride) {
  for (std::size_t lane = 0; lane < tile_width; lane += Real::lanes) {
    const Real b0 = load(b + lane), b1 = load(b + tile_width + lane), b2 = load(b + 2 * tile_width + lane);
    for (std::size_t i = 0; i < tile_width; ++i) {
      double* to = c + i * stride + lane;
      const Real sum = mul_add(
          Real(a[i]), b0, mul_add(Real(a[tile_width + i]), b1, mul_add(Real(a[2 * tile_width + i]), b2, load(to))));
      sum.store(to);
    }
  }
}

// to += m from, tiles of 3 x 8.
HWY_INLINE void add_product(const Mat3& m, const double* from, double* to) {
  for (std::size_t lane = 0; lane < tile_width; lane += Real::lanes) {
    const Real x = load(from + lane), y = load(from + tile_width + lane), z = load(from + 2 * tile_width + lane);
    for (std::size_t row = 0; row < 3; ++row) {
      double* target = to + row * tile_width + lane;
      mul_add(Real(m(row, 0)), x, mul_add(Real(m(row, 1)), y, mul_add(Real(m(row, 2)), z, load(target)))).store(target);
    }
  }
}

HWY_ATTR void Displace(const ReducedBasis& basis, const double* u, const Vec3* base, Vec3* x, std::size_t begin,
                       std::size_t end) {
  for (std::size_t v = begin; v < end; ++v) {
    Real sx = Real::zero(), sy = sx, sz = sx;
    for (std::size_t e = at(basis.start[v]); e < at(basis.start[v + 1]); ++e) {
      const double* from = basis.value.data() + e * tile_numbers;
      const double* part = u + at(basis.tile[e]) * tile_width;
      for (std::size_t lane = 0; lane < tile_width; lane += Real::lanes) {
        const Real p = load(part + lane);
        sx = mul_add(load(from + lane), p, sx);
        sy = mul_add(load(from + tile_width + lane), p, sy);
        sz = mul_add(load(from + 2 * tile_width + lane), p, sz);
      }
    }
    x[v] = base[v] + Vec3{sum(sx), sum(sy), sum(sz)};
  }
}

HWY_ATTR void Reduce(const ReducedBasis& basis, const Vec3* f, double* result, std::size_t begin, std::size_t end) {
  for (std::size_t v = begin; v < end; ++v) {
    const Real fx = Real(f[v].x), fy = Real(f[v].y), fz = Real(f[v].z);
    for (std::size_t e = at(basis.start[v]); e < at(basis.start[v + 1]); ++e) {
      const double* from = basis.value.data() + e * tile_numbers;
      double* part = result + at(basis.tile[e]) * tile_width;
      for (std::size_t lane = 0; lane < tile_width; lane += Real::lanes)
        mul_add(load(from + lane), fx,
                mul_add(load(from + tile_width + lane), fy,
                        mul_add(load(from + 2 * tile_width + lane), fz, load(part + lane))))
            .store(part + lane);
    }
  }
}

HWY_ATTR void AddMass(const ReducedBasis& basis, const double* mass, double* result, std::size_t begin,
                      std::size_t end) {
  const std::size_t stride = basis.padded_columns();
  double scaled[tile_numbers];
  for (std::size_t v = begin; v < end; ++v)
    for (std::size_t e = at(basis.start[v]); e < at(basis.start[v + 1]); ++e) {
      for (std::size_t k = 0; k < tile_numbers; ++k) scaled[k] = mass[v] * basis.value[e * tile_numbers + k];
      for (std::size_t o = e; o < at(basis.start[v + 1]); ++o)
        add_outer(scaled, basis.value.data() + o * tile_numbers,
                  result + at(basis.tile[e]) * tile_width * stride + at(basis.tile[o]) * tile_width, stride);
    }
}

HWY_ATTR void AddStiffness(const ReducedBasis& basis, const BlockMatrix& stiffness, double* result, std::size_t begin,
                           std::size_t end) {
  const std::size_t stride = basis.padded_columns();
  // Row v of K G, of the tiles that are in it.
  std::vector<double> row(basis.tiles() * tile_numbers, 0.0);
  std::vector<char> in_row(basis.tiles(), 0);
  std::vector<int> tiles;
  for (std::size_t v = begin; v < end; ++v) {
    if (!basis.moves(v)) continue;
    for (std::size_t k = at(stiffness.row_start[v]); k < at(stiffness.row_start[v + 1]); ++k) {
      const std::size_t other = at(stiffness.column[k]);
      for (std::size_t e = at(basis.start[other]); e < at(basis.start[other + 1]); ++e) {
        const std::size_t t = at(basis.tile[e]);
        if (!in_row[t]) {
          in_row[t] = 1;
          tiles.push_back(basis.tile[e]);
        }
        add_product(stiffness.block[k], basis.value.data() + e * tile_numbers, row.data() + t * tile_numbers);
      }
    }
    for (const int t : tiles) {
      double* product = row.data() + at(t) * tile_numbers;
      for (std::size_t e = at(basis.start[v]); e < at(basis.start[v + 1]) && basis.tile[e] <= t; ++e)
        add_outer(basis.value.data() + e * tile_numbers, product,
                  result + at(basis.tile[e]) * tile_width * stride + at(t) * tile_width, stride);
      std::fill(product, product + tile_numbers, 0.0);
      in_row[at(t)] = 0;
    }
    tiles.clear();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::reduced_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::reduced_kernel {

HWY_EXPORT(Displace);
HWY_EXPORT(Reduce);
HWY_EXPORT(AddMass);
HWY_EXPORT(AddStiffness);

void displace(const ReducedBasis& basis, const double* u, const Vec3* base, Vec3* x, std::size_t begin,
              std::size_t end) {
  HWY_DYNAMIC_DISPATCH(Displace)(basis, u, base, x, begin, end);
}
void reduce(const ReducedBasis& basis, const Vec3* f, double* result, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(Reduce)(basis, f, result, begin, end);
}
void add_mass(const ReducedBasis& basis, const double* mass, double* result, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(AddMass)(basis, mass, result, begin, end);
}
void add_stiffness(const ReducedBasis& basis, const BlockMatrix& stiffness, double* result, std::size_t begin,
                   std::size_t end) {
  HWY_DYNAMIC_DISPATCH(AddStiffness)(basis, stiffness, result, begin, end);
}

}  // namespace sinew::reduced_kernel
#endif
