/* ---- building the model ---- */

/* Bones and segments that act on any vertex of a block, ascending, and the largest number of neighbours of a vertex. */
typedef struct block_plan {
  uint32_t slots, bones, segments;
  uint32_t bone[block_size * most_influences], segment[block_size * most_spokes];
} block_plan;

static void insert_rising(uint32_t* values, uint32_t* count, uint32_t value) {
  uint32_t at = *count;
  while (at > 0 && values[at - 1] > value) --at;
  if (at > 0 && values[at - 1] == value) return;
  memmove(values + at + 1, values + at, (*count - at) * sizeof *values);
  values[at] = value;
  ++*count;
}
static uint32_t find_rising(const uint32_t* values, uint32_t value) {
  uint32_t at = 0;
  while (values[at] != value) ++at;
  return at;
}

static uint32_t vertices_of_block(const file_view* view, uint32_t block) {
  const uint32_t left = view->vertices - block * block_size;
  return left < (uint32_t)block_size ? left : (uint32_t)block_size;
}

static uint32_t influence_sum(const file_view* view, uint32_t v) {
  const unsigned char* weight = view->influence_weight + (size_t)8 * v;
  return get_u16(weight) + get_u16(weight + 2) + get_u16(weight + 4) + get_u16(weight + 6);
}

static void plan_block(const file_view* view, uint32_t block, uint64_t first_spoke, block_plan* plan) {
  const uint32_t count = vertices_of_block(view, block);
  uint32_t i, k;
  plan->slots = plan->bones = plan->segments = 0;
  for (i = 0; i < count; ++i) {
    const uint32_t v = block * block_size + i;
    const uint32_t slots = get_u16(view->neighbour_count + (size_t)2 * v);
    const uint32_t spokes = get_u16(view->spoke_count + (size_t)2 * v);
    if (slots > plan->slots) plan->slots = slots;
    for (k = 0; k < most_influences; ++k)
      if (get_u16(view->influence_weight + (size_t)8 * v + 2 * k) > 0)
        insert_rising(plan->bone, &plan->bones, get_u16(view->influence_bone + (size_t)8 * v + 2 * k));
    if (influence_sum(view, v) == 0) insert_rising(plan->bone, &plan->bones, view->bones); /* follows no bone */
    for (k = 0; k < spokes; ++k)
      insert_rising(plan->segment, &plan->segments, get_u16(view->spoke_segment + 2 * (first_spoke + k)));
    first_spoke += spokes;
  }
}

static uint64_t bytes_of_block(const block_plan* plan, const file_view* view) {
  const uint64_t bytes = sizeof(block_head) + 5 * block_size * sizeof(float) +
                         (uint64_t)plan->slots * block_size * sizeof(uint32_t) +
                         ((uint64_t)plan->bones + plan->segments) * (block_size * sizeof(uint16_t) + sizeof(uint32_t)) +
                         (view->has_shape ? shape_numbers * block_size * sizeof(float) : 0) +
                         (view->has_shape || view->rest_reference ? block_size * sizeof(uint32_t) : 0) +
                         (view->rest_reference ? (uint64_t)plan->segments * block_size * sizeof(float) : 0);
  return (bytes + 63) & ~(uint64_t)63;
}

/* Allocator over the caller's memory; without memory it only adds up sizes. */
typedef struct pieces {
  unsigned char* memory;
  uint64_t used;
} pieces;

static void* take(pieces* from, uint64_t count, uint64_t each) {
  void* piece = from->memory ? from->memory + from->used : NULL;
  from->used += (count * each + SINEW_ALIGNMENT - 1) / SINEW_ALIGNMENT * SINEW_ALIGNMENT;
  return piece;
}

typedef struct model_pieces {
  sinew_model* model;
  uint32_t *block_begin, *order, *place, *bone_name, *segment_bone, *part_name, *part_begin, *part_places;
  unsigned char* block_data;
  float *rest, *normals, *rest_to_joint, *segment_ends, *drive, *area;
  uint16_t *mode_shape, *mode_turn;
  char* names;
} model_pieces;

