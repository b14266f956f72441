#include "sinew/deform/rig_space/tetrahedral_kernel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/rig_space/tetrahedral_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::tetrahedral_kernel {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;

using Real = Pack<double, tetrahedral_kernel::lanes>;
using Vector = Vector3<Real>;
using Matrix = Matrix3<Real>;

HWY_INLINE Real load(const Lanes& from, std::size_t lane) { return Real::load(from.data() + lane); }
HWY_INLINE void store(Real v, Lanes& to, std::size_t lane) { v.store(to.data() + lane); }
// Three numbers of a row.
HWY_INLINE Vector load(const std::array<Lanes, 9>& from, std::size_t row, std::size_t lane) {
  return {load(from[3 * row], lane), load(from[3 * row + 1], lane), load(from[3 * row + 2], lane)};
}
HWY_INLINE void store(const Vector& v, std::array<Lanes, 9>& to, std::size_t row, std::size_t lane) {
  store(v.x, to[3 * row], lane);
  store(v.y, to[3 * row + 1], lane);
  store(v.z, to[3 * row + 2], lane);
}

HWY_INLINE Vector position(const Vec3* x, const std::array<int, tetrahedral_kernel::lanes>& vertex, std::size_t lane) {
  const auto i = load_indices<Real>(vertex.data() + lane, 3);
  return {gather<Real>(&x->x, i), gather<Real>(&x->y, i), gather<Real>(&x->z, i)};
}

// Edges of corners 1 to 3 from corner 0.
struct Edges {
  Vector edge[3];
};
HWY_INLINE Edges edges_of(const Block& block, const Vec3* x, std::size_t lane) {
  const Vector origin = position(x, block.vertex[0], lane);
  return {{position(x, block.vertex[1], lane) - origin, position(x, block.vertex[2], lane) - origin,
           position(x, block.vertex[3], lane) - origin}};
}

// Edges as columns times the three rows g.
HWY_INLINE Matrix times_rows(const Vector (&edge)[3], const Vector (&g)[3]) {
  const auto row = [&](Real a, Real b, Real c) HWY_ATTR -> Vector {
    return {combine(a, g[0].x, b, g[1].x, c, g[2].x), combine(a, g[0].y, b, g[1].y, c, g[2].y),
            combine(a, g[0].z, b, g[1].z, c, g[2].z)};
  };
  return from_rows(row(edge[0].x, edge[1].x, edge[2].x), row(edge[0].y, edge[1].y, edge[2].y),
                   row(edge[0].z, edge[1].z, edge[2].z));
}

HWY_INLINE Real squared_norm(const Matrix& a) {
  Real squared = Real::zero();
  for (const Real& e : a.m) squared = mul_add(e, e, squared);
  return squared;
}

// Quantities of a block's lanes at positions x.
struct State {
  Matrix f;            // deformation gradient F = edges times inverse edges
  Matrix strain;       // Green's, from D = F - I: (D + D^T + D^T D) / 2
  Real volume;         // det F - 1, from D
  Matrix cofactor;     // of F
  Vector gradient[3];  // of the shape functions of corners 1 to 3
};

HWY_INLINE State state_of(const Block& block, const Vec3* x, std::size_t lane) {
  State s;
  const Edges edges = edges_of(block, x, lane);
  for (std::size_t k = 0; k < 3; ++k) s.gradient[k] = load(block.inverse_edges, k, lane);
  s.f = times_rows(edges.edge, s.gradient);
  Matrix d = s.f;
  for (std::size_t k = 0; k < 9; k += 4) d.m[k] = d.m[k] - Real(1);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      s.strain.m[3 * i + j] = Real(0.5) * (d.m[3 * i + j] + d.m[3 * j + i] + dot(column(d, i), column(d, j)));
  const auto minor = [&](std::size_t a, std::size_t b)
                         HWY_ATTR { return neg_mul_add(d.m[3 * a + b], d.m[3 * b + a], d.m[4 * a] * d.m[4 * b]); };
  const Real trace = d.m[0] + (d.m[4] + d.m[8]);
  const Real minors = minor(0, 1) + (minor(1, 2) + minor(0, 2));
  s.volume = trace + minors + dot(row(d, 0), cross(row(d, 1), row(d, 2)));
  s.cofactor =
      from_rows(cross(row(s.f, 1), row(s.f, 2)), cross(row(s.f, 2), row(s.f, 0)), cross(row(s.f, 0), row(s.f, 1)));
  return s;
}

