#include "sinew/deform/surface/gradient_kernel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/surface/gradient_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "sinew/linalg/rotation.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::gradient_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, block_size>;
using Real = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

HWY_INLINE Real set(double v) { return hn::Set(Tag(), v); }
HWY_INLINE Real zero() { return hn::Zero(Tag()); }

// Vectors, matrices and quaternions in every lane; names and orders are those of linalg/small.h.
struct Vector {
  Real x, y, z;
};
struct Matrix {
  Real m[9];
};
struct Quaternion {
  Real x, y, z, w;
};
// xx, xy, yy, xz, yz, zz.
struct Symmetric {
  Real m[6];
};

HWY_INLINE Vector nothing() { return {zero(), zero(), zero()}; }
HWY_INLINE Vector add(const Vector& a, const Vector& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vector subtract(const Vector& a, const Vector& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Vector scale(Real s, const Vector& a) { return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)}; }
// s a + b
HWY_INLINE Vector add_scaled(Real s, const Vector& a, const Vector& b) {
  return {hn::MulAdd(s, a.x, b.x), hn::MulAdd(s, a.y, b.y), hn::MulAdd(s, a.z, b.z)};
}
// b - s a
HWY_INLINE Vector subtract_scaled(Real s, const Vector& a, const Vector& b) {
  return {hn::NegMulAdd(s, a.x, b.x), hn::NegMulAdd(s, a.y, b.y), hn::NegMulAdd(s, a.z, b.z)};
}
HWY_INLINE Real dot(const Vector& a, const Vector& b) { return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x))); }
HWY_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
HWY_INLINE Vector where(Mask mask, const Vector& yes, const Vector& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
}
HWY_INLINE Real combine(Real a, Real x, Real b, Real y, Real c, Real z) {
  return hn::MulAdd(c, z, hn::MulAdd(b, y, hn::Mul(a, x)));
}
HWY_INLINE Vector times(const Matrix& a, const Vector& v) {
  return {combine(a.m[0], v.x, a.m[1], v.y, a.m[2], v.z), combine(a.m[3], v.x, a.m[4], v.y, a.m[5], v.z),
          combine(a.m[6], v.x, a.m[7], v.y, a.m[8], v.z)};
}
HWY_INLINE Vector transpose_times(const Matrix& a, const Vector& v) {
  return {combine(a.m[0], v.x, a.m[3], v.y, a.m[6], v.z), combine(a.m[1], v.x, a.m[4], v.y, a.m[7], v.z),
          combine(a.m[2], v.x, a.m[5], v.y, a.m[8], v.z)};
}
HWY_INLINE Vector times(const Symmetric& a, const Vector& v) {
  return {combine(a.m[0], v.x, a.m[1], v.y, a.m[3], v.z), combine(a.m[1], v.x, a.m[2], v.y, a.m[4], v.z),
          combine(a.m[3], v.x, a.m[4], v.y, a.m[5], v.z)};
}
HWY_INLINE Matrix to_matrix(const Quaternion& q) {
  const auto one = set(1), two = set(2);
  const auto x = hn::Mul(two, q.x), y = hn::Mul(two, q.y), z = hn::Mul(two, q.z);
  const auto xx = hn::Mul(x, q.x), yy = hn::Mul(y, q.y), zz = hn::Mul(z, q.z);
  const auto xy = hn::Mul(x, q.y), xz = hn::Mul(x, q.z), yz = hn::Mul(y, q.z);
  const auto wx = hn::Mul(x, q.w), wy = hn::Mul(y, q.w), wz = hn::Mul(z, q.w);
  return {{hn::Sub(one, hn::Add(yy, zz)), hn::Sub(xy, wz), hn::Add(xz, wy), hn::Add(xy, wz),
           hn::Sub(one, hn::Add(xx, zz)), hn::Sub(yz, wx), hn::Sub(xz, wy), hn::Add(yz, wx),
           hn::Sub(one, hn::Add(xx, yy))}};
}
// q (w / 2, 1), normalised.
HWY_INLINE Quaternion turned(const Quaternion& q, const Vector& w) {
  const auto half = set(0.5);
  const Vector v = scale(half, w);
  const Quaternion p{hn::Add(q.x, hn::MulAdd(q.w, v.x, hn::NegMulAdd(q.z, v.y, hn::Mul(q.y, v.z)))),
                     hn::Add(q.y, hn::MulAdd(q.w, v.y, hn::NegMulAdd(q.x, v.z, hn::Mul(q.z, v.x)))),
                     hn::Add(q.z, hn::MulAdd(q.w, v.z, hn::NegMulAdd(q.y, v.x, hn::Mul(q.x, v.y)))),
                     hn::NegMulAdd(q.x, v.x, hn::NegMulAdd(q.y, v.y, hn::NegMulAdd(q.z, v.z, q.w)))};
  const auto squared = hn::MulAdd(p.w, p.w, hn::MulAdd(p.z, p.z, hn::MulAdd(p.y, p.y, hn::Mul(p.x, p.x))));
  const auto s = hn::Div(set(1), hn::Sqrt(squared));
  return {hn::Mul(s, p.x), hn::Mul(s, p.y), hn::Mul(s, p.z), hn::Mul(s, p.w)};
}

