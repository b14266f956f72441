/* For each vertex i of a block, the sums over its neighbours j: of record i - record j, and A (eq. 5). `rest` is
 * null with the rig as reference. */
SINEW_INLINE void SINEW_NAME(sum_neighbours)(const float* records, const float* rest, uint32_t first,
                                             const uint32_t* neighbours, uint32_t slots, float* sums, float* outers) {
  uint32_t v, s;
  for (v = 0; v < block_size; ++v) {
    const uint32_t own_place = (first + v) * record_floats;
    record own = record_load(records + own_place), sum = record_zero();
    outer product = outer_zero();
    if (rest) own = record_with_goal(own, rest + own_place / 4);
    for (s = 0; s < slots; ++s) {
      const uint32_t other_place = neighbours[s];
      record other = record_load(records + other_place);
      if (rest) other = record_with_goal(other, rest + other_place / 4);
      other = record_sub(own, other);
      sum = record_add(sum, other);
      product = outer_add(product, other);
    }
    record_store(sums + record_floats * v, sum);
    outer_store(outers + record_floats * v, product);
    neighbours += slots;
  }
}

/* Intermediate values of a block's step. */
typedef struct {
  SINEW_ALIGNED float sums[block_size * record_floats];
  float outers[block_size * record_floats];
  float x[3 * block_size], g[3 * block_size], goal[3 * block_size], pull[3 * block_size];
  float q[4 * block_size];
} SINEW_NAME(block_scratch);

SINEW_INLINE void SINEW_NAME(store_planes)(float* planes, const lane a[3]) {
  lane_store(planes, a[0]);
  lane_store(planes + block_size, a[1]);
  lane_store(planes + 2 * block_size, a[2]);
}

SINEW_INLINE void SINEW_NAME(load_planes)(const float* planes, lane a[3]) {
  a[0] = lane_load(planes);
  a[1] = lane_load(planes + block_size);
  a[2] = lane_load(planes + 2 * block_size);
}

/* Prefetches the data of a block some steps ahead, for bodies that do not fit a cache. */
SINEW_INLINE void SINEW_NAME(fetch_ahead)(const step_work* work, uint32_t block) {
  const sinew_model* model = work->model;
  const uint32_t ahead = block + blocks_fetched_ahead;
  if (ahead < model->blocks) {
    const size_t floats = (size_t)record_floats * block_size * ahead;
    const unsigned char* data = model->block_data + (size_t)64 * model->block_begin[ahead];
    const unsigned char* end = model->block_data + (size_t)64 * model->block_begin[ahead + 1];
    uint32_t v;
    for (v = 0; v < block_size; ++v) SINEW_FETCH(work->now + floats + record_floats * v, 0);
    for (v = 0; v < block_size; ++v) SINEW_FETCH(work->next + floats + record_floats * v, 1);
    for (; data < end; data += 64) SINEW_FETCH(data, 0);
  }
}

/* Gathers the contributions of neighbours, bones and segments. */
SINEW_INLINE void SINEW_NAME(gather_block)(const step_work* work, uint32_t block, const block_view* of,
                                           SINEW_NAME(block_scratch) * to) {
  const sinew_model* model = work->model;
  uint32_t v;
  if (model->rest_reference) SINEW_NAME(sum_neighbours)
  (work->now, model->rest, block * block_size, of->neighbours, of->head->slots, to->sums, to->outers);
  else SINEW_NAME(sum_neighbours)(work->now, NULL, block * block_size, of->neighbours, of->head->slots, to->sums,
                                  to->outers);
  for (v = 0; v < block_size; v += LANES) {
    const size_t floats = (size_t)record_floats * (block * block_size + v);
    lane x[4], g[4], goal[4], pull[3];
    lane_load_columns(work->now + floats, x);
    lane_load_columns(work->now + floats + 8, g);
    if (work->goals_are_given) {
      lane_load_columns(work->next + floats + 8, goal);
    } else {
      lane at[3];
      SINEW_NAME(load_planes)(of->rest + v, at);
      SINEW_NAME(pose)(work->bones, work->motions, of->bone, of->head->bones, of->weights + v, at, goal);
    }
    SINEW_NAME(pull_of_spokes)
    (work->segments, of->segment, of->head->is_pulled || work->parameters ? of->head->segments : 0, of->spokes + v,
     model->rest_reference ? of->rest_lengths + v : NULL, (float)SINEW_SHORTEST_SPOKE * model->height, x, g, pull);
    SINEW_NAME(store_planes)(to->x + v, x);
    SINEW_NAME(store_planes)(to->g + v, g);
    SINEW_NAME(store_planes)(to->goal + v, goal);
    SINEW_NAME(store_planes)(to->pull + v, pull);
  }
}