// psi = mu |E|^2 + lambda/2 (J - 1)^2,  P = 2 mu F E + lambda (J - 1) cof F.
HWY_ATTR void Energy(std::span<const Block> blocks, const Vec3* x, std::span<Lanes> energies, Forces* forces) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t lane = 0; lane < tetrahedral_kernel::lanes; lane += Real::lanes) {
      const Block& block = blocks[b];
      const State s = state_of(block, x, lane);
      const Real volume = load(block.volume, lane), shear = load(block.shear, lane), lambda = load(block.lambda, lane);
      const Real pressure = lambda * s.volume;
      store(volume * mul_add(shear, squared_norm(s.strain), Real(0.5) * (pressure * s.volume)), energies[b], lane);
      if (!forces) continue;
      const Real twice_shear = Real(2) * shear;
      for (std::size_t k = 0; k < 3; ++k) {
        // P g = 2 mu F (E g) + p cof F g
        const Vector fe = times(s.f, times(s.strain, s.gradient[k])), c = times(s.cofactor, s.gradient[k]);
        store(volume * mul_add(twice_shear, fe, pressure * c), forces[b].value, k, lane);
      }
    }
}

HWY_ATTR void RestAt(std::span<Block> blocks, std::span<const std::array<Lanes, 9>> own, const Vec3* x,
                     double least_stretch, std::span<Lanes> flat) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t lane = 0; lane < tetrahedral_kernel::lanes; lane += Real::lanes) {
      Block& block = blocks[b];
      const Edges edges = edges_of(block, x, lane);
      const Vector(&edge)[3] = edges.edge;
      // Rows of the inverse: the areas opposite each corner over the volume.
      const Vector area[3] = {cross(edge[1], edge[2]), cross(edge[2], edge[0]), cross(edge[0], edge[1])};
      const Real volume = dot(edge[0], area[0]), inverse = Real(1) / volume;
      // |F|^2 and det F = det edges det own of F = edges own.
      const Vector g[3] = {load(own[b], 0, lane), load(own[b], 1, lane), load(own[b], 2, lane)};
      const Real squared = squared_norm(times_rows(edge, g));
      const Real determinant = volume * dot(g[0], cross(g[1], g[2]));
      const auto sound = absolute(determinant) > Real(0.5 * least_stretch) * squared;
      store(select(sound, Real::zero(), Real(1)), flat[b], lane);
      for (std::size_t k = 0; k < 3; ++k) store(inverse * area[k], block.inverse_edges, k, lane);
    }
}

// HyperelasticStiffness::block of each pair of corners 1 to 3; those of corner 0 are minus the sums.
HWY_ATTR void StiffnessBlocks(std::span<const Block> blocks, const Vec3* x, Stiffness* result) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t lane = 0; lane < tetrahedral_kernel::lanes; lane += Real::lanes) {
      const Block& block = blocks[b];
      const State s = state_of(block, x, lane);
      const Real volume = load(block.volume, lane);
      const Real shear = volume * load(block.shear, lane), lambda = volume * load(block.lambda, lane);
      const Real pressure = lambda * s.volume, twice_shear = Real(2) * shear;
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
        for (Real& v : sum.m) v = Real::zero();
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i; j < 3; ++j) {
          const Real across = shear * dot(s.gradient[i], s.gradient[j]);
          const Real normal = twice_shear * dot(s.gradient[i], e[j]);
          const Vector w = pressure * times(s.f, cross(s.gradient[i], s.gradient[j]));
          const Vector cl = lambda * c[i], fm = shear * f[j];
          // across F F^T + mu (F b) (F a)^T + lambda (cof F a) (cof F b)^T + normal I - [w]
          const auto entry = [&](std::size_t at, Real fb, Real fa, Real ca, Real cb)
                                 HWY_ATTR { return mul_add(across, left.m[at], mul_add(fb, fa, ca * cb)); };
          const Matrix k{{normal + entry(0, fm.x, f[i].x, cl.x, c[j].x), w.z + entry(1, fm.x, f[i].y, cl.x, c[j].y),
                          entry(2, fm.x, f[i].z, cl.x, c[j].z) - w.y, entry(3, fm.y, f[i].x, cl.y, c[j].x) - w.z,
                          normal + entry(4, fm.y, f[i].y, cl.y, c[j].y), w.x + entry(5, fm.y, f[i].z, cl.y, c[j].z),
                          w.y + entry(6, fm.z, f[i].x, cl.z, c[j].x), entry(7, fm.z, f[i].y, cl.z, c[j].y) - w.x,
                          normal + entry(8, fm.z, f[i].z, cl.z, c[j].z)}};
          const std::size_t pair = 9 * pair_of[i + 1][j + 1];
          for (std::size_t at = 0; at < 9; ++at) {
            store(k.m[at], out.value[pair + at], lane);
            const Real mirrored = k.m[3 * (at % 3) + at / 3];
            sums[j + 1].m[at] = sums[j + 1].m[at] + k.m[at];
            if (i != j) sums[i + 1].m[at] = sums[i + 1].m[at] + mirrored;
            sums[0].m[at] = sums[0].m[at] + (i == j ? k.m[at] : k.m[at] + mirrored);
          }
        }
      for (std::size_t corner = 0; corner < 4; ++corner)
        for (std::size_t at = 0; at < 9; ++at)
          store(corner == 0 ? sums[0].m[at] : -sums[corner].m[at], out.value[9 * corner + at], lane);
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
