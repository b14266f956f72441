/* ---- single rotations ---- */

/* The rotation whose frame has the first column of a as axis and the second in its plane (Gram-Schmidt); the
 * identity where columns have no direction. */
static void frame_of_columns(const double a[9], double q[4]) {
  double x[3], y[3], z[3], length = 0, along = 0, r[9], best[4];
  int i, k = 0;
  q[0] = q[1] = q[2] = 0;
  q[3] = 1;
  for (i = 0; i < 3; ++i) length += a[3 * i] * a[3 * i];
  if (!(length > 1e-24)) return;
  for (i = 0; i < 3; ++i) x[i] = a[3 * i] / sqrt(length);
  for (i = 0; i < 3; ++i) along += x[i] * a[3 * i + 1];
  for (length = 0, i = 0; i < 3; ++i) {
    y[i] = a[3 * i + 1] - along * x[i];
    length += y[i] * y[i];
  }
  if (!(length > 1e-24)) return;
  for (i = 0; i < 3; ++i) y[i] /= sqrt(length);
  for (i = 0; i < 3; ++i) z[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
  for (i = 0; i < 3; ++i) r[3 * i] = x[i], r[3 * i + 1] = y[i], r[3 * i + 2] = z[i];
  /* Starts with the largest of the four quaternion components. */
  best[3] = 1 + r[0] + r[4] + r[8];
  for (i = 0; i < 3; ++i) best[i] = 2 + 2 * r[4 * i] - best[3];
  for (i = 1; i < 4; ++i)
    if (best[i] > best[k]) k = i;
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    q[i] = k == 3 ? r[3 * l + j] - r[3 * j + l] : i == k ? best[k] : r[3 * i + k] + r[3 * k + i];
  }
  q[3] = k == 3 ? best[3] : r[3 * ((k + 2) % 3) + (k + 1) % 3] - r[3 * ((k + 1) % 3) + (k + 2) % 3];
  length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (i = 0; i < 4; ++i) q[i] /= length;
}

/* The rotation nearest to a: the eigenvector of the largest eigenvalue of Horn's symmetric matrix (1987), by Jacobi
 * rotations, in the frame of q, which affects only the speed. */
static void nearest_rotation(const double a[9], double q[4]) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  double m[9], n[4][4], v[4][4], size = 0;
  int i, j, k, p, sweep, is_turned = 1;
  for (i = 0; i < 9; ++i) m[i] = r[i / 3] * a[i % 3] + r[3 + i / 3] * a[3 + i % 3] + r[6 + i / 3] * a[6 + i % 3];
  for (i = 0; i < 3; ++i) {
    for (j = 0; j < 3; ++j) n[i][j] = m[3 * i + j] + m[3 * j + i] - (i == j ? m[0] + m[4] + m[8] : 0);
    n[i][3] = n[3][i] = m[3 * ((i + 2) % 3) + (i + 1) % 3] - m[3 * ((i + 1) % 3) + (i + 2) % 3];
  }
  n[3][3] = m[0] + m[4] + m[8];
  for (i = 0; i < 4; ++i)
    for (j = 0; j < 4; ++j) {
      v[i][j] = i == j;
      size += n[i][j] * n[i][j];
    }
  for (sweep = 0; is_turned && sweep < 16; ++sweep) {
    is_turned = 0;
    for (p = 0; p < 3; ++p)
      for (k = p + 1; k < 4; ++k) {
        double half, t, c, s;
        if (!(n[p][k] * n[p][k] > 1e-22 * size)) continue;
        is_turned = 1;
        half = (n[k][k] - n[p][p]) / (2 * n[p][k]);
        t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
        c = 1 / sqrt(1 + t * t);
        s = t * c;
        for (i = 0; i < 4; ++i) {
          const double first = n[i][p], second = n[i][k], first_v = v[i][p], second_v = v[i][k];
          n[i][p] = c * first - s * second, n[i][k] = s * first + c * second;
          v[i][p] = c * first_v - s * second_v, v[i][k] = s * first_v + c * second_v;
        }
        for (i = 0; i < 4; ++i) {
          const double first = n[p][i], second = n[k][i];
          n[p][i] = c * first - s * second, n[k][i] = s * first + c * second;
        }
      }
  }
  for (k = 3, i = 0; i < 3; ++i)
    if (n[i][i] > n[k][k]) k = i;
  q[0] = x * v[3][k] + w * v[0][k] + y * v[2][k] - z * v[1][k];
  q[1] = y * v[3][k] + w * v[1][k] + z * v[0][k] - x * v[2][k];
  q[2] = z * v[3][k] + w * v[2][k] + x * v[1][k] - y * v[0][k];
  q[3] = w * v[3][k] - x * v[0][k] - y * v[1][k] - z * v[2][k];
}

static void rotation_of(const double a[9], float q[4]) {
  double nearest[4];
  int i;
  frame_of_columns(a, nearest);
  nearest_rotation(a, nearest);
  for (i = 0; i < 4; ++i) q[i] = (float)nearest[i];
}

/* For lanes where `missing` is above `bound`: columns of a in planes of 16, q to planes. The sign of a quaternion is
 * that nearer to the last step's, which is in the records. */
static void find_far_rotations(int lanes, const float* missing, const float* bound, const float* columns,
                               const float* records, float* q) {
  int lane, i;
  for (lane = 0; lane < lanes; ++lane) {
    const float* last = records + record_floats * lane + 12;
    double a[9], nearest[4] = {0, 0, 0, 1}, along = 0;
    if (missing[lane] <= bound[lane]) continue;
    for (i = 0; i < 9; ++i) a[3 * (i % 3) + i / 3] = columns[block_size * i + lane];
    nearest_rotation(a, nearest);
    for (i = 0; i < 4; ++i) along += nearest[i] * last[i];
    for (i = 0; i < 4; ++i) q[block_size * i + lane] = (float)(along < 0 ? -nearest[i] : nearest[i]);
  }
}
