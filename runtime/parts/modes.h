/* ---- modes: how bones and the surface excite them, and what they add to the output (docs/surface_dynamics.md,
 * Low-frequency modes) ---- */

static void find_mode_motion(mode_motion* m, double frequency, double ratio, double scale, double step) {
  const double w = 6.28318530717958648 * frequency, decay = exp(-ratio * w * step);
  m->now = 2 * decay * cos(w * sqrt(1 - ratio * ratio) * step);
  m->before = -decay * decay;
  m->stiffness = w * w;
  m->force = (1 - m->now - m->before) / m->stiffness;
  m->scale = (float)(scale / 32767);
}

/* Index of number `axis` of mode `k` at a place. */
static size_t mode_index(const sinew_model* m, uint32_t place, uint32_t k, uint32_t axis) {
  const size_t block = (size_t)mode_numbers * m->modes * (place / block_size);
  return block + (size_t)mode_numbers * k + (size_t)block_size * axis + place % block_size;
}

/* That number of the mode's shape, in units of the scale. */
static double mode_number(const sinew_model* m, uint32_t place, uint32_t k, uint32_t axis) {
  return (double)m->mode_shape[mode_index(m, place, k, axis)] - (double)mode_zero;
}

/* Replaces the lower triangle of a symmetric matrix of n rows by its Cholesky factor. Rows that depend on those
 * above become zero. */
static void factor_gram(double* a, uint32_t n) {
  uint32_t i, j, k;
  for (i = 0; i < n; ++i) {
    const double diagonal = a[n * i + i];
    for (j = 0; j <= i; ++j) {
      double sum = a[n * i + j];
      for (k = 0; k < j; ++k) sum -= a[n * i + k] * a[n * j + k];
      if (j < i)
        a[n * i + j] = a[n * j + j] > 0 ? sum / a[n * j + j] : 0;
      else
        a[n * i + i] = sum > 1e-9 * diagonal ? sqrt(sum) : 0;
    }
  }
}

static void solve_gram(const double* l, uint32_t n, double* x) {
  uint32_t i, k;
  for (i = 0; i < n; ++i) {
    for (k = 0; k < i; ++k) x[i] -= l[n * i + k] * x[k];
    x[i] = l[n * i + i] > 0 ? x[i] / l[n * i + i] : 0;
  }
  for (i = n; i-- > 0;) {
    for (k = i + 1; k < n; ++k) x[i] -= l[n * k + i] * x[k];
    x[i] = l[n * i + i] > 0 ? x[i] / l[n * i + i] : 0;
  }
}

/* Mean squared edge length per place, and the Gram matrix of the shapes with these weights. */
static void build_coupling(const file_view* view, sinew_model* m, float* area) {
  uint64_t neighbour = 0;
  uint32_t place, n, a, b;
  for (place = 0; place < view->vertices; ++place) {
    const uint32_t count = get_u16(view->neighbour_count + (size_t)2 * place);
    double sum = 0;
    for (n = 0; n < count; ++n, ++neighbour) {
      const uint32_t other = get_u32(view->neighbour + 4 * neighbour);
      for (a = 0; a < 3; ++a) {
        const double edge =
            (double)get_f32(view->rest + (size_t)12 * other + 4 * a) - get_f32(view->rest + (size_t)12 * place + 4 * a);
        sum += edge * edge;
      }
    }
    area[place] = count > 0 ? (float)(sum / count) : 0.0f;
    for (a = 0; a < m->modes; ++a)
      for (b = 0; b <= a; ++b)
        for (n = 0; n < 3; ++n)
          m->gram[m->modes * a + b] += (double)area[place] * mode_number(m, place, a, n) * m->mode[a].scale *
                                       mode_number(m, place, b, n) * m->mode[b].scale;
  }
  factor_gram(m->gram, m->modes);
}

/* Rotation of the surface around a place by mode k: the one that best fits the displacement of its edges. */
static void find_turn(const file_view* view, const sinew_model* m, uint32_t k, uint32_t place, uint64_t first_neighbour,
                      double turn[3]) {
  const uint32_t count = get_u16(view->neighbour_count + (size_t)2 * place);
  double a[6] = {0, 0, 0, 0, 0, 0}, b[3] = {0, 0, 0}, c[6], volume, mean; /* xx, yy, zz, xy, xz, yz */
  uint32_t n, i;
  turn[0] = turn[1] = turn[2] = 0;
  for (n = 0; n < count; ++n) {
    const uint32_t other = get_u32(view->neighbour + 4 * (first_neighbour + n));
    double e[3], d[3];
    for (i = 0; i < 3; ++i) {
      e[i] =
          (double)get_f32(view->rest + (size_t)12 * other + 4 * i) - get_f32(view->rest + (size_t)12 * place + 4 * i);
      d[i] = m->mode[k].scale * (mode_number(m, other, k, i) - mode_number(m, place, k, i));
    }
    a[0] += e[1] * e[1] + e[2] * e[2], a[1] += e[0] * e[0] + e[2] * e[2], a[2] += e[0] * e[0] + e[1] * e[1];
    a[3] -= e[0] * e[1], a[4] -= e[0] * e[2], a[5] -= e[1] * e[2];
    for (i = 0; i < 3; ++i) b[i] += e[(i + 1) % 3] * d[(i + 2) % 3] - e[(i + 2) % 3] * d[(i + 1) % 3];
  }
  c[0] = a[1] * a[2] - a[5] * a[5], c[1] = a[0] * a[2] - a[4] * a[4], c[2] = a[0] * a[1] - a[3] * a[3];
  c[3] = a[4] * a[5] - a[3] * a[2], c[4] = a[3] * a[5] - a[4] * a[1], c[5] = a[3] * a[4] - a[0] * a[5];
  volume = a[0] * c[0] + a[3] * c[3] + a[4] * c[4];
  mean = (a[0] + a[1] + a[2]) / 3;
  if (!(volume > 1e-4 * mean * mean * mean)) return; /* collinear neighbours, or none */
  turn[0] = (c[0] * b[0] + c[3] * b[1] + c[4] * b[2]) / volume;
  turn[1] = (c[3] * b[0] + c[1] * b[1] + c[5] * b[2]) / volume;
  turn[2] = (c[4] * b[0] + c[5] * b[1] + c[2] * b[2]) / volume;
}

