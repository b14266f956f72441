#include "sinew/deform/rig_space/tetrahedral_kernel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/rig_space/tetrahedral_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::tetrahedral_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, lanes>;
using Real = hn::Vec<Tag>;

HWY_INLINE Real set(double v) { return hn::Set(Tag(), v); }
HWY_INLINE Real load(const Lanes& from, std::size_t lane) { return hn::LoadU(Tag(), from.data() + lane); }
HWY_INLINE void store(Real v, Lanes& to, std::size_t lane) { hn::StoreU(v, Tag(), to.data() + lane); }

struct Vector {
  Real x, y, z;
};
// Row by row, as Mat3.
struct Matrix {
  Real m[9];
};

HWY_INLINE Vector subtract(const Vector& a, const Vector& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Real dot(const Vector& a, const Vector& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
HWY_INLINE Vector row(const Matrix& a, std::size_t i) { return {a.m[3 * i], a.m[3 * i + 1], a.m[3 * i + 2]}; }
HWY_INLINE Vector column(const Matrix& a, std::size_t i) { return {a.m[i], a.m[3 + i], a.m[6 + i]}; }
HWY_INLINE Vector times(const Matrix& a, const Vector& v) { return {dot(row(a, 0), v), dot(row(a, 1), v), dot(row(a, 2), v)}; }

HWY_INLINE Vector position(const Vec3* x, const std::array<int, lanes>& vertex, std::size_t lane) {
  const hn::Rebind<int, Tag> narrow;
  const hn::RebindToSigned<Tag> wide;
  const auto i = hn::Mul(hn::PromoteTo(wide, hn::LoadU(narrow, vertex.data() + lane)), hn::Set(wide, 3));
  return {hn::GatherIndex(Tag(), &x->x, i), hn::GatherIndex(Tag(), &x->y, i), hn::GatherIndex(Tag(), &x->z, i)};
}

// What a block's lanes are at positions x.
struct State {
  Matrix f;         // deformation gradient F = edges times inverse edges
  Matrix strain;    // Green's, from D = F - I: (D + D^T + D^T D) / 2
  Real volume;      // det F - 1, from D
  Matrix cofactor;  // of F
  Vector gradient[3];  // of the shape functions of corners 1 to 3
};

HWY_INLINE State state_of(const Block& block, const Vec3* x, std::size_t lane) {
  State s;
  const Vector origin = position(x, block.vertex[0], lane);
  Vector edge[3];
  for (std::size_t k = 0; k < 3; ++k) {
    edge[k] = subtract(position(x, block.vertex[k + 1], lane), origin);
    s.gradient[k] = {load(block.inverse_edges[3 * k], lane), load(block.inverse_edges[3 * k + 1], lane),
                     load(block.inverse_edges[3 * k + 2], lane)};
  }
  const auto entry = [&](Real a, Real b, Real c, Real ga, Real gb, Real gc) HWY_ATTR {
    return hn::MulAdd(c, gc, hn::MulAdd(b, gb, hn::Mul(a, ga)));
  };
  const Vector &g0 = s.gradient[0], &g1 = s.gradient[1], &g2 = s.gradient[2];
  s.f = {{entry(edge[0].x, edge[1].x, edge[2].x, g0.x, g1.x, g2.x), entry(edge[0].x, edge[1].x, edge[2].x, g0.y, g1.y, g2.y),
          entry(edge[0].x, edge[1].x, edge[2].x, g0.z, g1.z, g2.z), entry(edge[0].y, edge[1].y, edge[2].y, g0.x, g1.x, g2.x),
          entry(edge[0].y, edge[1].y, edge[2].y, g0.y, g1.y, g2.y), entry(edge[0].y, edge[1].y, edge[2].y, g0.z, g1.z, g2.z),
          entry(edge[0].z, edge[1].z, edge[2].z, g0.x, g1.x, g2.x), entry(edge[0].z, edge[1].z, edge[2].z, g0.y, g1.y, g2.y),
          entry(edge[0].z, edge[1].z, edge[2].z, g0.z, g1.z, g2.z)}};
  Matrix d = s.f;
  for (std::size_t k = 0; k < 9; k += 4) d.m[k] = hn::Sub(d.m[k], set(1));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      s.strain.m[3 * i + j] =
          hn::Mul(set(0.5), hn::Add(hn::Add(d.m[3 * i + j], d.m[3 * j + i]), dot(column(d, i), column(d, j))));
  const auto minor = [&](std::size_t a, std::size_t b) HWY_ATTR {
    return hn::NegMulAdd(d.m[3 * a + b], d.m[3 * b + a], hn::Mul(d.m[4 * a], d.m[4 * b]));
  };
  const Real trace = hn::Add(d.m[0], hn::Add(d.m[4], d.m[8]));
  const Real minors = hn::Add(minor(0, 1), hn::Add(minor(1, 2), minor(0, 2)));
  s.volume = hn::Add(hn::Add(trace, minors), dot(row(d, 0), cross(row(d, 1), row(d, 2))));
  const Vector c0 = cross(row(s.f, 1), row(s.f, 2)), c1 = cross(row(s.f, 2), row(s.f, 0)), c2 = cross(row(s.f, 0), row(s.f, 1));
  s.cofactor = {{c0.x, c0.y, c0.z, c1.x, c1.y, c1.z, c2.x, c2.y, c2.z}};
  return s;
}

// psi = mu |E|^2 + lambda/2 (J - 1)^2,  P = 2 mu F E + lambda (J - 1) cof F.
HWY_ATTR void Energy(std::span<const Block> blocks, const Vec3* x, std::span<Lanes> energies, Forces* forces) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(Tag())) {
      const Block& block = blocks[b];
      const State s = state_of(block, x, lane);
      const Real volume = load(block.volume, lane), shear = load(block.shear, lane), lambda = load(block.lambda, lane);
      Real squared = hn::Zero(Tag());
      for (const Real e : s.strain.m) squared = hn::MulAdd(e, e, squared);
      const Real pressure = hn::Mul(lambda, s.volume);
      store(hn::Mul(volume, hn::MulAdd(shear, squared, hn::Mul(set(0.5), hn::Mul(pressure, s.volume)))), energies[b], lane);
      if (!forces) continue;
      const Real twice_shear = hn::Mul(set(2), shear);
      for (std::size_t k = 0; k < 3; ++k) {
        // P g = 2 mu F (E g) + p cof F g
        const Vector fe = times(s.f, times(s.strain, s.gradient[k])), c = times(s.cofactor, s.gradient[k]);
        store(hn::Mul(volume, hn::MulAdd(twice_shear, fe.x, hn::Mul(pressure, c.x))), forces[b].value[3 * k], lane);
        store(hn::Mul(volume, hn::MulAdd(twice_shear, fe.y, hn::Mul(pressure, c.y))), forces[b].value[3 * k + 1], lane);
        store(hn::Mul(volume, hn::MulAdd(twice_shear, fe.z, hn::Mul(pressure, c.z))), forces[b].value[3 * k + 2], lane);
      }
    }
}

