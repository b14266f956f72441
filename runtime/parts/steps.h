/* ---- steps ---- */

/* While a vertex is held, flesh may leave its range. */
static void loosen(sinew_body* body) {
  if (body->model->has_range) body->looseness = most_loose;
}

/* Moves held vertices to their points, within reach, with the velocity that takes them there. */
static void put_held(const sinew_body* body, const float* bones, const float* now, float* next) {
  const float step = body->model->step, reach = body->model->reach;
  double q[SINEW_MOST_MODES];
  uint32_t h, k;
  if (body->held > 0) shown_modes(body, 1, q);
  for (h = 0; h < body->held; ++h) {
    const float* old = now + (size_t)record_floats * body->held_place[h];
    float *record = next + (size_t)record_floats * body->held_place[h], at[3], d[3], distance_2 = 0, scale;
    mode_offset(body, bones, q, body->held_place[h], at);
    for (k = 0; k < 3; ++k) {
      at[k] = body->held_at[h][k] - at[k];
      d[k] = at[k] - record[8 + k];
      distance_2 += d[k] * d[k];
    }
    scale = distance_2 > reach * reach ? reach / sqrtf(distance_2) : 1.0f;
    for (k = 0; k < 3; ++k) {
      record[k] = scale < 1.0f ? record[8 + k] + scale * d[k] : at[k];
      record[4 + k] = (record[k] - old[k]) / step;
    }
  }
}

static void make_step(sinew_body* body, const float* bones, const float* goals, size_t stride) {
  const sinew_model* model = body->model;
  const sinew_surroundings* s = &body->surroundings;
  step_work step;
  task_work work;
  int i;
  memset(&work, 0, sizeof work);
  pose_bones(body, bones);
  step.model = model;
  step.now = body->records[body->now];
  step.next = body->records[!body->now];
  step.bones = body->posed;
  step.motions = motions_of(body);
  step.segments = body->segments;
  step.frames = body->frames;
  step.parameters = body->parameters_are_given ? body->parameters : NULL;
  step.goals_are_given = goals != NULL;
  step.step = model->step;
  step.inverse_step = 1.0f / model->step;
  step.reach = model->reach;
  step.air = model->step * s->air_drag;
  for (i = 0; i < 3; ++i) step.push[i] = model->step * (s->acceleration[i] + s->air_drag * s->wind[i]);
  if (goals)
    put_goals(body, goals, stride, step.next), rest_modes(body, body->step_bones);
  else
    step_modes(body, bones);
  work.step = kernels_of(body->simd)->step;
  work.step_of = &step;
  run_over_blocks(body, &work);
  put_held(body, bones, step.now, step.next);
  body->looseness -= (body->looseness + looseness_fades - 1) / looseness_fades;
  if (body->held > 0) loosen(body);
  body->now = !body->now;
  copy_floats(body->step_bones, bones, (size_t)12 * model->bones);
  pose_segments(body, body->step_bones);
}

static sinew_status check_ready(const sinew_body* body, const float* bones) {
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  return check_bones(body, bones);
}

sinew_status sinew_body_step(sinew_body* body, const float* bones) {
  const sinew_status status = check_ready(body, bones);
  if (status) return status;
  make_step(body, bones, NULL, 0);
  show_step(body, bones);
  return SINEW_OK;
}

sinew_status sinew_body_step_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride) {
  sinew_status status = check_ready(body, bones);
  if (status == SINEW_OK) status = check_goals(body, goals, stride);
  if (status) return status;
  make_step(body, bones, goals, stride);
  show_step(body, bones);
  return SINEW_OK;
}

sinew_status sinew_body_advance(sinew_body* body, const float* bones, double seconds, uint32_t* steps) {
  const sinew_status status = check_ready(body, bones);
  const size_t floats = body ? (size_t)12 * body->model->bones : 0;
  double step, elapsed;
  uint32_t count, k;
  size_t i;
  if (status) return status;
  if (!(seconds >= 0 && seconds <= SINEW_LARGEST)) return SINEW_NOT_FINITE;
  if (seconds > SINEW_LONGEST_FRAME) seconds = SINEW_LONGEST_FRAME;
  step = body->model->step;
  elapsed = body->clock + seconds;
  count = (uint32_t)(elapsed / step);
  for (k = 1; k <= count; ++k) {
    const double since = k * step - body->clock;
    const float share = seconds > 0 ? (float)(since < seconds ? since / seconds : 1) : 1.0f;
    for (i = 0; i < floats; ++i)
      body->between_bones[i] = body->frame_bones[i] + share * (bones[i] - body->frame_bones[i]);
    make_step(body, body->between_bones, NULL, 0);
  }
  show_step(body, bones);
  body->clock = elapsed - count * step;
  if (body->clock < 0) body->clock = 0;
  body->goals_are_shown = 1;
  if (steps) *steps = count;
  return SINEW_OK;
}