/* Runs twice: first for their scale, then for the scaled numbers. */
static void build_turns(const file_view* view, sinew_model* m, uint16_t* turns) {
  const size_t count = (size_t)mode_numbers * m->modes * m->blocks;
  uint32_t k, place, axis, round;
  size_t i;
  for (i = 0; i < count; ++i) turns[i] = mode_zero;
  for (k = 0; k < m->modes; ++k) {
    double largest = 0;
    for (round = 0; round < 2; ++round) {
      uint64_t neighbour = 0;
      for (place = 0; place < m->vertices; ++place) {
        double turn[3];
        find_turn(view, m, k, place, neighbour, turn);
        neighbour += get_u16(view->neighbour_count + (size_t)2 * place);
        for (axis = 0; axis < 3; ++axis) {
          const double size = fabs(turn[axis]);
          if (round == 0 && size > largest) largest = size;
          if (round == 1 && largest > 0)
            turns[mode_index(m, place, k, axis)] =
                (uint16_t)((double)mode_zero + floor(turn[axis] / largest * 32767 + 0.5));
        }
      }
    }
    m->mode[k].turn_scale = largest < 1e6 ? (float)(largest / 32767) : 0.0f;
  }
}

static void build_modes(const file_view* view, sinew_model* m, const model_pieces* p) {
  const size_t drives = (size_t)12 * view->modes * view->bones;
  uint32_t k, place, axis;
  size_t i;
  m->modes = view->modes;
  m->coupling = view->coupling;
  m->drive = p->drive;
  m->mode_shape = p->mode_shape;
  m->area = view->coupling > 0 ? p->area : NULL;
  for (k = 0; k < view->modes; ++k) {
    const unsigned char* mode = view->mode + (size_t)mode_bytes * k;
    find_mode_motion(&m->mode[k], get_f32(mode), get_f32(mode + 4), get_f32(mode + 8), view->step);
  }
  for (i = 0; i < drives; ++i) p->drive[i] = get_f32(view->drive + 4 * i);
  for (place = 0; place < m->blocks * block_size; ++place)
    for (k = 0; k < view->modes; ++k)
      for (axis = 0; axis < 3; ++axis) {
        const unsigned char* number = view->mode_shape + (size_t)6 * view->modes * place + 6 * k + 2 * axis;
        const uint32_t code = place < view->vertices ? get_u16(number) : 0; /* signed */
        p->mode_shape[mode_index(m, place, k, axis)] = (uint16_t)(code ^ mode_zero);
      }
  m->mode_turn = p->mode_turn;
  build_turns(view, m, p->mode_turn);
  if (m->area) build_coupling(view, m, p->area);
}

sinew_status sinew_model_open(const void* file, size_t file_bytes, void* memory, size_t memory_bytes,
                              const sinew_model** model) {
  file_view view;
  model_pieces p;
  pieces sizes = {NULL, 0}, from = {(unsigned char*)memory, 0};
  sinew_status status;
  uint64_t block_bytes;
  sinew_model* m;
  if (!file || !memory || !model) return SINEW_BAD_ARGUMENT;
  if ((uintptr_t)memory % SINEW_ALIGNMENT != 0) return SINEW_NO_ALIGNMENT;
  status = check_file(file, file_bytes, &view);
  if (status) return status;
  block_bytes = bytes_of_blocks(&view);
  take_model(&sizes, &view, block_bytes, &p);
  if (sizes.used > memory_bytes) return SINEW_TOO_LITTLE_MEMORY;
  take_model(&from, &view, block_bytes, &p);
  m = p.model;
  memset(m, 0, sizeof *m);
  m->vertices = view.vertices;
  m->blocks = (view.vertices + block_size - 1) / block_size;
  m->bones = view.bones;
  m->segments = view.segments;
  m->parts = view.parts;
  m->rest_reference = (int)view.rest_reference;
  m->has_shape = (int)view.has_shape;
  m->has_range = (int)view.has_range;
  m->has_frames = m->rest_reference || m->has_shape;
  m->step = view.step;
  m->reach = view.reach;
  m->height = view.height;
  m->checksum = view.checksum;
  m->block_begin = p.block_begin;
  m->block_data = p.block_data;
  m->rest = view.rest_reference ? p.rest : NULL;
  m->normals = p.normals;
  m->order = p.order;
  m->place = p.place;
  m->rest_to_joint = p.rest_to_joint;
  m->bone_name = p.bone_name;
  m->segment_bone = p.segment_bone;
  m->segment_ends = p.segment_ends;
  m->part_name = p.part_name;
  m->part_begin = p.part_begin;
  m->part_places = p.part_places;
  m->names = p.names;
  if (view.rest_reference)
    memset(p.rest, 0, (size_t)m->blocks * block_size * 4 * sizeof(float));
  else
    p.rest = NULL;
  memset(p.normals, 0, (size_t)m->blocks * 3 * block_size * sizeof(float));
  build_skeleton_and_parts(&view, &p);
  build_blocks(&view, &p);
  build_modes(&view, m, &p);
  *model = m;
  return SINEW_OK;
}
