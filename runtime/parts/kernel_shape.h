/* Sum over modes of their numbers (displacements or rotations) times `coordinates`. */
SINEW_INLINE void SINEW_NAME(sum_modes)(uint32_t modes, const float* coordinates, const uint16_t* numbers, lane to[3]) {
  lane sum = lane_set(0.0f);
  uint32_t k;
  int i;
  for (k = 0; k < modes; ++k) sum = lane_add(sum, lane_set(coordinates[k]));
  for (i = 0; i < 3; ++i) to[i] = lane_mul(sum, lane_set(-(float)mode_zero));
  for (k = 0; k < modes; ++k)
    for (i = 0; i < 3; ++i)
      to[i] = lane_madd(lane_set(coordinates[k]), lane_from_u16(numbers + mode_numbers * k + block_size * (uint32_t)i),
                        to[i]);
}

/* Rotates a normal by the modes: n + t x n, normalised. */
SINEW_INLINE void SINEW_NAME(turn_by_modes)(const lane t[3], lane n[3]) {
  const lane x = lane_add(n[0], lane_nmadd(t[2], n[1], lane_mul(t[1], n[2])));
  const lane y = lane_add(n[1], lane_nmadd(t[0], n[2], lane_mul(t[2], n[0])));
  const lane z = lane_add(n[2], lane_nmadd(t[1], n[0], lane_mul(t[0], n[1])));
  const lane scale = lane_rsqrt(lane_madd(x, x, lane_madd(y, y, lane_mul(z, z))));
  n[0] = lane_mul(x, scale);
  n[1] = lane_mul(y, scale);
  n[2] = lane_mul(z, scale);
}

/* Clamps a displacement: d / sqrt(1 + bound |d|^2 / range^2). */
SINEW_INLINE void SINEW_NAME(bound)(const shape_work* work, const uint8_t* codes, lane d[3]) {
  const lane code = lane_mul(lane_from_u8(codes), lane_set(1.0f / 255.0f));
  const lane range = lane_max(lane_mul(lane_set(work->model->reach), lane_mul(code, code)),
                              lane_set((float)SINEW_LEAST_RANGE * work->model->height));
  const lane sum = lane_madd(lane_set(work->bound), SINEW_NAME(squared)(d), lane_mul(range, range));
  const lane share = lane_mul(range, lane_rsqrt(sum));
  int i;
  for (i = 0; i < 3; ++i) d[i] = lane_mul(d[i], share);
}

