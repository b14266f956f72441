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