HWY_INLINE Real load(const double* p) { return hn::LoadU(Tag(), p); }
HWY_INLINE void store(Real v, double* p) { hn::StoreU(v, Tag(), p); }
HWY_INLINE Vector load(const double* p, std::size_t stride) { return {load(p), load(p + stride), load(p + 2 * stride)}; }
HWY_INLINE void store(const Vector& v, double* p, std::size_t stride) {
  store(v.x, p);
  store(v.y, p + stride);
  store(v.z, p + 2 * stride);
}
HWY_INLINE Vector load(const float* p, std::size_t stride) {
  const hn::Rebind<float, Tag> narrow;
  const auto one = [&](std::size_t c) HWY_ATTR { return hn::PromoteTo(Tag(), hn::LoadU(narrow, p + c * stride)); };
  return {one(0), one(1), one(2)};
}

using Index = hn::Vec<hn::RebindToSigned<Tag>>;
HWY_INLINE Index load_index(const int* p) {
  const hn::Rebind<int, Tag> narrow;
  return hn::PromoteTo(hn::RebindToSigned<Tag>(), hn::LoadU(narrow, p));
}
HWY_INLINE Real gather(const double* p, Index i) { return hn::GatherIndex(Tag(), p, i); }
HWY_INLINE Vector gather(const double* p, std::size_t stride, Index i) {
  return {gather(p, i), gather(p + stride, i), gather(p + 2 * stride, i)};
}
HWY_INLINE Matrix gather_matrix(const Mat3* rows, const int* index) {
  const auto i = hn::Mul(load_index(index), hn::Set(hn::RebindToSigned<Tag>(), 9));
  Matrix a;
  for (std::size_t k = 0; k < 9; ++k) a.m[k] = gather(&rows->m[k], i);
  return a;
}

// Sums over the neighbours of a block's vertices.
struct Neighbourhood {
  Matrix edges;                  // A of equation 5, and the frame's pull nu Q
  Vector offset, edge, change;   // whole sums of x_j - x_i, shape_j - shape_i, u_j - u_i
};

HWY_INLINE const double* shape_of(const Blocks& blocks, const Step& at) {
  return blocks.rest_shape ? blocks.rest.data() : at.goal;
}

// nu Q
HWY_INLINE Matrix frame_pull(const Blocks& blocks, const Step& at, std::size_t i) {
  const auto nu = load(&blocks.frame_pull[i]);
  if (!blocks.rest_shape) return {{nu, zero(), zero(), zero(), nu, zero(), zero(), zero(), nu}};
  Matrix a = gather_matrix(at.turns, &blocks.turn[i]);
  for (Real& m : a.m) m = hn::Mul(nu, m);
  return a;
}