HWY_ATTR void RestAt(std::span<Block> blocks, std::span<const std::array<Lanes, 9>> own, const Vec3* x, double least_stretch,
                    std::span<Lanes> flat) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(Tag())) {
      Block& block = blocks[b];
      const Vector origin = position(x, block.vertex[0], lane);
      Vector edge[3];
      for (std::size_t k = 0; k < 3; ++k) edge[k] = subtract(position(x, block.vertex[k + 1], lane), origin);
      // Rows of the inverse: the areas opposite each corner over the volume.
      const Vector area[3] = {cross(edge[1], edge[2]), cross(edge[2], edge[0]), cross(edge[0], edge[1])};
      const Real volume = dot(edge[0], area[0]), inverse = hn::Div(set(1), volume);
      // |F|^2 and det F = det edges det own of F = edges own.
      Vector g[3];
      for (std::size_t k = 0; k < 3; ++k)
        g[k] = {load(own[b][3 * k], lane), load(own[b][3 * k + 1], lane), load(own[b][3 * k + 2], lane)};
      Real squared = hn::Zero(Tag());
      const auto add_row = [&](Real a, Real c, Real d) HWY_ATTR {
        const auto add = [&](Real ga, Real gc, Real gd) HWY_ATTR {
          const Real f = hn::MulAdd(d, gd, hn::MulAdd(c, gc, hn::Mul(a, ga)));
          squared = hn::MulAdd(f, f, squared);
        };
        add(g[0].x, g[1].x, g[2].x);
        add(g[0].y, g[1].y, g[2].y);
        add(g[0].z, g[1].z, g[2].z);
      };
      add_row(edge[0].x, edge[1].x, edge[2].x);
      add_row(edge[0].y, edge[1].y, edge[2].y);
      add_row(edge[0].z, edge[1].z, edge[2].z);
      const Real determinant = hn::Mul(volume, dot(g[0], cross(g[1], g[2])));
      const auto sound = hn::Gt(hn::Abs(determinant), hn::Mul(set(0.5 * least_stretch), squared));
      store(hn::IfThenElse(sound, hn::Zero(Tag()), set(1)), flat[b], lane);
      for (std::size_t k = 0; k < 3; ++k) {
        store(hn::Mul(inverse, area[k].x), block.inverse_edges[3 * k], lane);
        store(hn::Mul(inverse, area[k].y), block.inverse_edges[3 * k + 1], lane);
        store(hn::Mul(inverse, area[k].z), block.inverse_edges[3 * k + 2], lane);
      }
    }
}

