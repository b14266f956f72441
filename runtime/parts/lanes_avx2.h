#ifdef SINEW_PASS_AVX2

#define LANES 8
#define lane __m256
#define lane_set(a) _mm256_set1_ps(a)
#define lane_load(p) _mm256_loadu_ps(p)
#define lane_store(p, a) _mm256_storeu_ps(p, a)
#define lane_add(a, b) _mm256_add_ps(a, b)
#define lane_sub(a, b) _mm256_sub_ps(a, b)
#define lane_mul(a, b) _mm256_mul_ps(a, b)
#define lane_min(a, b) _mm256_min_ps(a, b)
#define lane_max(a, b) _mm256_max_ps(a, b)
#define lane_madd(a, b, c) _mm256_fmadd_ps(a, b, c)
#define lane_nmadd(a, b, c) _mm256_fnmadd_ps(a, b, c)
SINEW_INLINE __m256 lane_rsqrt_avx2(__m256 a) {
  const __m256 y = _mm256_rsqrt_ps(a), half = _mm256_mul_ps(_mm256_set1_ps(0.5f), y);
  return _mm256_mul_ps(half, _mm256_fnmadd_ps(_mm256_mul_ps(a, y), y, _mm256_set1_ps(3.0f)));
}
#define lane_rsqrt lane_rsqrt_avx2
SINEW_INLINE __m256 lane_reciprocal_avx2(__m256 a) {
  const __m256 y = _mm256_rcp_ps(a);
  return _mm256_mul_ps(y, _mm256_fnmadd_ps(a, y, _mm256_set1_ps(2.0f)));
}
#define lane_reciprocal lane_reciprocal_avx2
#define lane_select_greater(a, b, yes, no) _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_GT_OQ))
#define lane_any_greater(a, b) _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ))
#define lane_from_u8(p) _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)(p))))
#define lane_from_u16(p) _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)(const void*)(p))))
/* Transposes 4 x 4 within each half: the halves of c[k] belong to vertices k and k + 4. */
SINEW_INLINE void lane_transpose_avx2(__m256 c[4]) {
  const __m256 a = _mm256_unpacklo_ps(c[0], c[1]), b = _mm256_unpackhi_ps(c[0], c[1]);
  const __m256 d = _mm256_unpacklo_ps(c[2], c[3]), e = _mm256_unpackhi_ps(c[2], c[3]);
  c[0] = _mm256_shuffle_ps(a, d, _MM_SHUFFLE(1, 0, 1, 0));
  c[1] = _mm256_shuffle_ps(a, d, _MM_SHUFFLE(3, 2, 3, 2));
  c[2] = _mm256_shuffle_ps(b, e, _MM_SHUFFLE(1, 0, 1, 0));
  c[3] = _mm256_shuffle_ps(b, e, _MM_SHUFFLE(3, 2, 3, 2));
}
SINEW_INLINE void lane_load_columns_avx2(const float* p, __m256 c[4]) {
  int i;
  for (i = 0; i < 4; ++i)
    c[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + record_floats * i)),
                                _mm_loadu_ps(p + record_floats * (i + 4)), 1);
  lane_transpose_avx2(c);
}
#define lane_load_columns lane_load_columns_avx2
SINEW_INLINE void lane_gather_columns_avx2(const float* p, const uint32_t* index, __m256 c[4]) {
  int i;
  for (i = 0; i < 4; ++i)
    c[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + index[i])), _mm_loadu_ps(p + index[i + 4]), 1);
  lane_transpose_avx2(c);
}
#define lane_gather_columns lane_gather_columns_avx2
SINEW_INLINE void lane_store_columns_avx2(float* p, size_t stride, __m256 a, __m256 b, __m256 c, __m256 d) {
  __m256 r[4];
  size_t i;
  r[0] = a, r[1] = b, r[2] = c, r[3] = d;
  lane_transpose_avx2(r);
  for (i = 0; i < 4; ++i) {
    _mm_storeu_ps(p + stride * i, _mm256_castps256_ps128(r[i]));
    _mm_storeu_ps(p + stride * (i + 4), _mm256_extractf128_ps(r[i], 1));
  }
}
#define lane_store_columns lane_store_columns_avx2

typedef struct {
  __m256 xv, gq;
} record_avx2;
typedef struct {
  __m256 c01;
  __m128 c2;
} outer_avx2;
#define record record_avx2
#define outer outer_avx2
SINEW_INLINE record record_zero_avx2(void) {
  record r;
  r.xv = r.gq = _mm256_setzero_ps();
  return r;
}
SINEW_INLINE record record_load_avx2(const float* p) {
  record r;
  r.xv = _mm256_loadu_ps(p);
  r.gq = _mm256_loadu_ps(p + 8);
  return r;
}
SINEW_INLINE void record_store_avx2(float* p, record r) {
  _mm256_storeu_ps(p, r.xv);
  _mm256_storeu_ps(p + 8, r.gq);
}
SINEW_INLINE record record_with_goal_avx2(record r, const float* goal) {
  r.gq = _mm256_insertf128_ps(r.gq, _mm_loadu_ps(goal), 0);
  return r;
}
SINEW_INLINE record record_sub_avx2(record a, record b) {
  a.xv = _mm256_sub_ps(a.xv, b.xv);
  a.gq = _mm256_sub_ps(a.gq, b.gq);
  return a;
}
SINEW_INLINE record record_add_avx2(record a, record b) {
  a.xv = _mm256_add_ps(a.xv, b.xv);
  a.gq = _mm256_add_ps(a.gq, b.gq);
  return a;
}
SINEW_INLINE outer outer_zero_avx2(void) {
  outer r;
  r.c01 = _mm256_setzero_ps();
  r.c2 = _mm_setzero_ps();
  return r;
}
SINEW_INLINE outer outer_add_avx2(outer sum, record d) {
  const __m256 x = _mm256_permute2f128_ps(d.xv, d.xv, 0);
  const __m256 e01 = _mm256_permutevar8x32_ps(d.gq, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
  const __m128 e2 = _mm_permute_ps(_mm256_castps256_ps128(d.gq), _MM_SHUFFLE(2, 2, 2, 2));
  sum.c01 = _mm256_fmadd_ps(x, e01, sum.c01);
  sum.c2 = _mm_fmadd_ps(_mm256_castps256_ps128(d.xv), e2, sum.c2);
  return sum;
}
SINEW_INLINE void outer_store_avx2(float* p, outer r) {
  _mm256_storeu_ps(p, r.c01);
  _mm_storeu_ps(p + 8, r.c2);
}
#define record_zero record_zero_avx2
#define record_load record_load_avx2
#define record_store record_store_avx2
#define record_with_goal record_with_goal_avx2
#define record_sub record_sub_avx2
#define record_add record_add_avx2
#define outer_zero outer_zero_avx2
#define outer_add outer_add_avx2
#define outer_store outer_store_avx2

#endif
