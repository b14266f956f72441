#include "sinew/deform/surface/fit/gradient_kernel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/surface/fit/gradient_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/deform/surface/step_equations.h"
#include "sinew/linalg/rotation.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::gradient_kernel {
namespace HWY_NAMESPACE {

using namespace sinew::step_equations::HWY_NAMESPACE;

using Real = Pack<double, block_size>;
using Mask = Real::Mask;
using Vector = Vector3<Real>;
using Matrix = Matrix3<Real>;
using Symmetric = Symmetric3<Real>;
using Rotation = Quaternion<Real>;
using Index = Indices<Real>;
using Spoke = PosedSpoke<Real>;

HWY_INLINE Vector nothing() { return {Real::zero(), Real::zero(), Real::zero()}; }

HWY_INLINE Real load(const double* p) { return Real::load(p); }
HWY_INLINE Vector load(const double* p, std::size_t stride) {
  return {load(p), load(p + stride), load(p + 2 * stride)};
}
HWY_INLINE Vector load(const float* p, std::size_t stride) {
  return {load_floats<Real>(p), load_floats<Real>(p + stride), load_floats<Real>(p + 2 * stride)};
}
HWY_INLINE void store(Real v, double* p) { v.store(p); }
HWY_INLINE void store(const Vector& v, double* p, std::size_t stride) {
  store(v.x, p);
  store(v.y, p + stride);
  store(v.z, p + 2 * stride);
}
HWY_INLINE Rotation load_rotation(const double* p, std::size_t stride) {
  return {load(p), load(p + stride), load(p + 2 * stride), load(p + 3 * stride)};
}

HWY_INLINE Real gather_one(const double* p, Index i) { return gather<Real>(p, i); }
HWY_INLINE Vector gather_vector(const double* p, std::size_t stride, Index i) {
  return {gather_one(p, i), gather_one(p + stride, i), gather_one(p + 2 * stride, i)};
}
HWY_INLINE Matrix gather_matrix(const Mat3* rows, const int* index) {
  const Index i = load_indices<Real>(index, 9);
  Matrix a;
  for (std::size_t k = 0; k < 9; ++k) a.m[k] = gather_one(&rows->m[k], i);
  return a;
}

HWY_INLINE const double* shape_of(const Blocks& blocks, const Step& at) {
  return blocks.rest_shape ? blocks.rest.data() : at.goal;
}

// nu Q
HWY_INLINE Matrix frame_pull(const Blocks& blocks, const Step& at, std::size_t i) {
  const auto nu = load(&blocks.frame_pull[i]);
  const Real zero = Real::zero();
  if (!blocks.rest_shape) return {{nu, zero, zero, zero, nu, zero, zero, zero, nu}};
  Matrix a = gather_matrix(at.turns, &blocks.turn[i]);
  for (Real& m : a.m) m = nu * m;
  return a;
}

HWY_INLINE Neighbourhood<Real> sum_neighbours(const Blocks& blocks, const Step& at, std::size_t block,
                                              std::size_t lane) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  const double* shape = shape_of(blocks, at);
  const Vector x = load(at.position + i, n), u = load(at.change + i, n), s = load(shape + i, n);
  Neighbourhood<Real> sum = without_neighbours(frame_pull(blocks, at, i));
  for (int slot = blocks.first_slot[block]; slot < blocks.first_slot[block + 1]; ++slot) {
    const Index j = load_indices<Real>(&blocks.neighbour[static_cast<std::size_t>(slot) * block_size + lane]);
    add_neighbour(gather_vector(at.position, n, j) - x, gather_vector(shape, n, j) - s,
                  gather_vector(at.change, n, j) - u, sum);
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
  const auto k00 = m.m[4] + m.m[8], k11 = m.m[0] + m.m[8], k22 = m.m[0] + m.m[4];
  const auto half = Real(-0.5);
  const auto k01 = half * (m.m[1] + m.m[3]), k02 = half * (m.m[2] + m.m[6]), k12 = half * (m.m[5] + m.m[7]);
  const auto c00 = neg_mul_add(k12, k12, k11 * k22), c01 = neg_mul_add(k01, k22, k02 * k12),
             c02 = neg_mul_add(k02, k11, k01 * k12), c11 = neg_mul_add(k02, k02, k00 * k22),
             c12 = neg_mul_add(k00, k12, k01 * k02), c22 = neg_mul_add(k01, k01, k00 * k11);
  const auto determinant = combine(k00, c00, k01, c01, k02, c02);
  const auto size = larger(absolute(k00), larger(absolute(k11), absolute(k22)));
  Turning turning;
  turning.positive = (k00 > Real(least) * size) & (c22 > Real(least) * (size * size)) &
                     (determinant > Real(least) * (size * (size * size)));
  const auto s = Real(1) / select(turning.positive, determinant, Real(1));
  turning.inverse = {{s * c00, s * c01, s * c11, s * c02, s * c12, s * c22}};
  turning.axial = {m.m[7] - m.m[5], m.m[2] - m.m[6], m.m[3] - m.m[1]};
  return turning;
}

// closest_rotation() in every lane; lanes where Newton's steps do not settle are left to it.
HWY_NOINLINE void rotations_one_by_one(const Matrix& a, Mask which, Rotation& q) {
  double matrix[9][Real::lanes], rotation[4][Real::lanes], chosen[Real::lanes];
  for (std::size_t k = 0; k < 9; ++k) store(a.m[k], matrix[k]);
  Real* const part[4] = {&q.x, &q.y, &q.z, &q.w};
  for (std::size_t k = 0; k < 4; ++k) store(*part[k], rotation[k]);
  store(select_or_zero(which, Real(1)), chosen);
  for (std::size_t l = 0; l < Real::lanes; ++l) {
    if (chosen[l] == 0) continue;
    Mat3 m;
    for (std::size_t k = 0; k < 9; ++k) m.m[k] = matrix[k][l];
    const Quat r = closest_rotation(m, Quat{rotation[0][l], rotation[1][l], rotation[2][l], rotation[3][l]});
    rotation[0][l] = r.x, rotation[1][l] = r.y, rotation[2][l] = r.z, rotation[3][l] = r.w;
  }
  for (std::size_t k = 0; k < 4; ++k) *part[k] = load(rotation[k]);
}

HWY_INLINE void find_rotation(const Matrix& a, Rotation& q) {
  constexpr int most_steps = 8;
  constexpr double settled = 1e-11;  // as in closest_rotation(), whose error after a step is of the order of its cube
  Mask open = Real::zero() <= Real::zero();  // all
  for (int k = 0; k < most_steps; ++k) {
    const Turning t = turning(a, to_matrix(q));
    const Vector w = select(t.positive, times(t.inverse, t.axial), nothing());
    q = rotated(q, w);
    open = (!t.positive) | (dot(w, w) > Real(settled));
    if (none(open, Real())) return;
  }
  rotations_one_by_one(a, open, q);
}

// The pull of alpha and its frame.
struct Restoration {
  Matrix frame;  // Q
  Symmetric stiffness;
  Vector local;  // Q^T (g - x)
};

HWY_INLINE Restoration restoration(const Blocks& blocks, const double* parameters, const Step& at, std::size_t i) {
  const std::size_t n = blocks.stride;
  const Vector pull = load(at.goal + i, n) - load(at.position + i, n);
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
HWY_INLINE Vector pull_of(const Blocks& blocks, const Restoration& r, const Vector& local) {
  return blocks.in_directions ? restored(r.frame, r.stiffness, local) : r.stiffness.m[0] * local;
}
HWY_INLINE Vector to_local(const Blocks& blocks, const Restoration& r, const Vector& v) {
  return blocks.in_directions ? transpose_times(r.frame, v) : v;
}

HWY_INLINE Spoke spoke_at(const Blocks& blocks, const Step& at, std::size_t slot, const Vector& x, const Vector& goal) {
  const auto row = hn::ShiftLeft<3>(load_indices<Real>(&blocks.spoke_segment[slot]));
  const auto* base = reinterpret_cast<const double*>(at.segments);
  const PosedSegment<Real> segment{gather_vector(base, 1, row), gather_vector(base + 4, 1, row),
                                   gather_one(base + 3, row)};
  Real kept;
  if (blocks.rest_shape) {
    kept = load(&blocks.spoke_length[slot]) * gather_one(base + 7, row);
  } else {
    const Vector d = from_segment(segment, goal).d;
    kept = square_root(dot(d, d));
  }
  return posed_spoke(segment, x, Real(blocks.shortest_spoke), kept, load(&blocks.spoke_weight[slot]));
}

template <class Each>
HWY_INLINE void for_each_spoke(const Blocks& blocks, const Step& at, std::size_t block, std::size_t lane,
                               const Each& each) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  const Vector x = load(at.position + i, n), goal = load(at.goal + i, n);
  for (int k = blocks.first_spoke[block]; k < blocks.first_spoke[block + 1]; ++k)
    each(spoke_at(blocks, at, static_cast<std::size_t>(k) * block_size + lane, x, goal));
}

// Residuals of a step: displayed x' - g' minus the example's offset, and u' - (p - p_before).
struct Residual {
  Vector away;  // x' - g'
  Vector position, change;
  Real weight, range;
};

HWY_INLINE Residual residual(const Blocks& blocks, const Step& at, std::size_t i, const Vector& position,
                             const Vector& change) {
  const std::size_t n = blocks.stride;
  const Vector next_goal = load(at.next_goal + i, n), next_offset = load(at.next_offset + i, n);
  Residual r;
  r.away = position - next_goal;
  r.range = load(&blocks.range[i]);
  r.position = shown(r.away, r.range) - next_offset;
  r.change = nothing();
  if (at.velocity_share > 0)
    r.change = change - (next_goal + next_offset - load(at.goal + i, n) - load(at.offset + i, n));
  r.weight = load_floats<Real>(at.weight + i);
  return r;
}

HWY_INLINE void step_lanes(const Blocks& blocks, const double* parameters, const Step& at, std::size_t block,
                           std::size_t lane, double* error) {
  const std::size_t i = block * block_size + lane, n = blocks.stride;
  const auto parameter = [&](std::size_t k) HWY_ATTR { return load(parameters + k * n + i); };
  const Vector x = load(at.position + i, n), u = load(at.change + i, n);
  const Vector goal = load(at.goal + i, n), next_goal = load(at.next_goal + i, n);
  const auto share = load(&blocks.share[i]);

  const Neighbourhood<Real> around = sum_neighbours(blocks, at, block, lane);
  Rotation q = load_rotation(at.rotation + i, n);
  find_rotation(around.edges, q);

  const Restoration r = restoration(blocks, parameters, at, i);
  Vector spokes = nothing();
  for_each_spoke(blocks, at, block, lane, [&](const Spoke& s) HWY_ATTR { spokes = spokes + spoke_term(s); });
  const Terms<Real> terms = terms_of(around, share, to_matrix(q), spokes, u, goal, next_goal);
  const auto [position, change] = within_reach(
      Real(blocks.reach), goal, next_goal,
      stepped(x, u, pull_of(blocks, r, r.local), terms, parameter(6), parameter(7), parameter(8), parameter(9)));
  store(position, at.next_position + i, n);
  store(change, at.next_change + i, n);
  const Real parts[4] = {q.x, q.y, q.z, q.w};
  for (std::size_t k = 0; k < 4; ++k) {
    store(parts[k], at.rotation + k * n + i);
    store(parts[k], at.next_rotation + k * n + i);
  }
  const Residual off = residual(blocks, at, i, position, change);
  const auto sum = mul_add(Real(at.velocity_share), dot(off.change, off.change), dot(off.position, off.position));
  store(mul_add(off.weight, sum, load(error + i)), error + i);
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
  for (Real& m : turns.m) m = Real::zero();
  for (int slot = blocks.first_slot[block]; slot < blocks.first_slot[block + 1]; ++slot) {
    const Index j = load_indices<Real>(&blocks.listener[static_cast<std::size_t>(slot) * block_size + lane]);
    demand.position = demand.position + gather_vector(messages + 6 * n, n, j);
    for (std::size_t k = 0; k < 9; ++k) turns.m[k] = turns.m[k] + gather_one(messages + (9 + k) * n, j);
    demand.change = demand.change + gather_vector(messages + 18 * n, n, j);
  }
  demand.position = demand.position - times(turns, load(shape + i, n));
  return demand;
}

HWY_INLINE void accumulate(Real v, double* to) { store(load(to) + v, to); }

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
  const auto twice = off.weight + off.weight;
  demand.position = mul_add(twice, shown_derivative(off.away, off.range, off.position), demand.position);
  demand.change = mul_add(twice * Real(at.velocity_share), off.change, demand.change);
  // x' = x + u', u' = u + sum_k p_k T_k. Nothing passes where the reach holds the vertex.
  const Vector away = next_position - next_goal;
  const double held = blocks.reach * (1 - 1e-9);
  const auto free = dot(away, away) <= Real(held * held);
  const Vector force = select(free, demand.position + demand.change, nothing());
  Vector position = select(free, demand.position, nothing());