HWY_INLINE Neighbourhood sum_neighbours(const Blocks& blocks, const Step& at, std::size_t block, std::size_t lane) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  const double* shape = shape_of(blocks, at);
  const Vector x = load(at.position + i, n), u = load(at.change + i, n), s = load(shape + i, n);
  Neighbourhood sum;
  sum.edges = frame_pull(blocks, at, i);
  sum.offset = sum.edge = sum.change = nothing();
  for (int slot = blocks.first_slot[block]; slot < blocks.first_slot[block + 1]; ++slot) {
    const Index j = load_index(&blocks.neighbour[static_cast<std::size_t>(slot) * block_size + lane]);
    const Vector offset = subtract(gather(at.position, n, j), x), edge = subtract(gather(shape, n, j), s);
    sum.change = add(sum.change, subtract(gather(at.change, n, j), u));
    sum.offset = add(sum.offset, offset);
    sum.edge = add(sum.edge, edge);
    Real* m = sum.edges.m;
    m[0] = hn::MulAdd(offset.x, edge.x, m[0]);
    m[1] = hn::MulAdd(offset.x, edge.y, m[1]);
    m[2] = hn::MulAdd(offset.x, edge.z, m[2]);
    m[3] = hn::MulAdd(offset.y, edge.x, m[3]);
    m[4] = hn::MulAdd(offset.y, edge.y, m[4]);
    m[5] = hn::MulAdd(offset.y, edge.z, m[5]);
    m[6] = hn::MulAdd(offset.z, edge.x, m[6]);
    m[7] = hn::MulAdd(offset.z, edge.y, m[7]);
    m[8] = hn::MulAdd(offset.z, edge.z, m[8]);
  }
  return sum;
}

// (tr(S) I - S)^-1 of S = sym(R^T A), and axial(R^T A).
struct Turning {
  Symmetric inverse;
  Vector axial;
  Mask positive;  // definite, and not by a hair
};

HWY_INLINE Turning turning(const Matrix& a, const Matrix& r) {
  constexpr double least = 1e-9;
  Matrix m;  // R^T A
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      m.m[3 * i + j] = combine(r.m[i], a.m[j], r.m[3 + i], a.m[3 + j], r.m[6 + i], a.m[6 + j]);
  const auto k00 = hn::Add(m.m[4], m.m[8]), k11 = hn::Add(m.m[0], m.m[8]), k22 = hn::Add(m.m[0], m.m[4]);
  const auto half = set(-0.5);
  const auto k01 = hn::Mul(half, hn::Add(m.m[1], m.m[3])), k02 = hn::Mul(half, hn::Add(m.m[2], m.m[6])),
             k12 = hn::Mul(half, hn::Add(m.m[5], m.m[7]));
  const auto c00 = hn::NegMulAdd(k12, k12, hn::Mul(k11, k22)), c01 = hn::NegMulAdd(k01, k22, hn::Mul(k02, k12)),
             c02 = hn::NegMulAdd(k02, k11, hn::Mul(k01, k12)), c11 = hn::NegMulAdd(k02, k02, hn::Mul(k00, k22)),
             c12 = hn::NegMulAdd(k00, k12, hn::Mul(k01, k02)), c22 = hn::NegMulAdd(k01, k01, hn::Mul(k00, k11));
  const auto determinant = combine(k00, c00, k01, c01, k02, c02);
  const auto size = hn::Max(hn::Abs(k00), hn::Max(hn::Abs(k11), hn::Abs(k22)));
  Turning turning;
  turning.positive = hn::And(hn::And(hn::Gt(k00, hn::Mul(set(least), size)), hn::Gt(c22, hn::Mul(set(least), hn::Mul(size, size)))),
                             hn::Gt(determinant, hn::Mul(set(least), hn::Mul(size, hn::Mul(size, size)))));
  const auto s = hn::Div(set(1), hn::IfThenElse(turning.positive, determinant, set(1)));
  turning.inverse = {{hn::Mul(s, c00), hn::Mul(s, c01), hn::Mul(s, c11), hn::Mul(s, c02), hn::Mul(s, c12), hn::Mul(s, c22)}};
  turning.axial = {hn::Sub(m.m[7], m.m[5]), hn::Sub(m.m[2], m.m[6]), hn::Sub(m.m[3], m.m[1])};
  return turning;
}

// closest_rotation() in every lane; lanes where Newton's steps do not settle are left to it.
HWY_NOINLINE void rotations_one_by_one(const Matrix& a, Mask which, Quaternion& q) {
  constexpr std::size_t lanes = hn::MaxLanes(Tag());
  double matrix[9][lanes], rotation[4][lanes], chosen[lanes];
  for (std::size_t k = 0; k < 9; ++k) store(a.m[k], matrix[k]);
  Real* const part[4] = {&q.x, &q.y, &q.z, &q.w};
  for (std::size_t k = 0; k < 4; ++k) store(*part[k], rotation[k]);
  store(hn::IfThenElseZero(which, set(1)), chosen);
  for (std::size_t l = 0; l < hn::Lanes(Tag()); ++l) {
    if (chosen[l] == 0) continue;
    Mat3 m;
    for (std::size_t k = 0; k < 9; ++k) m.m[k] = matrix[k][l];
    const Quat r = closest_rotation(m, Quat{rotation[0][l], rotation[1][l], rotation[2][l], rotation[3][l]});
    rotation[0][l] = r.x, rotation[1][l] = r.y, rotation[2][l] = r.z, rotation[3][l] = r.w;
  }
  for (std::size_t k = 0; k < 4; ++k) *part[k] = load(rotation[k]);
}

