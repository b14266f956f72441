/* ---- modes of a body ---- */

static void copy_modes_bones(const sinew_body* body, const float* bones) {
  if (body->model->modes > 0) copy_floats(body->before_bones, bones, (size_t)12 * body->model->bones);
}

static void rest_modes(sinew_body* body, const float* bones_before) {
  memset(body->mode_now, 0, sizeof body->mode_now);
  memset(body->mode_before, 0, sizeof body->mode_before);
  copy_modes_bones(body, bones_before);
}

/* Largest norm of the coordinates of all modes together, in reaches; the output shows at most one. */
static const double most_reaches = 16;

/* Coordinates for the output, `share` of the way through the last step. */
static void shown_modes(const sinew_body* body, double share, double* q) {
  const sinew_model* model = body->model;
  double moved = 0;
  uint32_t k;
  for (k = 0; k < model->modes; ++k) {
    q[k] = body->mode_before[k] + share * (body->mode_now[k] - body->mode_before[k]);
    moved += fabs(q[k]);
  }
  if (moved > model->reach)
    for (k = 0; k < model->modes; ++k) q[k] *= model->reach / moved;
}

/* The linear part of a place's blended bones, optionally transposed, times v. */
static void blend_vector(const sinew_model* model, const float* bones, uint32_t place, int transposed,
                         const double v[3], double to[3]) {
  block_view block;
  double share = 0;
  uint32_t b, row, column;
  find_block(model, place / block_size, &block);
  to[0] = to[1] = to[2] = 0;
  for (b = 0; b < block.head->bones; ++b) {
    const double weight = block.weights[(size_t)block_size * b + place % block_size] * (1.0 / (double)weight_one);
    const uint32_t begin = block.bone[b];
    if (weight == 0 || begin == model->bones * posed_bone_floats) continue;
    share += weight;
    for (row = 0; row < 3; ++row)
      for (column = 0; column < 3; ++column)
        to[transposed ? column : row] += weight * bones[begin + 4 * row + column] * v[transposed ? row : column];
  }
  if (share == 0) memcpy(to, v, 3 * sizeof *to); /* without bones */
}

/* Displacement of a place by modes with coordinates q, world. */
static void mode_offset(const sinew_body* body, const float* bones, const double* q, uint32_t place, float offset[3]) {
  const sinew_model* model = body->model;
  double moved[3] = {0, 0, 0}, turned[3];
  uint32_t k, axis;
  offset[0] = offset[1] = offset[2] = 0;
  if (model->modes == 0) return;
  for (k = 0; k < model->modes; ++k)
    for (axis = 0; axis < 3; ++axis) moved[axis] += q[k] * model->mode[k].scale * mode_number(model, place, k, axis);
  blend_vector(model, bones, place, 0, moved, turned);
  for (axis = 0; axis < 3; ++axis) offset[axis] = (float)turned[axis];
}

/* Projection of the surface's deviation from its goal on each mode: least squares, in the order of places. */
static void project_deviation(const sinew_body* body, double* projected) {
  const sinew_model* model = body->model;
  uint32_t place, k, axis;
  memset(projected, 0, SINEW_MOST_MODES * sizeof *projected);
  for (place = 0; place < model->vertices; ++place) {
    const float* record = body->records[body->now] + (size_t)record_floats * place;
    double away[3], back[3];
    for (axis = 0; axis < 3; ++axis) away[axis] = (double)record[axis] - record[8 + axis];
    blend_vector(model, body->step_bones, place, 1, away, back);
    for (k = 0; k < model->modes; ++k)
      for (axis = 0; axis < 3; ++axis)
        projected[k] +=
            (double)model->area[place] * back[axis] * model->mode[k].scale * mode_number(model, place, k, axis);
  }
  solve_gram(model->gram, model->modes, projected);
}

/* Driving force f of mode k, m/s^2: -sum_b <G_b, L_b^T D_b> / h^2, where D_b is the second difference of the bone's
 * matrix. */
static double mode_force(const sinew_body* body, const float* bones, uint32_t k) {
  const sinew_model* model = body->model;
  double sum = 0;
  uint32_t b, row, column, other;
  for (b = 0; b < model->bones; ++b) {
    const float *drive = model->drive + 12 * ((size_t)model->bones * k + b), *next = bones + (size_t)12 * b;
    const float *now = body->step_bones + (size_t)12 * b, *before = body->before_bones + (size_t)12 * b;
    for (other = 0; other < 3; ++other)
      for (column = 0; column < 4; ++column) {
        const uint32_t at = 4 * other + column;
        const double difference = (double)next[at] - 2.0 * now[at] + before[at];
        for (row = 0; row < 3; ++row) sum += (double)drive[4 * row + column] * now[4 * other + row] * difference;
      }
  }
  return -sum / ((double)model->step * model->step);
}

static void step_modes(sinew_body* body, const float* bones) {
  const sinew_model* model = body->model;
  double deviation[SINEW_MOST_MODES], moved = 0;
  uint32_t k;
  if (model->modes == 0) return;
  if (model->coupling > 0) project_deviation(body, deviation);
  for (k = 0; k < model->modes; ++k) {
    const mode_motion* m = &model->mode[k];
    double force = mode_force(body, bones, k), next;
    if (model->coupling > 0) force += model->coupling * m->stiffness * deviation[k];
    next = m->now * body->mode_now[k] + m->before * body->mode_before[k] + m->force * force;
    body->mode_before[k] = body->mode_now[k];
    body->mode_now[k] = next;
    moved += fabs(next);
  }
  if (moved > most_reaches * model->reach)
    for (k = 0; k < model->modes; ++k) body->mode_before[k] = body->mode_now[k] *= most_reaches * model->reach / moved;
  copy_modes_bones(body, body->step_bones);
}