/* Anisotropic restoration Q S Q^T d, with the rotations Q of bones. */
SINEW_INLINE void SINEW_NAME(restore_by_shape)(const float* frames, const uint32_t* frame, const float* shape,
                                               lane d[3]) {
  const lane zero = lane_set(0.0f);
  const lane xx = lane_load(shape), yy = lane_load(shape + block_size), zz = lane_load(shape + 2 * block_size);
  const lane xy = lane_load(shape + 3 * block_size), xz = lane_load(shape + 4 * block_size);
  const lane yz = lane_load(shape + 5 * block_size);
  lane q[4], back[4], e[3];
  lane_gather_columns(frames, frame, q);
  back[0] = lane_sub(zero, q[0]);
  back[1] = lane_sub(zero, q[1]);
  back[2] = lane_sub(zero, q[2]);
  back[3] = q[3];
  SINEW_NAME(rotate)(back, d);
  e[0] = lane_madd(xx, d[0], lane_madd(xy, d[1], lane_mul(xz, d[2])));
  e[1] = lane_madd(xy, d[0], lane_madd(yy, d[1], lane_mul(yz, d[2])));
  e[2] = lane_madd(xz, d[0], lane_madd(yz, d[1], lane_mul(zz, d[2])));
  SINEW_NAME(rotate)(q, e);
  d[0] = e[0];
  d[1] = e[1];
  d[2] = e[2];
}

/* Equations 3 to 11 from the gathered sums. */
SINEW_INLINE void SINEW_NAME(finish_block)(const step_work* work, uint32_t block, const block_view* of,
                                           const SINEW_NAME(block_scratch) * from) {
  uint32_t v;
  for (v = 0; v < block_size; v += LANES) {
    const size_t floats = (size_t)record_floats * (block * block_size + v);
    const float *now = work->now + floats, *sum = from->sums + record_floats * v;
    float* next = work->next + floats;
    const lane zero = lane_set(0.0f), inverse_step = lane_set(work->inverse_step);
    const lane share = lane_load(of->inverse_count + v), reach = lane_set(work->reach);
    const lane reach_2 = lane_mul(reach, reach);
    lane x[4], u[4], g[3], q[4], goal[4], pull[3], mean[4], drift[4], edge[4], goal_velocity[3], offset[3],
        toward_goal[3];
    lane alpha, beta, gamma, lambda, delta, distance_2, back;
    int i;

    SINEW_NAME(load_planes)(from->x + v, x);
    SINEW_NAME(load_planes)(from->g + v, g);
    SINEW_NAME(load_planes)(from->goal + v, goal);
    SINEW_NAME(load_planes)(from->pull + v, pull);
    for (i = 0; i < 4; ++i) q[i] = lane_load(from->q + block_size * i + v);
    lane_load_columns(now + 4, u);
    lane_load_columns(sum, mean);
    lane_load_columns(sum + 4, drift);
    lane_load_columns(sum + 8, edge);
    SINEW_NAME(rotate)(q, edge);

    if (work->parameters) {
      const float* given = work->parameters + (size_t)SINEW_PARAMETERS * block_size * block + v;
      alpha = lane_load(given);
      beta = lane_load(given + block_size);
      gamma = lane_load(given + 2 * block_size);
      lambda = lane_load(given + 3 * block_size);
      delta = lane_load(given + 4 * block_size);
    } else {
      const lane per_code = lane_set(1.0f / 255.0f);
      alpha = lane_mul(lane_from_u8(of->head->codes[SINEW_ALPHA] + v), per_code);
      beta = lane_mul(lane_from_u8(of->head->codes[SINEW_BETA] + v), per_code);
      gamma = lane_mul(lane_from_u8(of->head->codes[SINEW_GAMMA] + v), per_code);
      lambda = lane_mul(lane_from_u8(of->head->codes[SINEW_LAMBDA] + v), per_code);
      delta = lane_mul(lane_from_u8(of->head->codes[SINEW_DELTA] + v), per_code);
      alpha = lane_mul(alpha, alpha);
      beta = lane_mul(beta, beta);
      gamma = lane_mul(gamma, gamma);
      lambda = lane_mul(lane_set(0.5f), lane_mul(lambda, lambda));
      delta = lane_mul(delta, delta);
    }
    gamma = lane_mul(gamma, lane_set(1.0f / (float)weight_one));
    beta = lane_mul(beta, share);
    lambda = lane_mul(lambda, share);

    for (i = 0; i < 3; ++i) toward_goal[i] = lane_sub(g[i], x[i]);
    if (work->model->has_shape) SINEW_NAME(restore_by_shape)(work->frames, of->frame + v, of->shape + v, toward_goal);

    for (i = 0; i < 3; ++i) {
      /* Sums are of i - j: goal (4), neighbours' shape (7), spokes (8), then (9) and the rest of (3) and (10). */
      lane spring = lane_mul(alpha, toward_goal[i]);
      lane velocity;
      goal_velocity[i] = lane_mul(lane_sub(goal[i], g[i]), inverse_step);
      spring = lane_madd(beta, lane_sub(edge[i], mean[i]), spring);
      spring = lane_madd(gamma, pull[i], spring);
      velocity = lane_madd(spring, inverse_step, u[i]);
      velocity = lane_nmadd(lambda, drift[i], velocity);
      velocity = lane_madd(delta, lane_sub(goal_velocity[i], u[i]), velocity);
      velocity = lane_add(velocity, lane_nmadd(lane_set(work->air), u[i], lane_set(work->push[i])));
      x[i] = lane_madd(lane_set(work->step), velocity, x[i]); /* (11) */
      u[i] = velocity;
      offset[i] = lane_sub(x[i], goal[i]);
    }
    distance_2 = SINEW_NAME(squared)(offset);
    back = lane_mul(reach, lane_rsqrt(lane_max(distance_2, reach_2)));
    for (i = 0; i < 3; ++i) {
      x[i] = lane_select_greater(distance_2, reach_2, lane_madd(offset[i], back, goal[i]), x[i]);
      u[i] = lane_select_greater(distance_2, reach_2, goal_velocity[i], u[i]);
    }
    x[3] = u[3] = goal[3] = zero;
#ifdef lane_store_records
    lane_store_records(next, x, u, goal, q);
#else
    lane_store_columns(next, record_floats, x[0], x[1], x[2], zero);
    lane_store_columns(next + 4, record_floats, u[0], u[1], u[2], zero);
    lane_store_columns(next + 8, record_floats, goal[0], goal[1], goal[2], zero);
    lane_store_columns(next + 12, record_floats, q[0], q[1], q[2], q[3]);
#endif
  }
}