HWY_INLINE void find_rotation(const Matrix& a, Quaternion& q) {
  constexpr int most_steps = 8;
  constexpr double settled = 1e-11;  // as in closest_rotation(), whose error after a step is of the order of its cube
  auto open = hn::Eq(zero(), zero());
  for (int k = 0; k < most_steps; ++k) {
    const Turning t = turning(a, to_matrix(q));
    const Vector w = where(t.positive, times(t.inverse, t.axial), nothing());
    q = turned(q, w);
    open = hn::Or(hn::Not(t.positive), hn::Gt(dot(w, w), set(settled)));
    if (hn::AllFalse(Tag(), open)) return;
  }
  rotations_one_by_one(a, open, q);
}

// The pull of alpha and its frame.
struct Restoration {
  Matrix frame;      // Q
  Symmetric stiffness;
  Vector local;      // Q^T (g - x)
};

HWY_INLINE Restoration restoration(const Blocks& blocks, const double* parameters, const Step& at, std::size_t i) {
  const std::size_t n = blocks.stride;
  const Vector pull = subtract(load(at.goal + i, n), load(at.position + i, n));
  Restoration r;
  if (!blocks.in_directions) {
    r.local = pull;
    r.stiffness.m[0] = load(parameters + i);
    return r;
  }
  r.frame = gather_matrix(at.turns, &blocks.turn[i]);
  for (std::size_t k = 0; k < 6; ++k) r.stiffness.m[k] = load(parameters + k * n + i);
  r.local = transpose_times(r.frame, pull);
  return r;
}
HWY_INLINE Vector restored(const Blocks& blocks, const Restoration& r, const Vector& local) {
  return blocks.in_directions ? times(r.frame, times(r.stiffness, local)) : scale(r.stiffness.m[0], local);
}
HWY_INLINE Vector to_local(const Blocks& blocks, const Restoration& r, const Vector& v) {
  return blocks.in_directions ? transpose_times(r.frame, v) : v;
}

// A spoke of each vertex: d_s, its length, the one that it keeps.
struct Spoke {
  Vector from_bone, axis;
  Real inverse_squared_length, length, kept, weight;
  Mask sliding, has_direction;
};

HWY_INLINE Vector from_segment(const Vector& head, const Vector& axis, Real inverse, const Vector& point, Mask* sliding) {
  const Vector from_head = subtract(point, head);
  const auto s = hn::Mul(dot(from_head, axis), inverse);
  if (sliding) *sliding = hn::And(hn::Gt(s, zero()), hn::Lt(s, set(1)));
  return subtract_scaled(hn::Min(hn::Max(s, zero()), set(1)), axis, from_head);
}

HWY_INLINE Spoke spoke_at(const Blocks& blocks, const Step& at, std::size_t slot, const Vector& x, const Vector& goal) {
  const auto row = hn::ShiftLeft<3>(load_index(&blocks.spoke_segment[slot]));
  const auto* base = reinterpret_cast<const double*>(at.segments);
  const Vector head = gather(base, 1, row), axis = gather(base + 4, 1, row);
  Spoke spoke;
  spoke.axis = axis;
  spoke.inverse_squared_length = gather(base + 3, row);
  spoke.from_bone = from_segment(head, axis, spoke.inverse_squared_length, x, &spoke.sliding);
  const auto shortest = set(blocks.shortest_spoke), length = hn::Sqrt(dot(spoke.from_bone, spoke.from_bone));
  spoke.has_direction = hn::Gt(length, shortest);
  spoke.length = hn::Max(length, shortest);
  if (blocks.rest_shape) {
    spoke.kept = hn::Mul(load(&blocks.spoke_length[slot]), gather(base + 7, row));
  } else {
    const Vector d = from_segment(head, axis, spoke.inverse_squared_length, goal, nullptr);
    spoke.kept = hn::Sqrt(dot(d, d));
  }
  spoke.weight = load(&blocks.spoke_weight[slot]);
  return spoke;
}