/* Computes the output of blocks `begin` to `end`. */
static void SINEW_NAME(shape_blocks)(const shape_work* work, uint32_t begin, uint32_t end) {
  uint32_t block, v;
  for (block = begin; block < end; ++block) {
    const sinew_model* model = work->model;
    block_view of;
    const float* normals = model->normals + (size_t)3 * block_size * block;
    const int is_between = work->share < 1.0f;
    const size_t mode_block = (size_t)mode_numbers * work->modes * block;
    if (block + blocks_fetched_ahead < model->blocks) {
      const size_t floats = (size_t)record_floats * block_size * (block + blocks_fetched_ahead);
      for (v = 0; v < block_size; ++v) SINEW_FETCH(work->now + floats + record_floats * v, 0);
      for (v = 0; is_between && v < block_size; ++v) SINEW_FETCH(work->before + floats + record_floats * v, 0);
    }
    find_block(model, block, &of);
    for (v = 0; v < block_size; v += LANES) {
      const size_t place = (size_t)block * block_size + v;
      const float *now = work->now + record_floats * place, *before = work->before + record_floats * place;
      const lane share = lane_set(work->share), zero = lane_set(0.0f);
      const int poses = work->positions && (work->goals_are_shown || work->modes > 0);
      const int blends = !work->motions && (poses || (work->normals && !model->rest_reference));
      lane m[12]; /* blended once, for positions and normals */
      SINEW_NAME(blend)(work->bones, of.bone, blends ? of.head->bones : 0, of.weights + v, m);
      if (work->positions) {
        lane x[4];
        lane_load_columns(now, x);
        if (work->goals_are_shown || work->modes > 0 || work->is_bounded) {
          lane goal[3], g[4], old_x[4], old_g[4];
          int i;
          lane_load_columns(now + 8, g);
          for (i = 0; i < 3; ++i) goal[i] = g[i];
          if (poses) {
            lane at[3] = {lane_load(of.rest + v), lane_load(of.rest + block_size + v),
                          lane_load(of.rest + 2 * block_size + v)};
            if (work->modes > 0) {
              lane moved[3];
              SINEW_NAME(sum_modes)(work->modes, work->mode, model->mode_shape + mode_block + v, moved);
              for (i = 0; i < 3; ++i) at[i] = lane_add(at[i], moved[i]);
            }
            if (work->motions)
              SINEW_NAME(move)(work->motions, of.bone, of.head->bones, of.weights + v, at, goal);
            else
              for (i = 0; i < 3; ++i)
                goal[i] = lane_madd(m[4 * i], at[0],
                                    lane_madd(m[4 * i + 1], at[1], lane_madd(m[4 * i + 2], at[2], m[4 * i + 3])));
          }
          for (i = 0; i < 3; ++i) x[i] = lane_sub(x[i], g[i]);
          if (is_between) {
            lane_load_columns(before, old_x);
            lane_load_columns(before + 8, old_g);
            for (i = 0; i < 3; ++i) {
              const lane old = lane_sub(old_x[i], old_g[i]);
              x[i] = lane_madd(share, lane_sub(x[i], old), old);
            }
          }
          if (work->is_bounded) SINEW_NAME(bound)(work, of.head->range + v, x);
          for (i = 0; i < 3; ++i) x[i] = lane_add(goal[i], x[i]);
        }
        lane_store_columns(work->positions + 4 * place, 4, x[0], x[1], x[2], zero);
      }
      if (work->normals) {
        lane n[3], q[4], old_q[4], sign, scale;
        int i;
        n[0] = lane_load(normals + v);
        n[1] = lane_load(normals + block_size + v);
        n[2] = lane_load(normals + 2 * block_size + v);
        if (work->modes > 0) {
          lane turn[3];
          SINEW_NAME(sum_modes)(work->modes, work->turn, model->mode_turn + mode_block + v, turn);
          SINEW_NAME(turn_by_modes)(turn, n);
        }
        if (!model->rest_reference) {
          /* Cofactors of the blended matrix, which transform areas; of the blended stretch before a rotation. */
          lane c[3], turn[4];
          if (work->motions) {
            lane dual[4], stretch[9];
            SINEW_NAME(blend_motions)
            (work->motions, of.bone, of.head->bones, of.weights + v, turn, dual, stretch);
            for (i = 0; i < 9; ++i) m[4 * (i / 3) + i % 3] = lane_add(stretch[i], lane_set(i % 4 == 0 ? 1.0f : 0.0f));
            scale = lane_madd(turn[2], turn[2], lane_mul(turn[3], turn[3]));
            scale = lane_madd(turn[0], turn[0], lane_madd(turn[1], turn[1], scale));
            scale = lane_rsqrt(lane_max(scale, lane_set(1e-12f)));
            for (i = 0; i < 4; ++i) turn[i] = lane_mul(turn[i], scale);
          }
#define SINEW_COFACTOR(a, b, c, d) lane_nmadd(m[b], m[c], lane_mul(m[a], m[d]))
          c[0] = lane_madd(SINEW_COFACTOR(5, 6, 9, 10), n[0],
                           lane_madd(SINEW_COFACTOR(6, 4, 10, 8), n[1], lane_mul(SINEW_COFACTOR(4, 5, 8, 9), n[2])));
          c[1] = lane_madd(SINEW_COFACTOR(9, 10, 1, 2), n[0],
                           lane_madd(SINEW_COFACTOR(10, 8, 2, 0), n[1], lane_mul(SINEW_COFACTOR(8, 9, 0, 1), n[2])));
          c[2] = lane_madd(SINEW_COFACTOR(1, 2, 5, 6), n[0],
                           lane_madd(SINEW_COFACTOR(2, 0, 6, 4), n[1], lane_mul(SINEW_COFACTOR(0, 1, 4, 5), n[2])));
#undef SINEW_COFACTOR
          scale = SINEW_NAME(squared)(c);
          for (i = 0; i < 3; ++i) /* a flattened bone leaves the normal unchanged */
            n[i] = lane_select_greater(scale, lane_set(1e-24f),
                                       lane_mul(c[i], lane_rsqrt(lane_max(scale, lane_set(1e-24f)))), n[i]);
          if (work->motions) SINEW_NAME(rotate)(turn, n);
        }
        lane_load_columns(now + 12, q);
        if (is_between) {
          lane_load_columns(before + 12, old_q);
          sign = lane_madd(q[2], old_q[2], lane_mul(q[3], old_q[3]));
          sign = lane_madd(q[0], old_q[0], lane_madd(q[1], old_q[1], sign));
          sign = lane_select_greater(zero, sign, lane_set(-1.0f), lane_set(1.0f));
          for (i = 0; i < 4; ++i) {
            const lane old = lane_mul(sign, old_q[i]);
            q[i] = lane_madd(share, lane_sub(q[i], old), old);
          }
          scale = lane_madd(q[2], q[2], lane_mul(q[3], q[3]));
          scale = lane_rsqrt(lane_madd(q[0], q[0], lane_madd(q[1], q[1], scale)));
          for (i = 0; i < 4; ++i) q[i] = lane_mul(q[i], scale);
        }
        SINEW_NAME(rotate)(q, n);
        lane_store_columns(work->normals + 4 * place, 4, n[0], n[1], n[2], zero);
      }
    }
  }
}
