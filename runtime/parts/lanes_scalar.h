/* ---- lanes: a float for each of several vertices; records: one vertex's; outer products as wide as a record ---- */

#ifdef SINEW_PASS_SCALAR

#define LANES 1
#define lane float
#define lane_set(a) (a)
#define lane_load(p) (*(p))
#define lane_store(p, a) (*(p) = (a))
#define lane_add(a, b) ((a) + (b))
#define lane_sub(a, b) ((a) - (b))
#define lane_mul(a, b) ((a) * (b))
#define lane_reciprocal(a) (1.0f / (a))
#define lane_madd(a, b, c) ((a) * (b) + (c))
#define lane_nmadd(a, b, c) ((c) - (a) * (b))
#define lane_rsqrt(a) (1.0f / sqrtf(a))
#define lane_from_u8(p) ((float)*(p))
#define lane_from_u16(p) ((float)*(p))
SINEW_INLINE float lane_min_scalar(float a, float b) { return a < b ? a : b; }
SINEW_INLINE float lane_max_scalar(float a, float b) { return a > b ? a : b; }
SINEW_INLINE float lane_select_scalar(float a, float b, float yes, float no) { return a > b ? yes : no; }
#define lane_min lane_min_scalar
#define lane_max lane_max_scalar
#define lane_select_greater lane_select_scalar
#define lane_any_greater(a, b) ((a) > (b))
#define lane_load_columns(p, c) memcpy(c, p, 4 * sizeof(float))
#define lane_gather_columns(p, index, c) memcpy(c, (p) + *(index), 4 * sizeof(float))
#define lane_store_columns(p, stride, a, b, c, d) ((p)[0] = (a), (p)[1] = (b), (p)[2] = (c), (p)[3] = (d))

typedef struct {
  float f[record_floats];
} record_scalar;
#define record record_scalar
#define outer record_scalar
SINEW_INLINE record record_zero_scalar(void) {
  record r;
  memset(&r, 0, sizeof r);
  return r;
}
SINEW_INLINE record record_load_scalar(const float* p) {
  record r;
  memcpy(&r, p, sizeof r);
  return r;
}
SINEW_INLINE record record_with_goal_scalar(record r, const float* goal) {
  memcpy(r.f + 8, goal, 4 * sizeof(float));
  return r;
}
SINEW_INLINE record record_sub_scalar(record a, record b) {
  int i;
  for (i = 0; i < record_floats; ++i) a.f[i] -= b.f[i];
  return a;
}
SINEW_INLINE record record_add_scalar(record a, record b) {
  int i;
  for (i = 0; i < record_floats; ++i) a.f[i] += b.f[i];
  return a;
}
SINEW_INLINE record outer_add_scalar(record sum, record d) {
  int i, j;
  for (j = 0; j < 3; ++j)
    for (i = 0; i < 3; ++i) sum.f[4 * j + i] += d.f[i] * d.f[8 + j];
  return sum;
}
#define record_zero record_zero_scalar
#define record_load record_load_scalar
#define record_store(p, r) memcpy(p, (r).f, sizeof(r).f)
#define record_with_goal record_with_goal_scalar
#define record_sub record_sub_scalar
#define record_add record_add_scalar
#define outer_zero record_zero_scalar
#define outer_add outer_add_scalar
#define outer_store(p, r) memcpy(p, (r).f, sizeof(r).f)

#endif