static void take_model(pieces* from, const file_view* view, uint64_t block_bytes, model_pieces* p) {
  const uint64_t blocks = (view->vertices + block_size - 1) / block_size;
  p->model = (sinew_model*)take(from, 1, sizeof(sinew_model));
  p->block_begin = (uint32_t*)take(from, blocks + 1, sizeof(uint32_t));
  p->block_data = (unsigned char*)take(from, 1, block_bytes);
  p->rest = (float*)take(from, view->rest_reference ? blocks * block_size : 0, 4 * sizeof(float));
  p->normals = (float*)take(from, blocks, 3 * block_size * sizeof(float));
  p->order = (uint32_t*)take(from, view->vertices, sizeof(uint32_t));
  p->place = (uint32_t*)take(from, view->vertices, sizeof(uint32_t));
  p->rest_to_joint = (float*)take(from, view->bones, 12 * sizeof(float));
  p->bone_name = (uint32_t*)take(from, view->bones, sizeof(uint32_t));
  p->segment_bone = (uint32_t*)take(from, view->segments, sizeof(uint32_t));
  p->segment_ends = (float*)take(from, view->segments, 6 * sizeof(float));
  p->part_name = (uint32_t*)take(from, view->parts, sizeof(uint32_t));
  p->part_begin = (uint32_t*)take(from, (uint64_t)view->parts + 1, sizeof(uint32_t));
  p->part_places = (uint32_t*)take(from, view->part_vertices, sizeof(uint32_t));
  p->names = (char*)take(from, (uint64_t)view->name_bytes + view->bones + view->parts, 1);
  p->drive = (float*)take(from, (uint64_t)view->modes * view->bones, 12 * sizeof(float));
  p->mode_shape = (uint16_t*)take(from, blocks * view->modes, mode_numbers * sizeof(uint16_t));
  p->mode_turn = (uint16_t*)take(from, blocks * view->modes, mode_numbers * sizeof(uint16_t));
  p->area = (float*)take(from, view->coupling > 0 ? blocks * block_size : 0, sizeof(float));
}

static uint64_t bytes_of_blocks(const file_view* view) {
  const uint32_t blocks = (view->vertices + block_size - 1) / block_size;
  uint64_t bytes = 0, first_spoke = 0;
  uint32_t block, i;
  block_plan plan;
  for (block = 0; block < blocks; ++block) {
    plan_block(view, block, first_spoke, &plan);
    bytes += bytes_of_block(&plan, view);
    for (i = 0; i < vertices_of_block(view, block); ++i)
      first_spoke += get_u16(view->spoke_count + (size_t)2 * (block * block_size + i));
  }
  return bytes;
}

sinew_status sinew_model_memory(const void* file, size_t file_bytes, size_t* memory_bytes) {
  file_view view;
  model_pieces unused;
  pieces sizes = {NULL, 0};
  sinew_status status;
  if (!file || !memory_bytes) return SINEW_BAD_ARGUMENT;
  status = check_file(file, file_bytes, &view);
  if (status) return status;
  take_model(&sizes, &view, bytes_of_blocks(&view), &unused);
  if (sizes.used > SIZE_MAX / 4) return SINEW_BAD_COUNT;
  *memory_bytes = (size_t)sizes.used;
  return SINEW_OK;
}

/* Least and largest eigenvalue of a symmetric matrix xx, yy, zz, xy, xz, yz. */
static void eigenvalues_of(const double s[shape_numbers], double* least, double* largest) {
  const double middle = (s[0] + s[1] + s[2]) / 3, off = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
  const double a = s[0] - middle, b = s[1] - middle, c = s[2] - middle;
  const double spread = sqrt((a * a + b * b + c * c + 2 * off) / 6);
  double cosine, angle;
  *least = *largest = middle;
  if (!(spread > 1e-12)) return;
  cosine = (a * (b * c - s[5] * s[5]) - s[3] * (s[3] * c - s[5] * s[4]) + s[4] * (s[3] * s[5] - b * s[4])) /
           (2 * spread * spread * spread);
  angle = acos(cosine < -1 ? -1 : cosine > 1 ? 1 : cosine) / 3;
  *largest = middle + 2 * spread * cos(angle);
  *least = middle + 2 * spread * cos(angle + 2.09439510239319549); /* a third of a turn */
}

