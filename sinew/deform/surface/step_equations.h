// The step of one vertex (Shi et al. 2008, equations 3 to 11), written over `Real` (linalg/lanes.h): a double in
// vertex_terms.cpp; several vertices in vector lanes in gradient_kernel.cpp, which adds the derivatives. The callers
// decide the memory layout, the neighbours of a vertex, and how the rotation of equation 5 is found. World space,
// metres.
//
// x is a vertex's position, u its change over the last step (h v), g its goal, s the shape that its neighbourhood
// keeps.

// Included once for each instruction set, as lanes.h is.
#if defined(SINEW_SURFACE_STEP_EQUATIONS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SURFACE_STEP_EQUATIONS_H
#undef SINEW_SURFACE_STEP_EQUATIONS_H
#else
#define SINEW_SURFACE_STEP_EQUATIONS_H
#endif

#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::step_equations {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;

template <class Real>
using MaskOf = decltype(Real() < Real());

// ---- neighbourhood ----

// Sums over the neighbours of a vertex.
template <class Real>
struct Neighbourhood {
  Matrix3<Real> edges;  // A + nu Q: A sums (x_j - x_i)(s_j - s_i)^T (5), nu Q is the frame's pull (vertex_terms.h)
  Vector3<Real> offset, edge, change;  // sums of x_j - x_i, s_j - s_i, u_j - u_i
};

template <class Real>
HWY_INLINE Neighbourhood<Real> without_neighbours(const Matrix3<Real>& pull) {
  const Vector3<Real> zero{Real(0), Real(0), Real(0)};
  return {pull, zero, zero, zero};
}

template <class Real>
HWY_INLINE void add_neighbour(const Vector3<Real>& offset, const Vector3<Real>& edge, const Vector3<Real>& change,
                              Neighbourhood<Real>& sum) {
  sum.offset = sum.offset + offset;
  sum.edge = sum.edge + edge;
  sum.change = sum.change + change;
  Real* m = sum.edges.m;
  m[0] = mul_add(offset.x, edge.x, m[0]);
  m[1] = mul_add(offset.x, edge.y, m[1]);
  m[2] = mul_add(offset.x, edge.z, m[2]);
  m[3] = mul_add(offset.y, edge.x, m[3]);
  m[4] = mul_add(offset.y, edge.y, m[4]);
  m[5] = mul_add(offset.y, edge.z, m[5]);
  m[6] = mul_add(offset.z, edge.x, m[6]);
  m[7] = mul_add(offset.z, edge.y, m[7]);
  m[8] = mul_add(offset.z, edge.z, m[8]);
}

// ---- spokes ----

// A segment of a posed bone.
template <class Real>
struct PosedSegment {
  Vector3<Real> head, axis;     // axis: tail - head
  Real inverse_squared_length;  // 0 for a segment of zero length
};

// Offset d of a point from the nearest point of a segment; `sliding`: that point is between the ends.
template <class Real>
struct FromSegment {
  Vector3<Real> d;
  MaskOf<Real> sliding;
};

template <class Real>
HWY_INLINE FromSegment<Real> from_segment(const PosedSegment<Real>& segment, const Vector3<Real>& point) {
  const Real zero(0), one(1);
  const Vector3<Real> from_head = point - segment.head;
  const Real s = dot(from_head, segment.axis) * segment.inverse_squared_length;
  const MaskOf<Real> sliding = (s > zero) & (s < one);
  return {neg_mul_add(smaller(larger(s, zero), one), segment.axis, from_head), sliding};
}

template <class Real>
struct PosedSpoke {
  PosedSegment<Real> segment;
  FromSegment<Real> foot;
  Real length;  // |d|, at least the shortest length with a direction
  MaskOf<Real> has_direction;
  Real kept, weight;  // l, w
};

template <class Real>
HWY_INLINE PosedSpoke<Real> posed_spoke(const PosedSegment<Real>& segment, const Vector3<Real>& x, Real shortest,
                                        Real kept, Real weight) {
  const FromSegment<Real> foot = from_segment(segment, x);
  const Real length = square_root(dot(foot.d, foot.d));
  return {segment, foot, larger(length, shortest), length > shortest, kept, weight};
}

// Returns w (l / |d| - 1) d (8).
template <class Real>
HWY_INLINE Vector3<Real> spoke_term(const PosedSpoke<Real>& s) {
  return s.weight * (s.kept / s.length - Real(1)) * s.foot.d;
}

