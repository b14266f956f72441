#ifdef SINEW_PASS_NEON

#define LANES 4
#define lane float32x4_t
#define lane_set(a) vdupq_n_f32(a)
#define lane_load(p) vld1q_f32(p)
#define lane_store(p, a) vst1q_f32(p, a)
#define lane_add(a, b) vaddq_f32(a, b)
#define lane_sub(a, b) vsubq_f32(a, b)
#define lane_mul(a, b) vmulq_f32(a, b)
#define lane_reciprocal(a) vdivq_f32(vdupq_n_f32(1.0f), a)
#define lane_min(a, b) vminq_f32(a, b)
#define lane_max(a, b) vmaxq_f32(a, b)
#define lane_madd(a, b, c) vfmaq_f32(c, a, b)
#define lane_nmadd(a, b, c) vfmsq_f32(c, a, b)
SINEW_INLINE float32x4_t lane_rsqrt_neon(float32x4_t a) {
  float32x4_t y = vrsqrteq_f32(a);
  y = vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(a, y), y));
  y = vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(a, y), y));
  return y;
}
#define lane_rsqrt lane_rsqrt_neon
#define lane_select_greater(a, b, yes, no) vbslq_f32(vcgtq_f32(a, b), yes, no)
#define lane_any_greater(a, b) vmaxvq_u32(vcgtq_f32(a, b))
SINEW_INLINE float32x4_t lane_from_u8_neon(const uint8_t* p) {
  uint32_t four;
  memcpy(&four, p, sizeof four);
  return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(four)))));
}
#define lane_from_u8 lane_from_u8_neon
#define lane_from_u16(p) vcvtq_f32_u32(vmovl_u16(vld1_u16(p)))
SINEW_INLINE void lane_transpose_neon(float32x4_t c[4]) {
  const float32x4_t a = vtrn1q_f32(c[0], c[1]), b = vtrn2q_f32(c[0], c[1]);
  const float32x4_t d = vtrn1q_f32(c[2], c[3]), e = vtrn2q_f32(c[2], c[3]);
  c[0] = vcombine_f32(vget_low_f32(a), vget_low_f32(d));
  c[1] = vcombine_f32(vget_low_f32(b), vget_low_f32(e));
  c[2] = vcombine_f32(vget_high_f32(a), vget_high_f32(d));
  c[3] = vcombine_f32(vget_high_f32(b), vget_high_f32(e));
}
SINEW_INLINE void lane_load_columns_neon(const float* p, float32x4_t c[4]) {
  int i;
  for (i = 0; i < 4; ++i) c[i] = vld1q_f32(p + record_floats * i);
  lane_transpose_neon(c);
}
#define lane_load_columns lane_load_columns_neon
SINEW_INLINE void lane_gather_columns_neon(const float* p, const uint32_t* index, float32x4_t c[4]) {
  int i;
  for (i = 0; i < 4; ++i) c[i] = vld1q_f32(p + index[i]);
  lane_transpose_neon(c);
}
#define lane_gather_columns lane_gather_columns_neon
SINEW_INLINE void lane_store_columns_neon(float* p, size_t stride, float32x4_t a, float32x4_t b, float32x4_t c,
                                          float32x4_t d) {
  float32x4_t r[4];
  int i;
  r[0] = a, r[1] = b, r[2] = c, r[3] = d;
  lane_transpose_neon(r);
  for (i = 0; i < 4; ++i) vst1q_f32(p + stride * (size_t)i, r[i]);
}
#define lane_store_columns lane_store_columns_neon

typedef struct {
  float32x4_t x, v, g;
} record_neon;
#define record record_neon
#define outer record_neon
SINEW_INLINE record record_zero_neon(void) {
  record r;
  r.x = r.v = r.g = vdupq_n_f32(0);
  return r;
}
SINEW_INLINE record record_load_neon(const float* p) {
  record r;
  r.x = vld1q_f32(p);
  r.v = vld1q_f32(p + 4);
  r.g = vld1q_f32(p + 8);
  return r;
}
SINEW_INLINE void record_store_neon(float* p, record r) {
  vst1q_f32(p, r.x);
  vst1q_f32(p + 4, r.v);
  vst1q_f32(p + 8, r.g);
}
SINEW_INLINE record record_with_goal_neon(record r, const float* goal) {
  r.g = vld1q_f32(goal);
  return r;
}
SINEW_INLINE record record_sub_neon(record a, record b) {
  a.x = vsubq_f32(a.x, b.x);
  a.v = vsubq_f32(a.v, b.v);
  a.g = vsubq_f32(a.g, b.g);
  return a;
}
SINEW_INLINE record record_add_neon(record a, record b) {
  a.x = vaddq_f32(a.x, b.x);
  a.v = vaddq_f32(a.v, b.v);
  a.g = vaddq_f32(a.g, b.g);
  return a;
}
SINEW_INLINE record outer_add_neon(record sum, record d) {
  sum.x = vfmaq_laneq_f32(sum.x, d.x, d.g, 0);
  sum.v = vfmaq_laneq_f32(sum.v, d.x, d.g, 1);
  sum.g = vfmaq_laneq_f32(sum.g, d.x, d.g, 2);
  return sum;
}
#define record_zero record_zero_neon
#define record_load record_load_neon
#define record_store record_store_neon
#define record_with_goal record_with_goal_neon
#define record_sub record_sub_neon
#define record_add record_add_neon
#define outer_zero record_zero_neon
#define outer_add outer_add_neon
#define outer_store record_store_neon

#endif