template <class Each>
HWY_INLINE void for_each_spoke(const Blocks& blocks, const Step& at, std::size_t block, std::size_t lane, const Each& each) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  const Vector x = load(at.position + i, n), goal = load(at.goal + i, n);
  for (int k = blocks.first_spoke[block]; k < blocks.first_spoke[block + 1]; ++k)
    each(spoke_at(blocks, at, static_cast<std::size_t>(k) * block_size + lane, x, goal));
}

// w (l / |d| - 1) d (8)
HWY_INLINE Vector spoke_term(const Spoke& s) {
  return scale(hn::Mul(s.weight, hn::Sub(hn::Div(s.kept, s.length), set(1))), s.from_bone);
}

// The derivative of a spoke's term by the position of its vertex (symmetric), times f.
HWY_INLINE Vector spoke_derivative(const Spoke& s, const Vector& f) {
  const auto along = hn::IfThenElseZero(s.sliding, hn::Mul(dot(s.axis, f), s.inverse_squared_length));
  const Vector p = subtract_scaled(along, s.axis, f);
  const auto outward = hn::IfThenElseZero(s.has_direction,
                                          hn::Div(dot(s.from_bone, f), hn::Mul(s.length, s.length)));
  const Vector across = subtract_scaled(outward, s.from_bone, p);
  return scale(s.weight, add_scaled(hn::Div(s.kept, s.length), across, subtract(nothing(), p)));
}

// What a step is off by: x' - p and u' - (p - p_before).
struct Residual {
  Vector position, change;
  Real weight;
};

HWY_INLINE Residual residual(const Blocks& blocks, const Step& at, std::size_t i, const Vector& position, const Vector& change) {
  const std::size_t n = blocks.stride;
  const Vector target = add(load(at.next_goal + i, n), load(at.next_offset + i, n));
  Residual r;
  r.position = subtract(position, target);
  r.change = nothing();
  if (at.velocity_share > 0)
    r.change = subtract(change, subtract(subtract(target, load(at.goal + i, n)), load(at.offset + i, n)));
  const hn::Rebind<float, Tag> narrow;
  r.weight = hn::PromoteTo(Tag(), hn::LoadU(narrow, at.weight + i));
  return r;
}

HWY_INLINE void step_lanes(const Blocks& blocks, const double* parameters, const Step& at, std::size_t block,
                           std::size_t lane, double* error) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  const auto parameter = [&](std::size_t k) HWY_ATTR { return load(parameters + k * n + i); };
  const Vector x = load(at.position + i, n), u = load(at.change + i, n);
  const Vector goal = load(at.goal + i, n), next_goal = load(at.next_goal + i, n);
  const auto share = load(&blocks.share[i]);

  const Neighbourhood around = sum_neighbours(blocks, at, block, lane);
  Quaternion q{load(at.rotation + i), load(at.rotation + n + i), load(at.rotation + 2 * n + i), load(at.rotation + 3 * n + i)};
  find_rotation(around.edges, q);

  const Restoration r = restoration(blocks, parameters, at, i);
  Vector change = add(u, restored(blocks, r, r.local));                                               // (4)
  const Vector shaped = subtract(around.offset, times(to_matrix(q), around.edge));
  change = add_scaled(hn::Mul(parameter(6), share), shaped, change);                                  // (6), (7)
  Vector spokes = nothing();
  for_each_spoke(blocks, at, block, lane, [&](const Spoke& s) HWY_ATTR { spokes = add(spokes, spoke_term(s)); });
  change = add_scaled(parameter(7), spokes, change);                                                  // (8)
  change = add_scaled(hn::Mul(parameter(8), share), around.change, change);                           // (9)
  change = add_scaled(parameter(9), subtract(subtract(next_goal, goal), u), change);
  Vector position = add(x, change);                                                                   // (10), (11)
  const Vector away = subtract(position, next_goal);
  const auto squared = dot(away, away);
  const auto beyond = hn::Gt(squared, set(blocks.reach * blocks.reach));
  if (!hn::AllFalse(Tag(), beyond)) {
    position = where(beyond, add_scaled(hn::Div(set(blocks.reach), hn::Sqrt(squared)), away, next_goal), position);
    change = where(beyond, subtract(next_goal, goal), change);
  }
  store(position, at.next_position + i, n);
  store(change, at.next_change + i, n);
  const Real parts[4] = {q.x, q.y, q.z, q.w};
  for (std::size_t k = 0; k < 4; ++k) {
    store(parts[k], at.rotation + k * n + i);
    store(parts[k], at.next_rotation + k * n + i);
  }
  const Residual off = residual(blocks, at, i, position, change);
  const auto sum = hn::MulAdd(set(at.velocity_share), dot(off.change, off.change), dot(off.position, off.position));
  store(hn::MulAdd(off.weight, sum, load(error + i)), error + i);
}

