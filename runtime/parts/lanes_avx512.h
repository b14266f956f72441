#ifdef SINEW_PASS_AVX512

#define LANES 16
#define lane __m512
#define lane_set(a) _mm512_set1_ps(a)
#define lane_load(p) _mm512_loadu_ps(p)
#define lane_store(p, a) _mm512_storeu_ps(p, a)
#define lane_add(a, b) _mm512_add_ps(a, b)
#define lane_sub(a, b) _mm512_sub_ps(a, b)
#define lane_mul(a, b) _mm512_mul_ps(a, b)
#define lane_min(a, b) _mm512_min_ps(a, b)
#define lane_max(a, b) _mm512_max_ps(a, b)
#define lane_madd(a, b, c) _mm512_fmadd_ps(a, b, c)
#define lane_nmadd(a, b, c) _mm512_fnmadd_ps(a, b, c)
SINEW_INLINE __m512 lane_rsqrt_avx512(__m512 a) {
  const __m512 y = _mm512_rsqrt14_ps(a), half = _mm512_mul_ps(_mm512_set1_ps(0.5f), y);
  return _mm512_mul_ps(half, _mm512_fnmadd_ps(_mm512_mul_ps(a, y), y, _mm512_set1_ps(3.0f)));
}
#define lane_rsqrt lane_rsqrt_avx512
SINEW_INLINE __m512 lane_reciprocal_avx512(__m512 a) {
  const __m512 y = _mm512_rcp14_ps(a);
  return _mm512_mul_ps(y, _mm512_fnmadd_ps(a, y, _mm512_set1_ps(2.0f)));
}
#define lane_reciprocal lane_reciprocal_avx512
#define lane_select_greater(a, b, yes, no) _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_GT_OQ), no, yes)
#define lane_any_greater(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define lane_from_u8(p) _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)(const void*)(p))))
#define lane_from_u16(p) _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(const void*)(p))))
/* Transposes 4 x 4 within each quarter: the quarters of c[k] belong to vertices k, k + 4, k + 8 and k + 12. */
SINEW_INLINE void lane_transpose_avx512(__m512 c[4]) {
  const __m512 a = _mm512_unpacklo_ps(c[0], c[1]), b = _mm512_unpackhi_ps(c[0], c[1]);
  const __m512 d = _mm512_unpacklo_ps(c[2], c[3]), e = _mm512_unpackhi_ps(c[2], c[3]);
  c[0] = _mm512_shuffle_ps(a, d, _MM_SHUFFLE(1, 0, 1, 0));
  c[1] = _mm512_shuffle_ps(a, d, _MM_SHUFFLE(3, 2, 3, 2));
  c[2] = _mm512_shuffle_ps(b, e, _MM_SHUFFLE(1, 0, 1, 0));
  c[3] = _mm512_shuffle_ps(b, e, _MM_SHUFFLE(3, 2, 3, 2));
}
SINEW_INLINE void lane_load_columns_avx512(const float* p, __m512 c[4]) {
  int i;
  for (i = 0; i < 4; ++i) {
    __m512 r = _mm512_castps128_ps512(_mm_loadu_ps(p + record_floats * i));
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + record_floats * (i + 4)), 1);
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + record_floats * (i + 8)), 2);
    c[i] = _mm512_insertf32x4(r, _mm_loadu_ps(p + record_floats * (i + 12)), 3);
  }
  lane_transpose_avx512(c);
}
#define lane_load_columns lane_load_columns_avx512
SINEW_INLINE void lane_gather_columns_avx512(const float* p, const uint32_t* index, __m512 c[4]) {
  int i;
  for (i = 0; i < 4; ++i) {
    __m512 r = _mm512_castps128_ps512(_mm_loadu_ps(p + index[i]));
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + index[i + 4]), 1);
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + index[i + 8]), 2);
    c[i] = _mm512_insertf32x4(r, _mm_loadu_ps(p + index[i + 12]), 3);
  }
  lane_transpose_avx512(c);
}
#define lane_gather_columns lane_gather_columns_avx512
SINEW_INLINE void lane_store_columns_avx512(float* p, size_t stride, __m512 a, __m512 b, __m512 c, __m512 d) {
  __m512 r[4];
  size_t i;
  r[0] = a, r[1] = b, r[2] = c, r[3] = d;
  lane_transpose_avx512(r);
  for (i = 0; i < 4; ++i) {
    _mm_storeu_ps(p + stride * i, _mm512_castps512_ps128(r[i]));
    _mm_storeu_ps(p + stride * (i + 4), _mm512_extractf32x4_ps(r[i], 1));
    _mm_storeu_ps(p + stride * (i + 8), _mm512_extractf32x4_ps(r[i], 2));
    _mm_storeu_ps(p + stride * (i + 12), _mm512_extractf32x4_ps(r[i], 3));
  }
}
#define lane_store_columns lane_store_columns_avx512
/* Stores whole records of one cache line each: assembles their quarters, then full stores. */
SINEW_INLINE void lane_store_records_avx512(float* p, const __m512 x[4], const __m512 v[4], const __m512 g[4],
                                            const __m512 q[4]) {
  __m512 a[4], b[4], c[4], d[4];
  int i;
  for (i = 0; i < 4; ++i) a[i] = x[i], b[i] = v[i], c[i] = g[i], d[i] = q[i];
  lane_transpose_avx512(a);
  lane_transpose_avx512(b);
  lane_transpose_avx512(c);
  lane_transpose_avx512(d);
  for (i = 0; i < 4; ++i) {
    const __m512 low_a = _mm512_shuffle_f32x4(a[i], b[i], 0x44), high_a = _mm512_shuffle_f32x4(a[i], b[i], 0xee);
    const __m512 low_b = _mm512_shuffle_f32x4(c[i], d[i], 0x44), high_b = _mm512_shuffle_f32x4(c[i], d[i], 0xee);
    _mm512_storeu_ps(p + record_floats * i, _mm512_shuffle_f32x4(low_a, low_b, 0x88));
    _mm512_storeu_ps(p + record_floats * (i + 4), _mm512_shuffle_f32x4(low_a, low_b, 0xdd));
    _mm512_storeu_ps(p + record_floats * (i + 8), _mm512_shuffle_f32x4(high_a, high_b, 0x88));
    _mm512_storeu_ps(p + record_floats * (i + 12), _mm512_shuffle_f32x4(high_a, high_b, 0xdd));
  }
}
#define lane_store_records lane_store_records_avx512

#define record __m512
#define outer __m512
#define record_zero() _mm512_setzero_ps()
#define record_load(p) _mm512_loadu_ps(p)
#define record_store(p, r) _mm512_storeu_ps(p, r)
#define record_with_goal(r, goal) _mm512_insertf32x4(r, _mm_loadu_ps(goal), 2)
#define record_sub(a, b) _mm512_sub_ps(a, b)
#define record_add(a, b) _mm512_add_ps(a, b)
#define outer_zero() _mm512_setzero_ps()
SINEW_INLINE __m512 outer_add_avx512(__m512 sum, __m512 d) {
  const __m512 e = _mm512_permutexvar_ps(_mm512_setr_epi32(8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11), d);
  return _mm512_fmadd_ps(_mm512_shuffle_f32x4(d, d, 0), e, sum);
}
#define outer_add outer_add_avx512
#define outer_store(p, r) _mm512_storeu_ps(p, r)

#endif
