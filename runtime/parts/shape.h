/* ---- output ---- */

static void find_shape(sinew_body* body, int positions, int normals) {
  shape_work shape;
  task_work work;
  double q[SINEW_MOST_MODES];
  uint32_t k;
  positions = positions && !body->positions_stand;
  normals = normals && !body->normals_stand;
  if (!positions && !normals) return;
  memset(&work, 0, sizeof work);
  pose_bones(body, body->frame_bones);
  shape.model = body->model;
  shape.now = body->records[body->now];
  shape.before = body->records[!body->now];
  shape.bones = body->posed;
  shape.motions = motions_of(body);
  shape.goals_are_shown = body->goals_are_shown;
  shape.share = body->goals_are_shown ? (float)(body->clock / body->model->step) : 1.0f;
  if (shape.share > 1.0f) shape.share = 1.0f;
  shape.bound = sinew_body_bound(body);
  shape.is_bounded = shape.bound > 0.0f;
  shape.modes = 0; /* unless one moves */
  shown_modes(body, (double)shape.share, q);
  for (k = 0; k < body->model->modes; ++k) {
    shape.mode[k] = body->model->mode[k].scale * (float)q[k];
    shape.turn[k] = body->model->mode[k].turn_scale * (float)q[k];
    if (shape.mode[k] != 0.0f) shape.modes = body->model->modes;
  }
  shape.positions = positions ? body->positions : NULL;
  shape.normals = normals ? body->normals : NULL;
  work.shape = kernels_of(body->simd)->shape;
  work.shape_of = &shape;
  run_over_blocks(body, &work);
  body->positions_stand |= positions;
  body->normals_stand |= normals;
}

/* Copies three floats of each place, `from_floats` apart, in the order of a part. */
static void give_out(const sinew_model* model, uint32_t part, const float* from, size_t from_floats, float* to,
                     size_t stride) {
  const uint32_t* places = part == SINEW_ALL_VERTICES ? model->place : model->part_places + model->part_begin[part];
  const uint32_t count = part == SINEW_ALL_VERTICES ? model->vertices : sinew_model_part_vertices(model, part);
  uint32_t v;
  for (v = 0; v < count; ++v)
    if (places[v] != SINEW_ALL_VERTICES)
      memcpy((char*)to + stride * v, from + from_floats * places[v], 3 * sizeof(float));
}

sinew_status sinew_body_shape(sinew_body* body, uint32_t part, float* positions, size_t position_stride, float* normals,
                              size_t normal_stride) {
  if (!body || (part >= body->model->parts && part != SINEW_ALL_VERTICES)) return SINEW_BAD_ARGUMENT;
  if ((positions && position_stride < 3 * sizeof(float)) || (normals && normal_stride < 3 * sizeof(float)))
    return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  find_shape(body, positions != NULL, normals != NULL);
  if (positions) give_out(body->model, part, body->positions, 4, positions, position_stride);
  if (normals) give_out(body->model, part, body->normals, 4, normals, normal_stride);
  return SINEW_OK;
}

sinew_status sinew_body_modes(const sinew_body* body, float coordinates[SINEW_MOST_MODES]) {
  double q[SINEW_MOST_MODES];
  uint32_t k;
  if (!body || !coordinates) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  memset(q, 0, sizeof q);
  shown_modes(body, 1, q);
  for (k = 0; k < SINEW_MOST_MODES; ++k) coordinates[k] = (float)q[k];
  return SINEW_OK;
}

sinew_status sinew_body_mode_offsets(const sinew_body* body, float* offsets, size_t stride) {
  double q[SINEW_MOST_MODES];
  uint32_t place;
  if (!body || !offsets || stride < 3 * sizeof(float)) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  shown_modes(body, 1, q);
  for (place = 0; place < body->model->vertices; ++place) {
    float offset[3];
    mode_offset(body, body->step_bones, q, place, offset);
    memcpy((char*)offsets + stride * body->model->order[place], offset, sizeof offset);
  }
  return SINEW_OK;
}

/* Adds the velocity of modes at the places of a part's vertices. */
static void add_mode_velocities(const sinew_body* body, uint32_t part, float* velocities, size_t stride) {
  const sinew_model* model = body->model;
  const uint32_t begin = part == SINEW_ALL_VERTICES ? 0 : model->part_begin[part];
  const uint32_t count = part == SINEW_ALL_VERTICES ? model->vertices : model->part_begin[part + 1] - begin;
  double change[SINEW_MOST_MODES], before[SINEW_MOST_MODES];
  uint32_t i, k;
  shown_modes(body, 1, change);
  shown_modes(body, 0, before);
  for (k = 0; k < model->modes; ++k) change[k] = (change[k] - before[k]) / (double)model->step;
  for (i = 0; i < count; ++i) {
    const uint32_t place = part == SINEW_ALL_VERTICES ? model->place[i] : model->part_places[begin + i];
    float added[3], velocity[3];
    if (place == SINEW_ALL_VERTICES) continue;
    mode_offset(body, body->step_bones, change, place, added);
    memcpy(velocity, (char*)velocities + stride * i, sizeof velocity);
    for (k = 0; k < 3; ++k) velocity[k] += added[k];
    memcpy((char*)velocities + stride * i, velocity, sizeof velocity);
  }
}

sinew_status sinew_body_velocities(const sinew_body* body, uint32_t part, float* velocities, size_t stride) {
  if (!body || !velocities || stride < 3 * sizeof(float)) return SINEW_BAD_ARGUMENT;
  if (part >= body->model->parts && part != SINEW_ALL_VERTICES) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  give_out(body->model, part, body->records[body->now] + 4, record_floats, velocities, stride);
  if (body->model->modes > 0) add_mode_velocities(body, part, velocities, stride);
  return SINEW_OK;
}