// Returns the derivative of a spoke's term by x (symmetric), times f. d = P (x - head), with P = I - t t^T while the
// foot slides along the bone (t) and P = I while it is at an end, so that d(l d / |d| - d) = (l / |d| (I - n n^T) - I)
// P dx with n = d / |d|, which is orthogonal to t.
template <class Real>
HWY_INLINE Vector3<Real> spoke_derivative(const PosedSpoke<Real>& s, const Vector3<Real>& f) {
  const Vector3<Real>&axis = s.segment.axis, &d = s.foot.d;
  const Real along = select_or_zero(s.foot.sliding, dot(axis, f) * s.segment.inverse_squared_length);
  const Vector3<Real> p = neg_mul_add(along, axis, f);
  const Real outward = select_or_zero(s.has_direction, dot(d, f) / (s.length * s.length));
  const Vector3<Real> across = neg_mul_add(outward, d, p);
  return s.weight * mul_add(s.kept / s.length, across, Real(-1) * p);
}

// ---- terms ----

// Returns alpha Q S Q^T (g - x) given `local` = Q^T (g - x): equation 4 with a matrix in place of the number alpha.
template <class Real>
HWY_INLINE Vector3<Real> restored(const Matrix3<Real>& frame, const Symmetric3<Real>& stiffness,
                                  const Vector3<Real>& local) {
  return times(frame, times(stiffness, local));
}

// Displacement of the vertex in one step per unit of each parameter; alpha's is equation 4.
template <class Real>
struct Terms {
  Vector3<Real> shape;    // beta
  Vector3<Real> spokes;   // gamma
  Vector3<Real> drag;     // lambda
  Vector3<Real> damping;  // delta
};

// `share`: 1 over the number of neighbours, 0 without any. `rotation`: the one nearest to `around.edges`. `spokes`: the
// sum of their terms.
template <class Real>
HWY_INLINE Terms<Real> terms_of(const Neighbourhood<Real>& around, const Real& share, const Matrix3<Real>& rotation,
                                const Vector3<Real>& spokes, const Vector3<Real>& u, const Vector3<Real>& goal,
                                const Vector3<Real>& next_goal) {
  // (6), (7): the position at which the neighbours appear as they do in the shape. The paper prints the edges in (6)
  // with the opposite sign, with which a surface at rest would not stay at rest.
  return {share * (around.offset - times(rotation, around.edge)), spokes,
          share * around.change,  // (9), with the bracket around both terms
          next_goal - goal - u};
}

// ---- the step ----

template <class Real>
struct Motion {
  Vector3<Real> position, change;
};

// `pulled`: displacement by alpha's term.
template <class Real>
HWY_INLINE Motion<Real> stepped(const Vector3<Real>& x, const Vector3<Real>& u, const Vector3<Real>& pulled,
                                const Terms<Real>& t, const Real& beta, const Real& gamma, const Real& lambda,
                                const Real& delta) {
  Vector3<Real> change = mul_add(beta, t.shape, u + pulled);  // (3), (10)
  change = mul_add(gamma, t.spokes, change);
  change = mul_add(lambda, t.drag, change);
  change = mul_add(delta, t.damping, change);
  return {x + change, change};  // (11)
}

// Moves a vertex that is farther than `reach` from its goal back to that distance, moving along with the goal.
template <class Real>
HWY_INLINE Motion<Real> within_reach(const Real& reach, const Vector3<Real>& goal, const Vector3<Real>& next_goal,
                                     const Motion<Real>& motion) {
  const Vector3<Real> away = motion.position - next_goal;
  const Real squared = dot(away, away);
  const MaskOf<Real> beyond = squared > reach * reach;
  if (none(beyond, Real())) return motion;
  return {select(beyond, mul_add(reach / square_root(squared), away, next_goal), motion.position),
          select(beyond, next_goal - goal, motion.change)};
}

// ---- display range ----

// Returns the displayed offset d / sqrt(1 + |d|^2 / range^2) for an offset d from the goal.
template <class Real>
HWY_INLINE Vector3<Real> shown(const Vector3<Real>& d, const Real& inverse_squared_range) {
  return (Real(1) / square_root(mul_add(inverse_squared_range, dot(d, d), Real(1)))) * d;
}

// Returns the derivative of shown() by d (symmetric), times f.
template <class Real>
HWY_INLINE Vector3<Real> shown_derivative(const Vector3<Real>& d, const Real& inverse_squared_range,
                                          const Vector3<Real>& f) {
  const Real s = Real(1) / square_root(mul_add(inverse_squared_range, dot(d, d), Real(1)));
  return s * neg_mul_add(inverse_squared_range * (s * s) * dot(d, f), d, f);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::step_equations
HWY_AFTER_NAMESPACE();

#endif
