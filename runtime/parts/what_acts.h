/* ---- external influences ---- */

sinew_status sinew_body_set_surroundings(sinew_body* body, const sinew_surroundings* s) {
  if (!body || !s) return SINEW_BAD_ARGUMENT;
  if (!are_within(s->acceleration, 3, SINEW_LARGEST) || !are_within(s->wind, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  if (!(s->air_drag >= 0 && s->air_drag * body->model->step <= 0.5f)) return SINEW_NOT_FINITE;
  body->surroundings = *s;
  return SINEW_OK;
}

sinew_status sinew_body_poke(sinew_body* body, const float centre[3], float radius, const float velocity_change[3]) {
  float* records;
  double q[SINEW_MOST_MODES];
  uint32_t place, k;
  if (!body || !centre || !velocity_change) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  if (!are_within(centre, 3, SINEW_LARGEST) || !are_within(velocity_change, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  if (!(radius > 0 && radius <= SINEW_LARGEST)) return SINEW_NOT_FINITE;
  records = body->records[body->now];
  shown_modes(body, 1, q);
  for (place = 0; place < body->model->vertices; ++place) {
    float *record = records + (size_t)record_floats * place, moved[3], distance_2 = 0, share;
    mode_offset(body, body->step_bones, q, place, moved);
    for (k = 0; k < 3; ++k) {
      const float d = (record[k] + moved[k] - centre[k]) / radius;
      distance_2 += d * d;
    }
    if (!(distance_2 < 1.0f)) continue;
    share = (1.0f - distance_2) * (1.0f - distance_2);
    for (k = 0; k < 3; ++k) record[4 + k] += share * velocity_change[k];
  }
  return SINEW_OK;
}

static uint32_t find_held(const sinew_body* body, uint32_t place) {
  uint32_t h = 0;
  while (h < body->held && body->held_place[h] != place) ++h;
  return h;
}

sinew_status sinew_body_hold(sinew_body* body, uint32_t vertex, const float position[3]) {
  uint32_t h;
  if (!body || !position || vertex >= body->model->vertices) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  if (!are_within(position, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  h = find_held(body, body->model->place[vertex]);
  if (h == SINEW_MOST_HELD) return SINEW_TOO_MANY_HELD;
  if (h == body->held) ++body->held;
  body->held_place[h] = body->model->place[vertex];
  memcpy(body->held_at[h], position, 3 * sizeof(float));
  loosen(body);
  return SINEW_OK;
}

sinew_status sinew_body_release(sinew_body* body, uint32_t vertex) {
  uint32_t h;
  if (!body || vertex >= body->model->vertices) return SINEW_BAD_ARGUMENT;
  h = find_held(body, body->model->place[vertex]);
  if (h == body->held) return SINEW_OK;
  --body->held;
  body->held_place[h] = body->held_place[body->held];
  memmove(body->held_at[h], body->held_at[body->held], 3 * sizeof(float));
  return SINEW_OK;
}

sinew_status sinew_body_rebase(sinew_body* body, const float shift[3]) {
  float* bones[3];
  const int with_modes = body && body->model->modes > 0;
  uint32_t place, b, h;
  int i, k;
  if (!body || !shift) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  if (!are_within(shift, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  bones[0] = body->step_bones;
  bones[1] = body->frame_bones;
  bones[2] = body->before_bones;
  for (i = 0; i < 2 + with_modes; ++i) {
    for (b = 0; b < body->model->bones; ++b)
      for (k = 0; k < 3; ++k) /* limited to what a kernel can handle */
        if (!is_within(bones[i][12 * b + 4 * (uint32_t)k + 3] - shift[k], 2 * SINEW_LARGEST)) return SINEW_NOT_FINITE;
  }
  for (i = 0; i < 2 + with_modes; ++i)
    for (b = 0; b < body->model->bones; ++b)
      for (k = 0; k < 3; ++k) bones[i][(size_t)12 * b + 4 * (size_t)k + 3] -= shift[k];
  for (i = 0; i < 2; ++i) {
    for (place = 0; place < body->model->vertices; ++place) {
      float* record = body->records[i] + (size_t)record_floats * place;
      for (k = 0; k < 3; ++k) {
        record[k] -= shift[k];
        record[8 + k] -= shift[k];
      }
    }
  }
  for (h = 0; h < body->held; ++h)
    for (k = 0; k < 3; ++k) body->held_at[h][k] -= shift[k];
  pose_segments(body, body->step_bones);
  body->positions_stand = 0;
  return SINEW_OK;
}

sinew_status sinew_body_use_parameters(sinew_body* body, const float* parameters) {
  static const float most[SINEW_PARAMETERS] = {1, 1, 1, 0.5f, 1};
  uint32_t v, k;
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!parameters) {
    body->parameters_are_given = 0;
    return SINEW_OK;
  }
  for (v = 0; v < body->model->vertices; ++v)
    for (k = 0; k < SINEW_PARAMETERS; ++k) {
      const float value = parameters[(size_t)SINEW_PARAMETERS * v + k];
      if (!(value >= 0 && value <= most[k])) return SINEW_NOT_FINITE;
    }
  memset(body->parameters, 0, (size_t)body->model->blocks * block_size * SINEW_PARAMETERS * sizeof(float));
  for (v = 0; v < body->model->vertices; ++v) {
    const float* of_vertex = parameters + (size_t)SINEW_PARAMETERS * v;
    const uint32_t place = body->model->place[v], within = place % block_size;
    float* to = body->parameters + (size_t)SINEW_PARAMETERS * block_size * (place / block_size) + within;
    float shape[shape_numbers], scale;
    block_view block;
    find_block(body->model, place / block_size, &block);
    if (body->model->has_shape)
      for (k = 0; k < shape_numbers; ++k) shape[k] = block.shape[block_size * k + within];
    scale = stable_scale(of_vertex, body->model->has_shape ? shape : NULL);
    for (k = 0; k < SINEW_PARAMETERS; ++k) to[block_size * k] = scale * of_vertex[k];
  }
  body->parameters_are_given = 1;
  return SINEW_OK;
}