sinew_status sinew_decode_restoration(const uint8_t codes[6], float shape[6]) {
  double s[shape_numbers], least, largest, keep = 1, trace;
  int i;
  if (!codes || !shape) return SINEW_BAD_ARGUMENT;
  for (i = 0; i < 3; ++i) s[i] = codes[i] * (3.0 / 255.0);
  for (; i < shape_numbers; ++i) s[i] = (codes[i] < 128 ? codes[i] : codes[i] - 256) * (1.5 / 127.0);
  /* The matrix I + keep D, whose least eigenvalue is 1 + keep (least - 1). */
  eigenvalues_of(s, &least, &largest);
  if (least < 0) keep = 1 / (1 - least);
  for (i = 0; i < shape_numbers; ++i) s[i] = i < 3 ? 1 + keep * (s[i] - 1) : keep * s[i];
  trace = s[0] + s[1] + s[2];
  for (i = 0; i < shape_numbers; ++i) shape[i] = trace > 1e-3 ? (float)(s[i] * 3 / trace) : (float)(i < 3);
  return SINEW_OK;
}

/* Factor by which all five parameters of a vertex must be scaled to be stable. */
static float stable_scale(const float p[SINEW_PARAMETERS], const float* shape) {
  double largest = 1, least;
  float stiffness;
  if (shape) {
    double s[shape_numbers];
    int i;
    for (i = 0; i < shape_numbers; ++i) s[i] = shape[i];
    eigenvalues_of(s, &least, &largest);
  }
  stiffness = SINEW_STABILITY_LOAD(p[SINEW_ALPHA], p[SINEW_BETA], p[SINEW_GAMMA], p[SINEW_LAMBDA], p[SINEW_DELTA],
                                   (float)largest);
  return stiffness > most_stiff ? most_stiff / stiffness : 1.0f;
}

static void decode(const uint8_t codes[SINEW_PARAMETERS], float parameters[SINEW_PARAMETERS]) {
  int i;
  for (i = 0; i < SINEW_PARAMETERS; ++i) {
    const float root = (float)codes[i] * (1.0f / 255.0f);
    parameters[i] = i == SINEW_LAMBDA ? 0.5f * (root * root) : root * root;
  }
}

static float point_to_segment(const float p[3], const float ends[6]) {
  double axis[3], d[3], length_2 = 0, along = 0, distance_2 = 0;
  int i;
  for (i = 0; i < 3; ++i) {
    axis[i] = (double)ends[3 + i] - ends[i];
    d[i] = (double)p[i] - ends[i];
    length_2 += axis[i] * axis[i];
    along += axis[i] * d[i];
  }
  along = length_2 > 0 ? along / length_2 : 0;
  along = along < 0 ? 0 : along > 1 ? 1 : along;
  for (i = 0; i < 3; ++i) distance_2 += (d[i] - along * axis[i]) * (d[i] - along * axis[i]);
  return (float)sqrt(distance_2);
}

static double frame_pull_of(const file_view* view, uint32_t v, const unsigned char* neighbours, uint32_t count) {
  const double least = SINEW_LEAST_SPREAD * (double)view->height * view->height;
  double spread = 0;
  uint32_t j, k;
  for (j = 0; j < count; ++j)
    for (k = 0; k < 3; ++k) {
      const unsigned char* other = view->rest + (size_t)12 * get_u32(neighbours + (size_t)4 * j) + 4 * k;
      const double edge = (double)get_f32(other) - get_f32(view->rest + (size_t)12 * v + 4 * k);
      spread += edge * edge;
    }
  return SINEW_FRAME_SHARE * (spread > least ? spread : least);
}

