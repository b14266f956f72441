/* ---- bones ---- */

static sinew_status check_bones(const sinew_body* body, const float* bones) {
  uint32_t b, row;
  if (!bones) return body->model->bones ? SINEW_BAD_ARGUMENT : SINEW_OK;
  for (b = 0; b < body->model->bones; ++b)
    for (row = 0; row < 3; ++row) {
      const float* m = bones + (size_t)12 * b + 4 * row;
      if (!are_within(m, 3, largest_scale) || !is_within(m[3], SINEW_LARGEST)) return SINEW_NOT_FINITE;
    }
  return SINEW_OK;
}

static void copy_floats(float* to, const float* from, size_t count) {
  if (count > 0) memmove(to, from, count * sizeof(float));
}

/* The rigid motion and the stretch E of a bone's matrix: linear part = R (I + E), with the nearest rotation R. */
static void find_motion(const float* m, float* motion) {
  double a[9], q[4], back[9], size = 0, sum = 0;
  int i, row, column;
  for (i = 0; i < 9; ++i) a[i] = m[4 * (i / 3) + i % 3];
  frame_of_columns(a, q);
  nearest_rotation(a, q);
  for (i = 0; i < 4; ++i) sum += q[i] * q[i];
  for (i = 0; i < 4; ++i) motion[i] = (float)(q[i] /= sqrt(sum));
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    motion[motion_dual + i] = (float)(0.5 * (q[3] * m[4 * i + 3] + (double)m[4 * j + 3] * q[k] - m[4 * k + 3] * q[j]));
  }
  motion[motion_dual + 3] = (float)(-0.5 * (q[0] * m[3] + q[1] * m[7] + q[2] * m[11]));
  for (column = 0; column < 3; ++column) {
    /* The transposed rotation times a column: v - 2 w (u x v) + 2 u x (u x v). */
    double t[3];
    for (i = 0; i < 3; ++i)
      t[i] = 2 * (q[(i + 1) % 3] * a[3 * ((i + 2) % 3) + column] - q[(i + 2) % 3] * a[3 * ((i + 1) % 3) + column]);
    for (row = 0; row < 3; ++row)
      back[3 * row + column] = a[3 * row + column] - q[3] * t[row] + q[(row + 1) % 3] * t[(row + 2) % 3] -
                               q[(row + 2) % 3] * t[(row + 1) % 3] - (row == column ? 1 : 0);
  }
  for (i = 0; i < 9; ++i) size += back[i] * back[i];
  motion[motion_stretches] = size > 1e-12 ? 1.0f : 0.0f; /* rounding of single precision */
  for (i = 0; i < 9; ++i) motion[motion_stretch + i] = (float)back[i];
}

/* Motions of bones, divided by weight_one as posed bones are; the last is that of places without bones. */
static void pose_motions(const sinew_body* body, const float* bones) {
  static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  uint32_t b;
  int i;
  for (b = 0; b <= body->model->bones; ++b) {
    float* motion = body->motions + (size_t)motion_floats * b;
    find_motion(b < body->model->bones ? bones + (size_t)12 * b : identity, motion);
    for (i = 0; i < motion_stretches; ++i) motion[i] *= 1.0f / (float)weight_one;
  }
}

/* Motions for the kernels after pose_bones(); null where goals are blended linearly. */
static const float* motions_of(const sinew_body* body) {
  return body->skinning == SINEW_DUAL_QUATERNIONS ? body->motions : NULL;
}

static void pose_bones(const sinew_body* body, const float* bones) {
  const size_t floats = (size_t)posed_bone_floats * body->model->bones;
  float* identity = body->posed + floats;
  size_t i;
  for (i = 0; i < floats; ++i) body->posed[i] = bones[i] * (1.0f / (float)weight_one);
  if (motions_of(body)) pose_motions(body, bones);
  for (i = 0; i < posed_bone_floats; ++i) identity[i] = i % 5 == 0 ? 1.0f / (float)weight_one : 0.0f;
}

static void transform_point(const float* m, const float p[3], float to[3]) {
  int row;
  for (row = 0; row < 3; ++row)
    to[row] = m[4 * row] * p[0] + m[4 * row + 1] * p[1] + m[4 * row + 2] * p[2] + m[4 * row + 3];
}

static void pose_segments(const sinew_body* body, const float* bones) {
  const sinew_model* model = body->model;
  uint32_t s, k;
  if (model->has_frames) {
    for (s = 0; s < model->bones; ++s) {
      double linear[9];
      for (k = 0; k < 9; ++k) linear[k] = bones[(size_t)12 * s + 4 * (k / 3) + k % 3];
      rotation_of(linear, body->frames + (size_t)frame_floats * s);
    }
    for (k = 0; k < frame_floats; ++k) body->frames[(size_t)frame_floats * model->bones + k] = k == 3;
  }
  for (s = 0; s < model->segments; ++s) {
    const float *m = bones + (size_t)12 * model->segment_bone[s], *ends = model->segment_ends + (size_t)6 * s;
    float *posed = body->segments + (size_t)posed_segment_floats * s, head[3], tail[3];
    double rest_2 = 0, posed_2 = 0, determinant;
    transform_point(m, ends, head);
    transform_point(m, ends + 3, tail);
    for (k = 0; k < 3; ++k) {
      const double rest_axis = (double)ends[3 + k] - ends[k];
      posed[k] = head[k];
      posed[4 + k] = tail[k] - head[k];
      rest_2 += rest_axis * rest_axis;
      posed_2 += (double)posed[4 + k] * posed[4 + k];
    }
    posed[3] = posed_2 > 1e-16 ? (float)(1 / posed_2) : 0.0f;
    determinant =
        fabs(m[0] * ((double)m[5] * m[10] - (double)m[6] * m[9]) - m[1] * ((double)m[4] * m[10] - (double)m[6] * m[8]) +
             m[2] * ((double)m[4] * m[9] - (double)m[5] * m[8]));
    /* Scale of the bone's matrix across the segment. */
    if (rest_2 > 1e-16 && posed_2 > 1e-16)
      posed[7] = (float)sqrt(determinant * sqrt(rest_2 / posed_2));
    else
      posed[7] = (float)cbrt(determinant);
    if (!is_within(posed[7], largest_scale)) posed[7] = largest_scale;
  }
}
