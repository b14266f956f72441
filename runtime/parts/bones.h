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

static void pose_bones(const sinew_body* body, const float* bones) {
  const size_t floats = (size_t)posed_bone_floats * body->model->bones;
  float* identity = body->posed + floats;
  size_t i;
  for (i = 0; i < floats; ++i) body->posed[i] = bones[i] * (1.0f / (float)weight_one);
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