static void build_vertex(const file_view* view, const model_pieces* p, const block_plan* plan, const block_view* to,
                         uint32_t v, const unsigned char* neighbours, uint64_t first_spoke) {
  const uint32_t i = v % block_size, count = get_u16(view->neighbour_count + (size_t)2 * v);
  const uint32_t spokes = get_u16(view->spoke_count + (size_t)2 * v);
  float rest[3], parameters[SINEW_PARAMETERS], shape[shape_numbers], normal[3], scale;
  uint32_t k;
  for (k = 0; k < 3; ++k) {
    rest[k] = get_f32(view->rest + (size_t)12 * v + 4 * k);
    to->rest[block_size * k + i] = rest[k];
    if (p->rest) p->rest[(size_t)4 * v + k] = rest[k];
    normal[k] = (float)(int16_t)get_u16(view->normal + (size_t)6 * v + 2 * k);
  }
  scale = 1.0f / sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (k = 0; k < 3; ++k)
    p->normals[(size_t)3 * block_size * (v / block_size) + block_size * k + i] = normal[k] * scale;
  for (k = 0; k < SINEW_PARAMETERS; ++k) to->head->codes[k][i] = view->code[(size_t)SINEW_PARAMETERS * v + k];
  {
    uint8_t codes[SINEW_PARAMETERS];
    for (k = 0; k < SINEW_PARAMETERS; ++k) codes[k] = to->head->codes[k][i];
    decode(codes, parameters);
    if (view->has_shape) sinew_decode_restoration(view->shape + (size_t)shape_numbers * v, shape);
    scale = stable_scale(parameters, view->has_shape ? shape : NULL);
    if (scale < 1.0f)
      for (k = 0; k < SINEW_PARAMETERS; ++k) to->head->codes[k][i] = (uint8_t)((float)codes[k] * sqrtf(scale));
  }
  if (view->has_range) to->head->range[i] = view->range[v];
  if (view->has_shape)
    for (k = 0; k < shape_numbers; ++k) to->shape[block_size * k + i] = shape[k];
  if (view->has_shape || view->rest_reference) {
    for (k = 0; k < most_influences && get_u16(view->influence_weight + (size_t)8 * v + 2 * k) == 0; ++k) continue;
    to->frame[i] =
        frame_floats * (k < most_influences ? get_u16(view->influence_bone + (size_t)8 * v + 2 * k) : view->bones);
  }
  to->head->is_pulled |= to->head->codes[SINEW_GAMMA][i] > 0;
  to->inverse_count[i] = count > 0 ? 1.0f / (float)count : 0.0f;
  to->frame_pull[i] = (float)frame_pull_of(view, v, neighbours, count);
  for (k = 0; k < count; ++k)
    to->neighbours[(size_t)plan->slots * i + k] = get_u32(neighbours + (size_t)4 * k) * record_floats;
  if (influence_sum(view, v) == 0) {
    to->weights[(size_t)block_size * find_rising(plan->bone, view->bones) + i] = weight_one;
  } else {
    for (k = 0; k < most_influences; ++k) {
      const uint32_t w = get_u16(view->influence_weight + (size_t)8 * v + 2 * k);
      size_t at;
      if (w == 0) continue;
      at = (size_t)block_size * find_rising(plan->bone, get_u16(view->influence_bone + (size_t)8 * v + 2 * k)) + i;
      to->weights[at] = (uint16_t)(to->weights[at] + w);
    }
  }
  for (k = 0; k < spokes; ++k) {
    const uint32_t segment = get_u16(view->spoke_segment + 2 * (first_spoke + k));
    const size_t at = (size_t)block_size * find_rising(plan->segment, segment) + i;
    to->spokes[at] = (uint16_t)(to->spokes[at] + get_u16(view->spoke_weight + 2 * (first_spoke + k)));
    if (view->rest_reference) to->rest_lengths[at] = point_to_segment(rest, p->segment_ends + (size_t)6 * segment);
  }
}

