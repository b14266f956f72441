/* Rotates v by q = (u, w): v + 2 w (u x v) + 2 u x (u x v). */
SINEW_INLINE void SINEW_NAME(rotate)(const lane q[4], lane v[3]) {
  const lane two = lane_set(2.0f);
  const lane tx = lane_mul(two, lane_nmadd(q[2], v[1], lane_mul(q[1], v[2])));
  const lane ty = lane_mul(two, lane_nmadd(q[0], v[2], lane_mul(q[2], v[0])));
  const lane tz = lane_mul(two, lane_nmadd(q[1], v[0], lane_mul(q[0], v[1])));
  v[0] = lane_add(lane_madd(q[3], tx, v[0]), lane_nmadd(q[2], ty, lane_mul(q[1], tz)));
  v[1] = lane_add(lane_madd(q[3], ty, v[1]), lane_nmadd(q[0], tz, lane_mul(q[2], tx)));
  v[2] = lane_add(lane_madd(q[3], tz, v[2]), lane_nmadd(q[1], tx, lane_mul(q[0], ty)));
}

/* The rotation R of a neighbourhood. In the frame of the last step's rotation R_0, M = R_0^T A', and the unknown is
 * the quaternion (u, 1) of the remaining rotation. It is the eigenvector of the largest eigenvalue of Horn's matrix:
 *     (2 K + d) u = b,   K = tr(S) I - S,   S = sym(M),   b = axial(M),   d = b . u = the eigenvalue - tr(S).
 * Newton's method would start with d = 0. Here d starts with |b|^2 / (2 tr(S)), its value for a rotation about the
 * stiffest axis, which keeps the matrix positive definite even for collinear neighbours; Rayleigh's quotient then
 * improves it. One solution is accurate to third order in the angle, two to seventh. One is enough where b is small;
 * for large rotations the eigenvalue is computed first. */
typedef struct {
  wide k[3], t01, t02, t12; /* 2 K: its diagonal, and its off-diagonal entries, negated */
  wide b[3];
} SINEW_NAME(turning);

/* Solves for u with a given d. Returns the determinant, or 0 where the matrix is not safely positive definite. */
SINEW_INLINE wide SINEW_NAME(solve_turn)(const SINEW_NAME(turning) * of, wide d, wide u[3]) {
  const wide tiny = wide_set(1e-5f);
  const wide k0 = wide_add(of->k[0], d), k1 = wide_add(of->k[1], d), k2 = wide_add(of->k[2], d);
  const wide t01 = of->t01, t02 = of->t02, t12 = of->t12;
  const wide c00 = wide_nmadd(t12, t12, wide_mul(k1, k2)), c01 = wide_madd(t01, k2, wide_mul(t02, t12));
  const wide c02 = wide_madd(t02, k1, wide_mul(t01, t12)), c11 = wide_nmadd(t02, t02, wide_mul(k0, k2));
  const wide c12 = wide_madd(k0, t12, wide_mul(t01, t02)), c22 = wide_nmadd(t01, t01, wide_mul(k0, k1));
  const wide determinant = wide_nmadd(t02, c02, wide_nmadd(t01, c01, wide_mul(k0, c00)));
  const wide inverse = wide_reciprocal(wide_max(determinant, tiny));
  const wide* b = of->b;
  u[0] = wide_mul(inverse, wide_madd(c00, b[0], wide_madd(c01, b[1], wide_mul(c02, b[2]))));
  u[1] = wide_mul(inverse, wide_madd(c01, b[0], wide_madd(c11, b[1], wide_mul(c12, b[2]))));
  u[2] = wide_mul(inverse, wide_madd(c02, b[0], wide_madd(c12, b[1], wide_mul(c22, b[2]))));
  return wide_select_greater(wide_min(wide_min(k0, c22), determinant), tiny, determinant, wide_set(0.0f));
}

SINEW_INLINE wide SINEW_NAME(wide_dot)(const wide a[3], const wide b[3]) {
  return wide_madd(a[0], b[0], wide_madd(a[1], b[1], wide_mul(a[2], b[2])));
}

/* Rayleigh's quotient. `missing` receives the squared error of d, times its effect on the angle of the rotation: at
 * most 16 times the root of `missing` over the determinant. */