  // L = mean(x_j) - x_i - R m: R turns with A by w = K^-1 axial(R^T dA), and -pull . (R [w] m) = -w . (m x R^T pull).
  const Neighbourhood<Real> around = sum_neighbours(blocks, at, block, lane);
  const Rotation q = load_rotation(at.rotation + i, n);
  const Matrix r = to_matrix(q);
  const Turning turn = turning(around.edges, r);
  const auto beta_share = parameter(6) * share;
  const Vector pull = beta_share * force;  // to each neighbour; `share` of it
  const Vector y = select(turn.positive, times(turn.inverse, cross(around.edge, transpose_times(r, pull))), nothing());
  // B = R [y]
  const Matrix b = from_rows(cross(row(r, 0), y), cross(row(r, 1), y), cross(row(r, 2), y));

  // Gradients of the parameters.
  const Restoration restoring = restoration(blocks, parameters, at, i);
  const Vector local_force = to_local(blocks, restoring, force), &local = restoring.local;
  if (blocks.in_directions) {
    const auto half = Real(0.5);
    const auto mean = [&](Real a, Real c, Real e, Real f) HWY_ATTR { return half * mul_add(a, c, e * f); };
    accumulate(local_force.x * local.x, gradient + i);
    accumulate(mean(local_force.x, local.y, local_force.y, local.x), gradient + n + i);
    accumulate(local_force.y * local.y, gradient + 2 * n + i);
    accumulate(mean(local_force.x, local.z, local_force.z, local.x), gradient + 3 * n + i);
    accumulate(mean(local_force.y, local.z, local_force.z, local.y), gradient + 4 * n + i);
    accumulate(local_force.z * local.z, gradient + 5 * n + i);
  } else {
    accumulate(dot(force, local), gradient + i);
  }
  Vector spokes = nothing(), spoke_demand = nothing();
  for_each_spoke(blocks, at, block, lane, [&](const Spoke& s) HWY_ATTR {
    spokes = spokes + spoke_term(s);
    spoke_demand = spoke_demand + spoke_derivative(s, force);
  });
  const Terms<Real> terms = terms_of(around, share, r, spokes, u, goal, next_goal);
  accumulate(dot(force, terms.shape), gradient + 6 * n + i);
  accumulate(dot(force, terms.spokes), gradient + 7 * n + i);
  accumulate(dot(force, terms.drag), gradient + 8 * n + i);
  accumulate(dot(force, terms.damping), gradient + 9 * n + i);

