// Closest rotations, signed singular values and derivatives of rotations of 3x3 matrices.
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

// Decomposition a = u diag(sigma) v^T with rotations u and v (both of determinant +1) and
// sigma.x >= sigma.y >= |sigma.z|; sigma.z carries the sign of det a. One-sided Jacobi (Hestenes):
// singular values are accurate to rounding relative to sigma.x for every finite input, the zero
// matrix included. Matrices with all entries below 2^-1000 count as zero; numbers that are not finite
// give results that are not.
struct SignedSvd {
  Mat3 u;
  Vec3 sigma;
  Mat3 v;
};
SignedSvd signed_svd(const Mat3& a);

// The rotation r (always det r = +1) that maximises trace(r^T a), i.e. is closest to `a` in the Frobenius norm; also
// for reflections and singular matrices. Where several are equally close (sigma.y + sigma.z = 0) it is one of them; for
// the zero matrix it is the identity.
Mat3 closest_rotation(const Mat3& a);

// The closest rotation as a quaternion, by Newton steps from a guess, e.g. the rotation of the last time step: two or
// three steps from a near guess, and the decomposition from a far one. The result depends on the guess only by rounding
// (where the closest rotation is unique).
Quat closest_rotation(const Mat3& a, const Quat& guess);

// The transform of an affine map without shear. A map that mirrors has three negative scales.
Transform to_transform(const Affine& a);

// Derivative of the closest rotation with respect to the matrix: with a = r s, s symmetric,
//   dr = r [w],  w = (trace(s) I - s)^-1 axial(r^T da - da^T r)
// where [w] is the cross product matrix (derived from r^T a = s; see e.g. McAdams et al. 2011).
struct RotationDerivative {
  Mat3 rotation;
  Mat3 inverse;  // (trace(s) I - s)^-1, its poles bounded by `smallest_gap`

  Mat3 operator()(const Mat3& da) const;
};

// `rotation` must be the closest rotation of `a`. The derivative has poles where two signed
// singular values add up to zero; sums below `smallest_gap` count as `smallest_gap`.
RotationDerivative rotation_derivative(const Mat3& a, const Mat3& rotation, double smallest_gap = 1e-6);

}  // namespace sinew
