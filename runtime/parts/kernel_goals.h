/* Goals of a group of vertices by linear blending of `bones`. */
SINEW_INLINE void SINEW_NAME(skin)(const float* bones, const uint32_t* bone, uint32_t bone_count,
                                   const uint16_t* weights, const lane rest[3], lane goal[3]) {
  uint32_t b;
  goal[0] = goal[1] = goal[2] = lane_set(0.0f);
  for (b = 0; b < bone_count; ++b) {
    const float* m = bones + bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    const lane x = lane_madd(lane_set(m[0]), rest[0],
                             lane_madd(lane_set(m[1]), rest[1], lane_madd(lane_set(m[2]), rest[2], lane_set(m[3]))));
    const lane y = lane_madd(lane_set(m[4]), rest[0],
                             lane_madd(lane_set(m[5]), rest[1], lane_madd(lane_set(m[6]), rest[2], lane_set(m[7]))));
    const lane z = lane_madd(lane_set(m[8]), rest[0],
                             lane_madd(lane_set(m[9]), rest[1], lane_madd(lane_set(m[10]), rest[2], lane_set(m[11]))));
    goal[0] = lane_madd(w, x, goal[0]);
    goal[1] = lane_madd(w, y, goal[1]);
    goal[2] = lane_madd(w, z, goal[2]);
  }
}

/* The blended matrices of a group of vertices, row by row. */
SINEW_INLINE void SINEW_NAME(blend)(const float* bones, const uint32_t* bone, uint32_t bone_count,
                                    const uint16_t* weights, lane m[12]) {
  uint32_t b;
  int i;
  for (i = 0; i < 12; ++i) m[i] = lane_set(0.0f);
  for (b = 0; b < bone_count; ++b) {
    const float* from = bones + bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    for (i = 0; i < 12; ++i) m[i] = lane_madd(w, lane_set(from[i]), m[i]);
  }
}

/* The sum of the motions of a group of vertices, each with the sign that is closer to the strongest one's, and of their
 * stretches, row by row. Returns nonzero where a bone stretches. */
SINEW_INLINE int SINEW_NAME(blend_motions)(const float* motions, const uint32_t* bone, uint32_t bone_count,
                                           const uint16_t* weights, lane q[4], lane d[4], lane stretch[9]) {
  const lane zero = lane_set(0.0f);
  lane strongest[4], most = lane_set(-1.0f);
  uint32_t b;
  int i, stretches = 0;
  for (i = 0; i < 4; ++i) q[i] = d[i] = strongest[i] = zero;
  for (i = 0; i < 9; ++i) stretch[i] = zero;
  for (b = 0; b < bone_count; ++b) {
    const float* m = motions + 2 * bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    for (i = 0; i < 4; ++i) strongest[i] = lane_select_greater(w, most, lane_set(m[i]), strongest[i]);
    most = lane_max(w, most);
  }
  for (b = 0; b < bone_count; ++b) {
    const float* m = motions + 2 * bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    const lane along =
        lane_madd(lane_set(m[0]), strongest[0],
                  lane_madd(lane_set(m[1]), strongest[1],
                            lane_madd(lane_set(m[2]), strongest[2], lane_mul(lane_set(m[3]), strongest[3]))));
    const lane signed_w = lane_select_greater(zero, along, lane_sub(zero, w), w);
    for (i = 0; i < 4; ++i) {
      q[i] = lane_madd(signed_w, lane_set(m[i]), q[i]);
      d[i] = lane_madd(signed_w, lane_set(m[motion_dual + i]), d[i]);
    }
    if (m[motion_stretches] == 0.0f) continue;
    stretches = 1;
    for (i = 0; i < 9; ++i) stretch[i] = lane_madd(w, lane_set(m[motion_stretch + i]), stretch[i]);
  }
  return stretches;
}

/* Goals of a group of vertices by dual quaternions (Kavan et al. 2008): stretches blended linearly, then the normalised
 * sum of the motions. */
SINEW_INLINE void SINEW_NAME(move)(const float* motions, const uint32_t* bone, uint32_t bone_count,
                                   const uint16_t* weights, const lane rest[3], lane goal[3]) {
  lane q[4], d[4], stretch[9], x[3], c[3], twice;
  int i;
  for (i = 0; i < 3; ++i) x[i] = rest[i];
  if (SINEW_NAME(blend_motions)(motions, bone, bone_count, weights, q, d, stretch))
    for (i = 0; i < 3; ++i)
      x[i] = lane_madd(stretch[3 * i], rest[0],
                       lane_madd(stretch[3 * i + 1], rest[1], lane_madd(stretch[3 * i + 2], rest[2], x[i])));
  /* Places without a vertex have no weights, and a sum of zero. */
  twice = lane_madd(q[0], q[0], lane_madd(q[1], q[1], lane_madd(q[2], q[2], lane_mul(q[3], q[3]))));
  twice = lane_mul(lane_set(2.0f), lane_reciprocal(lane_max(twice, lane_set(1e-12f))));
  /* With r the vector of q: r x (r x x + w x + d) + w d - d_w r. */
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = lane_add(lane_madd(q[3], x[i], d[i]), lane_nmadd(q[k], x[j], lane_mul(q[j], x[k])));
  }
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const lane turned = lane_nmadd(q[k], c[j], lane_mul(q[j], c[k]));
    goal[i] = lane_madd(twice, lane_add(turned, lane_nmadd(d[3], q[i], lane_mul(q[3], d[i]))), x[i]);
  }
}

/* Goals of a group of vertices by linear blending, or by dual quaternions where there are motions. */
SINEW_INLINE void SINEW_NAME(pose)(const float* bones, const float* motions, const uint32_t* bone, uint32_t bone_count,
                                   const uint16_t* weights, const lane rest[3], lane goal[3]) {
  if (motions)
    SINEW_NAME(move)(motions, bone, bone_count, weights, rest, goal);
  else
    SINEW_NAME(skin)(bones, bone, bone_count, weights, rest, goal);
}