/* Steps two blocks at a time; a single last one is paired with itself. */
static void SINEW_NAME(step_blocks)(const step_work* work, uint32_t begin, uint32_t end) {
  SINEW_NAME(block_scratch) scratch[2];
  for (; begin < end; begin += 2) {
    const uint32_t block[2] = {begin, begin + 1 < end ? begin + 1 : begin};
    const size_t block_floats = (size_t)record_floats * block_size;
    block_view of[2];
    uint32_t i, v;
    for (i = 0; i < 2; ++i) {
      find_block(work->model, block[i], &of[i]);
      SINEW_NAME(fetch_ahead)(work, block[i]);
      SINEW_NAME(gather_block)(work, block[i], &of[i], &scratch[i]);
    }
    for (v = 0; v < block_size; v += LANES) {
      const size_t floats = (size_t)record_floats * v;
      SINEW_NAME(neighbourhoods) pair[2];
      for (i = 0; i < 2; ++i) {
        pair[i].outers = scratch[i].outers + floats;
        pair[i].records = work->now + block_floats * block[i] + floats;
        pair[i].pull = of[i].frame_pull + v;
        pair[i].frame = work->model->rest_reference ? of[i].frame + v : NULL;
      }
      SINEW_NAME(find_rotations)(pair, work->frames, scratch[0].q + v, scratch[1].q + v);
    }
    for (i = 0; i < 2; ++i) SINEW_NAME(finish_block)(work, block[i], &of[i], &scratch[i]);
  }
}

/* Computes only goals, for the bones of the work, into the records of `next`. */
static void SINEW_NAME(goal_blocks)(const step_work* work, uint32_t begin, uint32_t end) {
  uint32_t block, v;
  for (block = begin; block < end; ++block) {
    const sinew_model* model = work->model;
    block_view of;
    find_block(model, block, &of);
    for (v = 0; v < block_size; v += LANES) {
      const lane at[3] = {lane_load(of.rest + v), lane_load(of.rest + block_size + v),
                          lane_load(of.rest + 2 * block_size + v)};
      lane goal[3];
      SINEW_NAME(pose)(work->bones, work->motions, of.bone, of.head->bones, of.weights + v, at, goal);
      lane_store_columns(work->next + (size_t)record_floats * (block * block_size + v) + 8, record_floats, goal[0],
                         goal[1], goal[2], lane_set(0.0f));
    }
  }
}