// HyperelasticStiffness::block of each pair of corners 1 to 3; those of corner 0 are minus the sums.
HWY_ATTR void StiffnessBlocks(std::span<const Block> blocks, const Vec3* x, Stiffness* result) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(Tag())) {
      const Block& block = blocks[b];
      const State s = state_of(block, x, lane);
      const Real volume = load(block.volume, lane);
      const Real shear = hn::Mul(volume, load(block.shear, lane)), lambda = hn::Mul(volume, load(block.lambda, lane));
      const Real pressure = hn::Mul(lambda, s.volume), twice_shear = hn::Mul(set(2), shear);
      Matrix left;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) left.m[3 * i + j] = dot(row(s.f, i), row(s.f, j));
      Vector f[3], c[3], e[3];
      for (std::size_t k = 0; k < 3; ++k) {
        f[k] = times(s.f, s.gradient[k]);
        c[k] = times(s.cofactor, s.gradient[k]);
        e[k] = times(s.strain, s.gradient[k]);
      }
      Stiffness& out = result[b];
      Matrix sums[4];  // of corner 0 with 0, 1, 2, 3
      for (Matrix& sum : sums)
        for (Real& v : sum.m) v = hn::Zero(Tag());
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i; j < 3; ++j) {
          const Real across = hn::Mul(shear, dot(s.gradient[i], s.gradient[j]));
          const Real normal = hn::Mul(twice_shear, dot(s.gradient[i], e[j]));
          const Vector turned = times(s.f, cross(s.gradient[i], s.gradient[j]));
          const Vector w{hn::Mul(pressure, turned.x), hn::Mul(pressure, turned.y), hn::Mul(pressure, turned.z)};
          const Vector cl{hn::Mul(lambda, c[i].x), hn::Mul(lambda, c[i].y), hn::Mul(lambda, c[i].z)};
          const Vector fm{hn::Mul(shear, f[j].x), hn::Mul(shear, f[j].y), hn::Mul(shear, f[j].z)};
          // across F F^T + mu (F b) (F a)^T + lambda (cof F a) (cof F b)^T + normal I - [w]
          const auto entry = [&](std::size_t at, Real fb, Real fa, Real ca, Real cb) HWY_ATTR {
            return hn::MulAdd(across, left.m[at], hn::MulAdd(fb, fa, hn::Mul(ca, cb)));
          };
          Matrix k{{hn::Add(normal, entry(0, fm.x, f[i].x, cl.x, c[j].x)), hn::Add(w.z, entry(1, fm.x, f[i].y, cl.x, c[j].y)),
                    hn::Sub(entry(2, fm.x, f[i].z, cl.x, c[j].z), w.y), hn::Sub(entry(3, fm.y, f[i].x, cl.y, c[j].x), w.z),
                    hn::Add(normal, entry(4, fm.y, f[i].y, cl.y, c[j].y)), hn::Add(w.x, entry(5, fm.y, f[i].z, cl.y, c[j].z)),
                    hn::Add(w.y, entry(6, fm.z, f[i].x, cl.z, c[j].x)), hn::Sub(entry(7, fm.z, f[i].y, cl.z, c[j].y), w.x),
                    hn::Add(normal, entry(8, fm.z, f[i].z, cl.z, c[j].z))}};
          const std::size_t pair = 9 * pair_of[i + 1][j + 1];
          for (std::size_t at = 0; at < 9; ++at) {
            store(k.m[at], out.value[pair + at], lane);
            const Real mirrored = k.m[3 * (at % 3) + at / 3];
            sums[j + 1].m[at] = hn::Add(sums[j + 1].m[at], k.m[at]);
            if (i != j) sums[i + 1].m[at] = hn::Add(sums[i + 1].m[at], mirrored);
            sums[0].m[at] = hn::Add(sums[0].m[at], i == j ? k.m[at] : hn::Add(k.m[at], mirrored));
          }
        }
      for (std::size_t corner = 0; corner < 4; ++corner)
        for (std::size_t at = 0; at < 9; ++at)
          store(corner == 0 ? sums[0].m[at] : hn::Neg(sums[corner].m[at]), out.value[9 * corner + at], lane);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::tetrahedral_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::tetrahedral_kernel {

HWY_EXPORT(Energy);
HWY_EXPORT(RestAt);
HWY_EXPORT(StiffnessBlocks);

void energy(std::span<const Block> blocks, const Vec3* x, std::span<Lanes> energies, Forces* forces) {
  HWY_DYNAMIC_DISPATCH(Energy)(blocks, x, energies, forces);
}

void rest_at(std::span<Block> blocks, std::span<const std::array<Lanes, 9>> own, const Vec3* x, double least_stretch,
             std::span<Lanes> flat) {
  HWY_DYNAMIC_DISPATCH(RestAt)(blocks, own, x, least_stretch, flat);
}

void stiffness(std::span<const Block> blocks, const Vec3* x, Stiffness* result) {
  HWY_DYNAMIC_DISPATCH(StiffnessBlocks)(blocks, x, result);
}

}  // namespace sinew::tetrahedral_kernel
#endif
