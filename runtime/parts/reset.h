/* ---- reset ---- */

/* The rotation of a place's blended bones; the identity without bones. */
static void blended_rotation(const sinew_model* model, const float* bones, uint32_t place, float q[4]) {
  double blended[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, sum = 0;
  uint32_t b, row, column;
  block_view block;
  q[0] = q[1] = q[2] = 0;
  q[3] = 1;
  find_block(model, place / block_size, &block);
  for (b = 0; b < block.head->bones; ++b) {
    const uint32_t begin = block.bone[b], weight = block.weights[(size_t)block_size * b + place % block_size];
    if (weight == 0 || begin == model->bones * posed_bone_floats) continue;
    sum += weight;
    for (row = 0; row < 3; ++row)
      for (column = 0; column < 3; ++column)
        blended[3 * row + column] += (double)weight * bones[begin + 4 * row + column];
  }
  if (sum > 0) rotation_of(blended, q);
}

/* Rotation of every vertex at reset: the identity relative to the rig; that of the blended matrices relative to
 * rest. */
static void reset_rotations(const sinew_body* body, const float* bones, float* records) {
  uint32_t place;
  for (place = 0; place < body->model->blocks * block_size; ++place) {
    float* q = records + (size_t)record_floats * place + 12;
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
    if (body->model->rest_reference) blended_rotation(body->model, bones, place, q);
  }
}

static sinew_status check_goals(const sinew_body* body, const float* goals, size_t stride) {
  uint32_t v;
  if (!goals || stride < 3 * sizeof(float)) return SINEW_BAD_ARGUMENT;
  for (v = 0; v < body->model->vertices; ++v) {
    float goal[3];
    memcpy(goal, (const char*)goals + stride * v, sizeof goal);
    if (!are_within(goal, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  }
  return SINEW_OK;
}

static void put_goals(const sinew_body* body, const float* goals, size_t stride, float* records) {
  uint32_t place;
  for (place = 0; place < body->model->vertices; ++place)
    memcpy(records + (size_t)record_floats * place + 8, (const char*)goals + stride * body->model->order[place],
           3 * sizeof(float));
}

static const kernels* kernels_of(sinew_simd level);

static void skin_goals(sinew_body* body, const float* bones, float* records) {
  step_work step;
  task_work work;
  memset(&step, 0, sizeof step);
  memset(&work, 0, sizeof work);
  pose_bones(body, bones);
  step.model = body->model;
  step.bones = body->posed;
  step.motions = motions_of(body);
  step.next = records;
  work.step = kernels_of(body->simd)->goals;
  work.step_of = &step;
  run_over_blocks(body, &work);
}

static void show_step(sinew_body* body, const float* bones) {
  copy_floats(body->frame_bones, bones, (size_t)12 * body->model->bones);
  body->clock = 0;
  body->goals_are_shown = body->positions_stand = body->normals_stand = 0;
}

static sinew_status reset(sinew_body* body, const float* bones, const float* before, const float* goals,
                          size_t stride) {
  const size_t places = (size_t)body->model->blocks * block_size;
  float *now = body->records[0], *old = body->records[1];
  size_t place;
  int i;
  memset(now, 0, places * record_floats * sizeof(float));
  memset(old, 0, places * record_floats * sizeof(float));
  if (before) skin_goals(body, before, old);
  if (goals)
    put_goals(body, goals, stride, now);
  else
    skin_goals(body, bones, now);
  reset_rotations(body, bones, now);
  for (place = 0; place < places; ++place) {
    float *record = now + record_floats * place, *old_record = old + record_floats * place;
    for (i = 0; i < 3; ++i) {
      record[i] = record[8 + i];
      if (before) record[4 + i] = (record[8 + i] - old_record[8 + i]) / body->model->step;
    }
  }
  memcpy(old, now, places * record_floats * sizeof(float));
  body->now = 0;
  body->held = 0;
  body->looseness = 0;
  body->is_reset = 1;
  copy_floats(body->step_bones, bones, (size_t)12 * body->model->bones);
  rest_modes(body, before ? before : bones);
  pose_segments(body, body->step_bones);
  show_step(body, bones);
  return SINEW_OK;
}

sinew_status sinew_body_reset(sinew_body* body, const float* bones, const float* bones_before) {
  sinew_status status;
  if (!body) return SINEW_BAD_ARGUMENT;
  status = check_bones(body, bones);
  if (status == SINEW_OK && bones_before) status = check_bones(body, bones_before);
  return status ? status : reset(body, bones, bones_before, NULL, 0);
}

sinew_status sinew_body_reset_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride) {
  sinew_status status;
  if (!body) return SINEW_BAD_ARGUMENT;
  status = check_bones(body, bones);
  if (status == SINEW_OK) status = check_goals(body, goals, stride);
  return status ? status : reset(body, bones, NULL, goals, stride);
}

/* The product a b of two rotations. */
static void compose_rotations(const float a[4], const float b[4], float to[4]) {
  const float x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  const float y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  const float z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  to[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

static void rotate_vector(const float q[4], float v[3]) {
  const float tx = 2 * (q[1] * v[2] - q[2] * v[1]), ty = 2 * (q[2] * v[0] - q[0] * v[2]),
              tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  const float x = v[0] + q[3] * tx + q[1] * tz - q[2] * ty, y = v[1] + q[3] * ty + q[2] * tx - q[0] * tz,
              z = v[2] + q[3] * tz + q[0] * ty - q[1] * tx;
  v[0] = x;
  v[1] = y;
  v[2] = z;
}

/* Carries a vertex from old bones to new ones: keeps its position and velocity relative to the goal. */
static void carry_record(const sinew_body* body, const float* bones, uint32_t place, const float* earlier,
                         float* record) {
  float from[4], turn[4];
  int i;
  blended_rotation(body->model, body->step_bones, place, from);
  blended_rotation(body->model, bones, place, turn);
  for (i = 0; i < 3; ++i) from[i] = -from[i];
  compose_rotations(turn, from, turn);
  for (i = 0; i < 3; ++i) {
    record[i] -= record[8 + i];
    record[4 + i] -= (record[8 + i] - earlier[8 + i]) / body->model->step;
  }
  rotate_vector(turn, record);
  rotate_vector(turn, record + 4);
  if (body->model->rest_reference) compose_rotations(turn, record + 12, record + 12);
}

sinew_status sinew_body_carry(sinew_body* body, const float* bones, const float* bones_before) {
  float *now, *old;
  uint32_t place;
  int i;
  sinew_status status;
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  status = check_bones(body, bones);
  if (status == SINEW_OK && bones_before) status = check_bones(body, bones_before);
  if (status) return status;
  if (!bones_before) bones_before = bones;
  now = body->records[body->now];
  old = body->records[!body->now];
  for (place = 0; place < body->model->vertices; ++place) {
    const size_t at = (size_t)record_floats * place;
    carry_record(body, bones, place, old + at, now + at);
  }
  skin_goals(body, bones_before, old);
  skin_goals(body, bones, now);
  for (place = 0; place < body->model->vertices; ++place) {
    float *record = now + (size_t)record_floats * place, *earlier = old + (size_t)record_floats * place;
    for (i = 0; i < 3; ++i) {
      earlier[i] = earlier[8 + i] + record[i];
      record[i] += record[8 + i];
      record[4 + i] += (record[8 + i] - earlier[8 + i]) / body->model->step;
    }
    memcpy(earlier + 4, record + 4, 4 * sizeof(float));
    memcpy(earlier + 12, record + 12, 4 * sizeof(float));
  }
  copy_modes_bones(body, bones_before);
  copy_floats(body->step_bones, bones, (size_t)12 * body->model->bones);
  pose_segments(body, body->step_bones);
  show_step(body, bones);
  return SINEW_OK;
}