SINEW_INLINE wide SINEW_NAME(improve_turn)(const SINEW_NAME(turning) * of, wide d, const wide u[3], wide* missing) {
  const wide squared = SINEW_NAME(wide_dot)(u, u), share = wide_reciprocal(wide_add(wide_set(1.0f), squared));
  const wide next = wide_mul(wide_madd(d, squared, SINEW_NAME(wide_dot)(of->b, u)), share);
  const wide change = wide_mul(wide_sub(next, d), share);
  *missing = wide_mul(wide_mul(change, change), squared);
  return next;
}

SINEW_INLINE wide SINEW_NAME(wide_cofactor)(wide a, wide b, wide c, wide d) { return wide_nmadd(b, c, wide_mul(a, d)); }

/* The largest eigenvalue of Horn's matrix for M with norm one: Newton's method from above, on the characteristic
 * polynomial z^4 - 2 z^2 - 8 det(M) z + 1 - 4 |cof(M)|^2. */
SINEW_INLINE wide SINEW_NAME(largest_eigenvalue)(const wide m[9]) {
  const wide eight = wide_set(8.0f), two = wide_set(2.0f), four = wide_set(4.0f);
  wide squares = wide_set(0.0f), determinant = squares, z = wide_set(1.7320509f), constant;
  int i, j;
  for (i = 0; i < 3; ++i)
    for (j = 0; j < 3; ++j) {
      const int r = 3 * ((i + 1) % 3), s = 3 * ((i + 2) % 3), c = (j + 1) % 3, e = (j + 2) % 3;
      const wide cofactor = SINEW_NAME(wide_cofactor)(m[r + c], m[r + e], m[s + c], m[s + e]);
      squares = wide_madd(cofactor, cofactor, squares);
      if (i == 0) determinant = wide_madd(m[j], cofactor, determinant);
    }
  determinant = wide_mul(determinant, eight);
  constant = wide_nmadd(four, squares, wide_set(1.0f));
  for (i = 0; i < 16; ++i) {
    const wide z_2 = wide_mul(z, z);
    const wide value = wide_madd(z, wide_sub(wide_mul(z, wide_sub(z_2, two)), determinant), constant);
    const wide slope = wide_sub(wide_mul(z, wide_mul(four, wide_sub(z_2, wide_set(1.0f)))), determinant);
    const wide change = wide_mul(value, wide_reciprocal(wide_max(slope, wide_set(1e-5f))));
    z = wide_sub(z, change);
    if (!wide_any_greater(change, wide_set(1e-6f))) break;
  }
  return z;
}

/* Rotates q towards the closest rotation of the matrix with the columns of A', which has norm one. A lane has
 * converged if `missing` is at most `bound`. Returns whether a lane had far to go: call again then, since a large
 * rotation in floats is not exact. */