  // The adjoint goes back a step: derivatives by the position that this step began at.
  const auto heard = select_or_zero(share > Real::zero(), Real(1));
  position = position - pull_of(blocks, restoring, local_force);
  position = neg_mul_add(heard * parameter(6), force, position);
  position = mul_add(parameter(7), spoke_demand, position);
  position = position + times(b, around.edge);
  const auto kept = neg_mul_add(heard, parameter(8), Real(1) - parameter(9));
  store(position, before + i, n);
  store(kept * force, before + 3 * n + i, n);
  const Vector s = load(shape_of(blocks, at) + i, n);
  store(times(b, s) + pull, before + 6 * n + i, n);
  for (std::size_t k = 0; k < 9; ++k) store(b.m[k], before + (9 + k) * n + i);
  store(parameter(8) * share * force, before + 18 * n + i, n);
}

void step_all(const Blocks& blocks, const double* parameters, const Step& at, std::size_t begin, std::size_t end,
              double* error) {
  for (std::size_t block = begin; block < end; ++block)
    for (std::size_t lane = 0; lane < block_size; lane += Real::lanes)
      step_lanes(blocks, parameters, at, block, lane, error);
}

void step_back_all(const Blocks& blocks, const double* parameters, const Step& at, const double* after, double* before,
                   std::size_t begin, std::size_t end, double* gradient) {
  for (std::size_t block = begin; block < end; ++block)
    for (std::size_t lane = 0; lane < block_size; lane += Real::lanes)
      step_back_lanes(blocks, parameters, at, after, before, block, lane, gradient);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::gradient_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::gradient_kernel {

HWY_EXPORT(step_all);
HWY_EXPORT(step_back_all);

void step(const Blocks& blocks, const double* parameters, const Step& at, std::size_t begin, std::size_t end,
          double* error) {
  HWY_DYNAMIC_DISPATCH(step_all)(blocks, parameters, at, begin, end, error);
}

void step_back(const Blocks& blocks, const double* parameters, const Step& at, const double* after, double* before,
               std::size_t begin, std::size_t end, double* gradient) {
  HWY_DYNAMIC_DISPATCH(step_back_all)(blocks, parameters, at, after, before, begin, end, gradient);
}

}  // namespace sinew::gradient_kernel
#endif
