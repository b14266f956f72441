#ifdef SINEW_PASS_SSE2

#define LANES 4
#define lane __m128
#define lane_set(a) _mm_set1_ps(a)
#define lane_load(p) _mm_loadu_ps(p)
#define lane_store(p, a) _mm_storeu_ps(p, a)
#define lane_add(a, b) _mm_add_ps(a, b)
#define lane_sub(a, b) _mm_sub_ps(a, b)
#define lane_mul(a, b) _mm_mul_ps(a, b)
#define lane_min(a, b) _mm_min_ps(a, b)
#define lane_max(a, b) _mm_max_ps(a, b)
#define lane_madd(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define lane_nmadd(a, b, c) _mm_sub_ps(c, _mm_mul_ps(a, b))
SINEW_INLINE __m128 lane_rsqrt_sse2(__m128 a) {
  const __m128 y = _mm_rsqrt_ps(a), half = _mm_mul_ps(_mm_set1_ps(0.5f), y);
  return _mm_mul_ps(half, _mm_sub_ps(_mm_set1_ps(3.0f), _mm_mul_ps(_mm_mul_ps(a, y), y)));
}
#define lane_rsqrt lane_rsqrt_sse2
SINEW_INLINE __m128 lane_reciprocal_sse2(__m128 a) {
  const __m128 y = _mm_rcp_ps(a);
  return _mm_mul_ps(y, _mm_sub_ps(_mm_set1_ps(2.0f), _mm_mul_ps(a, y)));
}
#define lane_reciprocal lane_reciprocal_sse2
SINEW_INLINE __m128 lane_select_sse2(__m128 a, __m128 b, __m128 yes, __m128 no) {
  const __m128 greater = _mm_cmpgt_ps(a, b);
  return _mm_or_ps(_mm_and_ps(greater, yes), _mm_andnot_ps(greater, no));
}
#define lane_select_greater lane_select_sse2
#define lane_any_greater(a, b) _mm_movemask_ps(_mm_cmpgt_ps(a, b))
SINEW_INLINE __m128 lane_from_u8_sse2(const uint8_t* p) {
  const __m128i zero = _mm_setzero_si128();
  int32_t four;
  memcpy(&four, p, sizeof four);
  return _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero), zero));
}
#define lane_from_u8 lane_from_u8_sse2
#define lane_from_u16(p) \
  _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i*)(const void*)(p)), _mm_setzero_si128()))
SINEW_INLINE void lane_load_columns_sse2(const float* p, __m128 c[4]) {
  c[0] = _mm_loadu_ps(p);
  c[1] = _mm_loadu_ps(p + record_floats);
  c[2] = _mm_loadu_ps(p + 2 * record_floats);
  c[3] = _mm_loadu_ps(p + 3 * record_floats);
  _MM_TRANSPOSE4_PS(c[0], c[1], c[2], c[3]);
}
#define lane_load_columns lane_load_columns_sse2
SINEW_INLINE void lane_gather_columns_sse2(const float* p, const uint32_t* index, __m128 c[4]) {
  int i;
  for (i = 0; i < 4; ++i) c[i] = _mm_loadu_ps(p + index[i]);
  _MM_TRANSPOSE4_PS(c[0], c[1], c[2], c[3]);
}
#define lane_gather_columns lane_gather_columns_sse2
SINEW_INLINE void lane_store_columns_sse2(float* p, size_t stride, __m128 a, __m128 b, __m128 c, __m128 d) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_storeu_ps(p, a);
  _mm_storeu_ps(p + stride, b);
  _mm_storeu_ps(p + 2 * stride, c);
  _mm_storeu_ps(p + 3 * stride, d);
}
#define lane_store_columns lane_store_columns_sse2

/* Position, velocity and goal of a record, without the rotation, which only the vertex itself uses. */
typedef struct {
  __m128 x, v, g;
} record_sse2;
#define record record_sse2
#define outer record_sse2
SINEW_INLINE record record_zero_sse2(void) {
  record r;
  r.x = r.v = r.g = _mm_setzero_ps();
  return r;
}
SINEW_INLINE record record_load_sse2(const float* p) {
  record r;
  r.x = _mm_loadu_ps(p);
  r.v = _mm_loadu_ps(p + 4);
  r.g = _mm_loadu_ps(p + 8);
  return r;
}
SINEW_INLINE void record_store_sse2(float* p, record r) {
  _mm_storeu_ps(p, r.x);
  _mm_storeu_ps(p + 4, r.v);
  _mm_storeu_ps(p + 8, r.g);
}
SINEW_INLINE record record_with_goal_sse2(record r, const float* goal) {
  r.g = _mm_loadu_ps(goal);
  return r;
}
SINEW_INLINE record record_sub_sse2(record a, record b) {
  a.x = _mm_sub_ps(a.x, b.x);
  a.v = _mm_sub_ps(a.v, b.v);
  a.g = _mm_sub_ps(a.g, b.g);
  return a;
}
SINEW_INLINE record record_add_sse2(record a, record b) {
  a.x = _mm_add_ps(a.x, b.x);
  a.v = _mm_add_ps(a.v, b.v);
  a.g = _mm_add_ps(a.g, b.g);
  return a;
}
SINEW_INLINE record outer_add_sse2(record sum, record d) {
  sum.x = _mm_add_ps(sum.x, _mm_mul_ps(d.x, _mm_shuffle_ps(d.g, d.g, _MM_SHUFFLE(0, 0, 0, 0))));
  sum.v = _mm_add_ps(sum.v, _mm_mul_ps(d.x, _mm_shuffle_ps(d.g, d.g, _MM_SHUFFLE(1, 1, 1, 1))));
  sum.g = _mm_add_ps(sum.g, _mm_mul_ps(d.x, _mm_shuffle_ps(d.g, d.g, _MM_SHUFFLE(2, 2, 2, 2))));
  return sum;
}
#define record_zero record_zero_sse2
#define record_load record_load_sse2
#define record_store record_store_sse2
#define record_with_goal record_with_goal_sse2
#define record_sub record_sub_sse2
#define record_add record_add_sse2
#define outer_zero record_zero_sse2
#define outer_add outer_add_sse2
#define outer_store record_store_sse2

#endif