SINEW_INLINE int SINEW_NAME(turn_to_nearest)(const wide ax[3], const wide ay[3], const wide az[3], wide q[4],
                                             wide* missing, wide* bound) {
  const wide one = wide_set(1.0f);
  /* R from sqrt(2) q, which saves factors of two. */
  const wide root = wide_set(1.41421356237f);
  const wide x = wide_mul(q[0], root), y = wide_mul(q[1], root), z = wide_mul(q[2], root), w = wide_mul(q[3], root);
  const wide xy = wide_mul(x, y), xz = wide_mul(x, z), yz = wide_mul(y, z);
  const wide r00 = wide_nmadd(z, z, wide_nmadd(y, y, one)), r01 = wide_nmadd(w, z, xy), r02 = wide_madd(w, y, xz);
  const wide r10 = wide_madd(w, z, xy), r11 = wide_nmadd(z, z, wide_nmadd(x, x, one)), r12 = wide_nmadd(w, x, yz);
  const wide r20 = wide_nmadd(w, y, xz), r21 = wide_madd(w, x, yz), r22 = wide_nmadd(y, y, wide_nmadd(x, x, one));
  /* M: row i is column i of R times the columns of A'. */
#define SINEW_COLUMN_DOT(i, a) wide_madd(r0##i, a[0], wide_madd(r1##i, a[1], wide_mul(r2##i, a[2])))
  const wide m00 = SINEW_COLUMN_DOT(0, ax), m01 = SINEW_COLUMN_DOT(0, ay), m02 = SINEW_COLUMN_DOT(0, az);
  const wide m10 = SINEW_COLUMN_DOT(1, ax), m11 = SINEW_COLUMN_DOT(1, ay), m12 = SINEW_COLUMN_DOT(1, az);
  const wide m20 = SINEW_COLUMN_DOT(2, ax), m21 = SINEW_COLUMN_DOT(2, ay), m22 = SINEW_COLUMN_DOT(2, az);
#undef SINEW_COLUMN_DOT
  const wide k0 = wide_add(m11, m22), k1 = wide_add(m00, m22), k2 = wide_add(m00, m11);
  const wide twice_trace = wide_add(k0, wide_add(k1, k2));
  SINEW_NAME(turning) turning;
  wide u[3], d, safe, px, py, pz, pw, scale;
  int is_far = 0;
  turning.k[0] = wide_add(k0, k0), turning.k[1] = wide_add(k1, k1), turning.k[2] = wide_add(k2, k2);
  turning.t01 = wide_add(m01, m10), turning.t02 = wide_add(m02, m20), turning.t12 = wide_add(m12, m21);
  turning.b[0] = wide_sub(m21, m12), turning.b[1] = wide_sub(m02, m20), turning.b[2] = wide_sub(m10, m01);
  d = wide_mul(SINEW_NAME(wide_dot)(turning.b, turning.b), wide_reciprocal(wide_max(twice_trace, one)));
  safe = SINEW_NAME(solve_turn)(&turning, d, u);
  d = SINEW_NAME(improve_turn)(&turning, d, u, missing);
  *missing = wide_max(*missing, wide_set(1e-24f));
  *bound = wide_mul(wide_mul(safe, safe), wide_set(1e-14f));
  if (wide_any_greater(*missing, *bound)) {
    /* Another solution squares the error if it and the rotation are small. */
    *missing = wide_select_greater(SINEW_NAME(wide_dot)(u, u), wide_set(0.1f), *missing,
                                   wide_max(wide_mul(*missing, wide_set(1e-5f)), wide_set(1e-24f)));
    is_far = wide_any_greater(*missing, *bound);
    if (is_far) {
      const wide m[9] = {m00, m01, m02, m10, m11, m12, m20, m21, m22};
      d = wide_nmadd(wide_set(0.5f), twice_trace, SINEW_NAME(largest_eigenvalue)(m));
    }
    SINEW_NAME(solve_turn)(&turning, d, u);
  }
  /* q (u, 1), normalised. */
  px = wide_madd(q[3], u[0], wide_madd(q[1], u[2], wide_nmadd(q[2], u[1], q[0])));
  py = wide_madd(q[3], u[1], wide_madd(q[2], u[0], wide_nmadd(q[0], u[2], q[1])));
  pz = wide_madd(q[3], u[2], wide_madd(q[0], u[1], wide_nmadd(q[1], u[0], q[2])));
  pw = wide_nmadd(q[2], u[2], wide_nmadd(q[1], u[1], wide_nmadd(q[0], u[0], q[3])));
  scale = wide_rsqrt(wide_madd(px, px, wide_madd(py, py, wide_madd(pz, pz, wide_mul(pw, pw)))));
  q[0] = wide_mul(px, scale);
  q[1] = wide_mul(py, scale);
  q[2] = wide_mul(pz, scale);
  q[3] = wide_mul(pw, scale);
  return is_far;
}

/* Input for the rotations of a group of vertices: sums of eq. 5, records, and the weight of the frames. `frame` is
 * null if the frames have not rotated. */
typedef struct {
  const float *outers, *records, *pull;
  const uint32_t* frame;
} SINEW_NAME(neighbourhoods);

