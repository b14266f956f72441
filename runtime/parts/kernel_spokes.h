/* Vector from the nearest point of the segment to p. */
SINEW_INLINE void SINEW_NAME(from_segment)(const float* segment, const lane p[3], lane d[3]) {
  const lane ax = lane_set(segment[4]), ay = lane_set(segment[5]), az = lane_set(segment[6]);
  lane t;
  d[0] = lane_sub(p[0], lane_set(segment[0]));
  d[1] = lane_sub(p[1], lane_set(segment[1]));
  d[2] = lane_sub(p[2], lane_set(segment[2]));
  t = lane_mul(lane_set(segment[3]), lane_madd(d[0], ax, lane_madd(d[1], ay, lane_mul(d[2], az))));
  t = lane_min(lane_max(t, lane_set(0.0f)), lane_set(1.0f));
  d[0] = lane_nmadd(t, ax, d[0]);
  d[1] = lane_nmadd(t, ay, d[1]);
  d[2] = lane_nmadd(t, az, d[2]);
}

SINEW_INLINE lane SINEW_NAME(squared)(const lane a[3]) {
  return lane_madd(a[0], a[0], lane_madd(a[1], a[1], lane_mul(a[2], a[2])));
}

/* Equation 8, times weight_one. `rest_lengths` is null with the rig as reference. */
SINEW_INLINE void SINEW_NAME(pull_of_spokes)(const float* segments, const uint32_t* segment, uint32_t count,
                                             const uint16_t* weights, const float* rest_lengths, float shortest,
                                             const lane x[3], const lane g[3], lane pull[3]) {
  const lane shortest_2 = lane_set(shortest * shortest);
  uint32_t s;
  pull[0] = pull[1] = pull[2] = lane_set(0.0f);
  for (s = 0; s < count; ++s) {
    const float* posed = segments + segment[s];
    const lane w = lane_from_u16(weights + block_size * s);
    lane d[3], e[3], length_2, factor;
    SINEW_NAME(from_segment)(posed, x, d);
    if (rest_lengths) {
      const lane length = lane_mul(lane_load(rest_lengths + block_size * s), lane_set(posed[7]));
      length_2 = lane_mul(length, length);
    } else {
      SINEW_NAME(from_segment)(posed, g, e);
      length_2 = SINEW_NAME(squared)(e);
    }
    /* The factor length / max(|d|, shortest) - 1. */
    factor = lane_mul(length_2, lane_max(SINEW_NAME(squared)(d), shortest_2));
    factor = lane_mul(length_2, lane_rsqrt(lane_max(factor, lane_set(1e-30f))));
    factor = lane_mul(w, lane_sub(factor, lane_set(1.0f)));
    pull[0] = lane_madd(factor, d[0], pull[0]);
    pull[1] = lane_madd(factor, d[1], pull[1]);
    pull[2] = lane_madd(factor, d[2], pull[2]);
  }
}