// dE/dx and dE/du of t + h as far as later steps know them.
struct Demand {
  Vector position, change;
};

HWY_INLINE Demand gather_messages(const Blocks& blocks, const double* messages, const double* shape, std::size_t block,
                                  std::size_t lane) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  Demand demand{load(messages + i, n), load(messages + 3 * n + i, n)};
  Matrix turns;
  for (Real& m : turns.m) m = zero();
  for (int slot = blocks.first_slot[block]; slot < blocks.first_slot[block + 1]; ++slot) {
    const Index j = load_index(&blocks.listener[static_cast<std::size_t>(slot) * block_size + lane]);
    demand.position = add(demand.position, gather(messages + 6 * n, n, j));
    for (std::size_t k = 0; k < 9; ++k) turns.m[k] = hn::Add(turns.m[k], gather(messages + (9 + k) * n, j));
    demand.change = add(demand.change, gather(messages + 18 * n, n, j));
  }
  demand.position = subtract(demand.position, times(turns, load(shape + i, n)));
  return demand;
}

HWY_INLINE void accumulate(Real v, double* to) { store(hn::Add(load(to), v), to); }

HWY_INLINE void step_back_lanes(const Blocks& blocks, const double* parameters, const Step& at, const double* after,
                                double* before, std::size_t block, std::size_t lane, double* gradient) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  const auto parameter = [&](std::size_t k) HWY_ATTR { return load(parameters + k * n + i); };
  const Vector u = load(at.change + i, n), goal = load(at.goal + i, n), next_goal = load(at.next_goal + i, n);
  const Vector next_position = load(at.next_position + i, n);
  const auto share = load(&blocks.share[i]);
  const double* next_shape = blocks.rest_shape ? blocks.rest.data() : at.next_goal;

  Demand demand{nothing(), nothing()};
  if (after) demand = gather_messages(blocks, after, next_shape, block, lane);
  const Residual off = residual(blocks, at, i, next_position, load(at.next_change + i, n));
  const auto twice = hn::Add(off.weight, off.weight);
  demand.position = add_scaled(twice, off.position, demand.position);
  demand.change = add_scaled(hn::Mul(twice, set(at.velocity_share)), off.change, demand.change);
  // x' = x + u', u' = u + sum_k p_k T_k. Nothing passes where the reach holds the vertex.
  const Vector away = subtract(next_position, next_goal);
  const double held = blocks.reach * (1 - 1e-9);
  const auto free = hn::Le(dot(away, away), set(held * held));
  const Vector force = where(free, add(demand.position, demand.change), nothing());
  Vector position = where(free, demand.position, nothing());

  // L = mean(x_j) - x_i - R m: R turns with A by w = K^-1 axial(R^T dA), and -pull . (R [w] m) = -w . (m x R^T pull).
  const Neighbourhood around = sum_neighbours(blocks, at, block, lane);
  const Quaternion q{load(at.rotation + i), load(at.rotation + n + i), load(at.rotation + 2 * n + i),
                     load(at.rotation + 3 * n + i)};
  const Matrix r = to_matrix(q);
  const Turning turn = turning(around.edges, r);
  const auto beta_share = hn::Mul(parameter(6), share);
  const Vector pull = scale(beta_share, force);  // to each neighbour; `share` of it
  const Vector y = where(turn.positive, times(turn.inverse, cross(around.edge, transpose_times(r, pull))), nothing());
  // B = R [y]
  const Vector row[3] = {cross({r.m[0], r.m[1], r.m[2]}, y), cross({r.m[3], r.m[4], r.m[5]}, y), cross({r.m[6], r.m[7], r.m[8]}, y)};
  const Matrix b = {{row[0].x, row[0].y, row[0].z, row[1].x, row[1].y, row[1].z, row[2].x, row[2].y, row[2].z}};

  // Gradients of the parameters.
  const Restoration restoring = restoration(blocks, parameters, at, i);
  const Vector local_force = to_local(blocks, restoring, force), &local = restoring.local;
  if (blocks.in_directions) {
    const auto half = set(0.5);
    const auto mean = [&](Real a, Real c, Real e, Real f) HWY_ATTR { return hn::Mul(half, hn::MulAdd(a, c, hn::Mul(e, f))); };
    accumulate(hn::Mul(local_force.x, local.x), gradient + i);
    accumulate(mean(local_force.x, local.y, local_force.y, local.x), gradient + n + i);
    accumulate(hn::Mul(local_force.y, local.y), gradient + 2 * n + i);
    accumulate(mean(local_force.x, local.z, local_force.z, local.x), gradient + 3 * n + i);
    accumulate(mean(local_force.y, local.z, local_force.z, local.y), gradient + 4 * n + i);
    accumulate(hn::Mul(local_force.z, local.z), gradient + 5 * n + i);
  } else {
    accumulate(dot(force, local), gradient + i);
  }
  const Vector shaped = scale(share, subtract(around.offset, times(r, around.edge)));
  accumulate(dot(force, shaped), gradient + 6 * n + i);
  Vector spokes = nothing(), spoke_demand = nothing();
  for_each_spoke(blocks, at, block, lane, [&](const Spoke& s) HWY_ATTR {
    spokes = add(spokes, spoke_term(s));
    spoke_demand = add(spoke_demand, spoke_derivative(s, force));
  });
  accumulate(dot(force, spokes), gradient + 7 * n + i);
  accumulate(hn::Mul(share, dot(force, around.change)), gradient + 8 * n + i);
  accumulate(dot(force, subtract(subtract(next_goal, goal), u)), gradient + 9 * n + i);

  // The adjoint goes back a step: derivatives by the position that this step began at.
  const auto heard = hn::IfThenElseZero(hn::Gt(share, zero()), set(1));
  position = subtract(position, restored(blocks, restoring, local_force));
  position = subtract_scaled(hn::Mul(heard, parameter(6)), force, position);
  position = add_scaled(parameter(7), spoke_demand, position);
  position = add(position, times(b, around.edge));
  const auto kept = hn::NegMulAdd(heard, parameter(8), hn::Sub(set(1), parameter(9)));
  store(position, before + i, n);
  store(scale(kept, force), before + 3 * n + i, n);
  const Vector s = load(shape_of(blocks, at) + i, n);
  store(add(times(b, s), pull), before + 6 * n + i, n);
  for (std::size_t k = 0; k < 9; ++k) store(b.m[k], before + (9 + k) * n + i);
  store(scale(hn::Mul(parameter(8), share), force), before + 18 * n + i, n);
}