static void build_blocks(const file_view* view, const model_pieces* p) {
  const uint32_t blocks = (view->vertices + block_size - 1) / block_size;
  const unsigned char* neighbours = view->neighbour;
  uint64_t first_spoke = 0, at = 0;
  uint32_t block, i, k;
  block_plan plan;
  for (block = 0; block < blocks; ++block) {
    const uint32_t count = vertices_of_block(view, block);
    block_view to;
    uint64_t bytes;
    plan_block(view, block, first_spoke, &plan);
    bytes = bytes_of_block(&plan, view);
    p->block_begin[block] = (uint32_t)(at / 64);
    memset(p->block_data + at, 0, (size_t)bytes);
    view_block(p->block_data + at, plan.slots, plan.bones, plan.segments, (int)view->rest_reference,
               (int)view->has_shape, &to);
    to.head->slots = plan.slots;
    to.head->bones = plan.bones;
    to.head->segments = plan.segments;
    for (i = 0; i < block_size; ++i)
      for (k = 0; k < plan.slots; ++k)
        to.neighbours[(size_t)plan.slots * i + k] = (block * block_size + i) * record_floats;
    for (i = 0; i < block_size; ++i) to.frame_pull[i] = 1.0f;
    if (view->has_shape || view->rest_reference)
      for (i = 0; i < block_size; ++i) to.frame[i] = view->bones * frame_floats;
    for (k = 0; k < plan.bones; ++k) to.bone[k] = plan.bone[k] * posed_bone_floats;
    for (k = 0; k < plan.segments; ++k) to.segment[k] = plan.segment[k] * posed_segment_floats;
    for (i = 0; i < count; ++i) {
      const uint32_t v = block * block_size + i;
      build_vertex(view, p, &plan, &to, v, neighbours, first_spoke);
      neighbours += (size_t)4 * get_u16(view->neighbour_count + (size_t)2 * v);
      first_spoke += get_u16(view->spoke_count + (size_t)2 * v);
    }
    at += bytes;
  }
  p->block_begin[blocks] = (uint32_t)(at / 64);
}

static uint32_t copy_name(const file_view* view, const model_pieces* p, uint32_t length, uint32_t* read,
                          uint32_t* written) {
  const uint32_t begin = *written;
  if (length > 0) memcpy(p->names + begin, view->name + *read, length);
  p->names[begin + length] = 0;
  *read += length;
  *written += length + 1;
  return begin;
}

static void build_skeleton_and_parts(const file_view* view, const model_pieces* p) {
  uint32_t i, k, read = 0, written = 0, begin = 0;
  for (i = 0; i < view->bones; ++i) {
    const unsigned char* bone = view->bone + (size_t)bone_bytes * i;
    for (k = 0; k < 12; ++k) p->rest_to_joint[(size_t)12 * i + k] = get_f32(bone + 4 * k);
    p->bone_name[i] = copy_name(view, p, get_u32(bone + 48), &read, &written);
  }
  for (i = 0; i < view->segments; ++i) {
    const unsigned char* segment = view->segment + (size_t)segment_bytes * i;
    p->segment_bone[i] = get_u32(segment);
    for (k = 0; k < 6; ++k) p->segment_ends[(size_t)6 * i + k] = get_f32(segment + 4 + 4 * k);
  }
  for (i = 0; i < view->parts; ++i) {
    const unsigned char* part = view->part + (size_t)part_bytes * i;
    p->part_begin[i] = begin;
    begin += get_u32(part);
    p->part_name[i] = copy_name(view, p, get_u32(part + 4), &read, &written);
  }
  p->part_begin[view->parts] = begin;
  for (i = 0; i < view->part_vertices; ++i) p->part_places[i] = get_u32(view->part_place + (size_t)4 * i);
  for (i = 0; i < view->vertices; ++i) {
    p->order[i] = get_u32(view->order + (size_t)4 * i);
    p->place[i] = get_u32(view->place + (size_t)4 * i);
  }
}
