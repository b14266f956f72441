/* ---- the source of the kernels ---- */

/* Two groups of lanes side by side. The rotations of eq. 5 are one long chain of dependent operations, so that two
 * chains take hardly longer than one. */
typedef struct {
  lane a, b;
} SINEW_NAME(wide_pair);
#define wide SINEW_NAME(wide_pair)
#define SINEW_WIDE_2(name)                                    \
  SINEW_INLINE wide SINEW_NAME(wide_##name)(wide x, wide y) { \
    x.a = lane_##name(x.a, y.a);                              \
    x.b = lane_##name(x.b, y.b);                              \
    return x;                                                 \
  }
#define SINEW_WIDE_3(name)                                            \
  SINEW_INLINE wide SINEW_NAME(wide_##name)(wide x, wide y, wide z) { \
    x.a = lane_##name(x.a, y.a, z.a);                                 \
    x.b = lane_##name(x.b, y.b, z.b);                                 \
    return x;                                                         \
  }
SINEW_WIDE_2(add)
SINEW_WIDE_2(sub)
SINEW_WIDE_2(mul)
SINEW_WIDE_2(min)
SINEW_WIDE_2(max)
SINEW_WIDE_3(madd)
SINEW_WIDE_3(nmadd)
SINEW_INLINE wide SINEW_NAME(wide_set)(float value) {
  wide x;
  x.a = x.b = lane_set(value);
  return x;
}
SINEW_INLINE wide SINEW_NAME(wide_reciprocal)(wide x) {
  x.a = lane_reciprocal(x.a);
  x.b = lane_reciprocal(x.b);
  return x;
}
SINEW_INLINE wide SINEW_NAME(wide_rsqrt)(wide x) {
  x.a = lane_rsqrt(x.a);
  x.b = lane_rsqrt(x.b);
  return x;
}
SINEW_INLINE wide SINEW_NAME(wide_select_greater)(wide x, wide y, wide yes, wide no) {
  yes.a = lane_select_greater(x.a, y.a, yes.a, no.a);
  yes.b = lane_select_greater(x.b, y.b, yes.b, no.b);
  return yes;
}
SINEW_INLINE int SINEW_NAME(wide_any_greater)(wide x, wide y) {
  return (int)lane_any_greater(x.a, y.a) | (int)lane_any_greater(x.b, y.b);
}
#define wide_add SINEW_NAME(wide_add)
#define wide_sub SINEW_NAME(wide_sub)
#define wide_mul SINEW_NAME(wide_mul)
#define wide_reciprocal SINEW_NAME(wide_reciprocal)
#define wide_min SINEW_NAME(wide_min)
#define wide_max SINEW_NAME(wide_max)
#define wide_madd SINEW_NAME(wide_madd)
#define wide_nmadd SINEW_NAME(wide_nmadd)
#define wide_set SINEW_NAME(wide_set)
#define wide_rsqrt SINEW_NAME(wide_rsqrt)
#define wide_select_greater SINEW_NAME(wide_select_greater)
#define wide_any_greater SINEW_NAME(wide_any_greater)