void step_all(const Blocks& blocks, const double* parameters, const Step& at, std::size_t begin, std::size_t end, double* error) {
  for (std::size_t block = begin; block < end; ++block)
    for (std::size_t lane = 0; lane < block_size; lane += hn::Lanes(Tag()))
      step_lanes(blocks, parameters, at, block, lane, error);
}

void step_back_all(const Blocks& blocks, const double* parameters, const Step& at, const double* after, double* before,
                   std::size_t begin, std::size_t end, double* gradient) {
  for (std::size_t block = begin; block < end; ++block)
    for (std::size_t lane = 0; lane < block_size; lane += hn::Lanes(Tag()))
      step_back_lanes(blocks, parameters, at, after, before, block, lane, gradient);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::gradient_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::gradient_kernel {

HWY_EXPORT(step_all);
HWY_EXPORT(step_back_all);

void step(const Blocks& blocks, const double* parameters, const Step& at, std::size_t begin, std::size_t end, double* error) {
  HWY_DYNAMIC_DISPATCH(step_all)(blocks, parameters, at, begin, end, error);
}

void step_back(const Blocks& blocks, const double* parameters, const Step& at, const double* after, double* before,
               std::size_t begin, std::size_t end, double* gradient) {
  HWY_DYNAMIC_DISPATCH(step_back_all)(blocks, parameters, at, after, before, begin, end, gradient);
}

}  // namespace sinew::gradient_kernel
#endif