/* Adds the frames: A' = A + nu Q. */
SINEW_INLINE void SINEW_NAME(add_frames)(const SINEW_NAME(neighbourhoods) * of, const float* frames, lane x[3],
                                         lane y[3], lane z[3]) {
  const lane pull = lane_load(of->pull);
  if (of->frame) {
    lane q[4], axis[3], zero = lane_set(0.0f);
    lane_gather_columns(frames, of->frame, q);
    axis[0] = pull, axis[1] = axis[2] = zero;
    SINEW_NAME(rotate)(q, axis);
    x[0] = lane_add(x[0], axis[0]), x[1] = lane_add(x[1], axis[1]), x[2] = lane_add(x[2], axis[2]);
    axis[1] = pull, axis[0] = axis[2] = zero;
    SINEW_NAME(rotate)(q, axis);
    y[0] = lane_add(y[0], axis[0]), y[1] = lane_add(y[1], axis[1]), y[2] = lane_add(y[2], axis[2]);
    axis[2] = pull, axis[0] = axis[1] = zero;
    SINEW_NAME(rotate)(q, axis);
    z[0] = lane_add(z[0], axis[0]), z[1] = lane_add(z[1], axis[1]), z[2] = lane_add(z[2], axis[2]);
  } else {
    x[0] = lane_add(x[0], pull);
    y[1] = lane_add(y[1], pull);
    z[2] = lane_add(z[2], pull);
  }
}

/* Computes the rotations of two groups of vertices, starting from those of the last step, into planes of q. */
SINEW_INLINE void SINEW_NAME(find_rotations)(const SINEW_NAME(neighbourhoods) of[2], const float* frames, float* q_a,
                                             float* q_b) {
  const wide tiny = wide_set(1e-30f);
  wide x[3], y[3], z[3], q[4], scale, missing, bound;
  lane cx[4], cy[4], cz[4], old[4];
  int i;
#define SINEW_GROUP(group, side)                                                   \
  lane_load_columns(of[group].outers, cx);                                         \
  lane_load_columns(of[group].outers + 4, cy);                                     \
  lane_load_columns(of[group].outers + 8, cz);                                     \
  lane_load_columns(of[group].records + 12, old);                                  \
  SINEW_NAME(add_frames)(&of[group], frames, cx, cy, cz);                          \
  for (i = 0; i < 3; ++i) x[i].side = cx[i], y[i].side = cy[i], z[i].side = cz[i]; \
  for (i = 0; i < 4; ++i) q[i].side = old[i]
  SINEW_GROUP(0, a);
  SINEW_GROUP(1, b);
#undef SINEW_GROUP
  scale = wide_madd(x[0], x[0], wide_madd(x[1], x[1], wide_mul(x[2], x[2])));
  scale = wide_madd(y[0], y[0], wide_madd(y[1], y[1], wide_madd(y[2], y[2], scale)));
  scale = wide_madd(z[0], z[0], wide_madd(z[1], z[1], wide_madd(z[2], z[2], scale)));
  scale = wide_rsqrt(wide_max(scale, tiny));
  for (i = 0; i < 3; ++i) {
    x[i] = wide_mul(x[i], scale);
    y[i] = wide_mul(y[i], scale);
    z[i] = wide_mul(z[i], scale);
  }
  if (SINEW_NAME(turn_to_nearest)(x, y, z, q, &missing, &bound))
    SINEW_NAME(turn_to_nearest)(x, y, z, q, &missing, &bound);
  for (i = 0; i < 4; ++i) {
    lane_store(q_a + block_size * i, q[i].a);
    lane_store(q_b + block_size * i, q[i].b);
  }
  if (wide_any_greater(missing, bound)) {
    float columns[9 * block_size], is_missing[block_size], is_bound[block_size];
    lane_store(is_missing, missing.a);
    lane_store(is_bound, bound.a);
    for (i = 0; i < 9; ++i) lane_store(columns + block_size * i, (i < 3 ? x : i < 6 ? y : z)[i % 3].a);
    find_far_rotations(LANES, is_missing, is_bound, columns, of[0].records, q_a);
    lane_store(is_missing, missing.b);
    lane_store(is_bound, bound.b);
    for (i = 0; i < 9; ++i) lane_store(columns + block_size * i, (i < 3 ? x : i < 6 ? y : z)[i % 3].b);
    find_far_rotations(LANES, is_missing, is_bound, columns, of[1].records, q_b);
  }
}
