/* ---- state ---- */

/* A state in words of 4 bytes: a mark, the version of states, the model's checksum (2), output flags with the
 * looseness above them, the number of held vertices, the clock (a double's bits, 2); held places and points; bones
 * of the last step and of the last call; records of now and before; and a checksum (2) of all that. */
enum { state_head_words = 8, held_words = 4, state_version = 1 };
static const uint32_t state_mark = 0x54534e53u; /* "SNST" */

/* For a model with modes, after the records: bones at the beginning of the last step, and 4 words per mode, its
 * coordinate now and before (bits of doubles). */
static size_t mode_state_words(const sinew_model* model) {
  return model->modes > 0 ? (size_t)12 * model->bones + (size_t)4 * model->modes : 0;
}

static size_t state_words(const sinew_model* model) {
  return state_head_words + (size_t)held_words * SINEW_MOST_HELD + (size_t)24 * model->bones +
         (size_t)2 * record_floats * model->vertices + mode_state_words(model) + 2;
}

size_t sinew_body_state_size(const sinew_model* model) { return model ? 4 * state_words(model) : 0; }

static unsigned char* put_floats(unsigned char* to, const float* values, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i) put_f32(to + 4 * i, values[i]);
  return to + 4 * count;
}

static unsigned char* put_double(unsigned char* to, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_u32(to, (uint32_t)bits);
  put_u32(to + 4, (uint32_t)(bits >> 32));
  return to + 8;
}

static double get_double(const unsigned char* from) {
  const uint64_t bits = get_u64(from);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static unsigned char* put_modes(unsigned char* to, const sinew_body* body) {
  uint32_t k;
  if (body->model->modes == 0) return to;
  to = put_floats(to, body->before_bones, (size_t)12 * body->model->bones);
  for (k = 0; k < body->model->modes; ++k) to = put_double(put_double(to, body->mode_now[k]), body->mode_before[k]);
  return to;
}

static int modes_are_sound(const sinew_model* model, const unsigned char* from) {
  const unsigned char* coordinates = from + (size_t)48 * model->bones;
  uint32_t k;
  if (model->modes == 0) return 1;
  if (!are_in_file_within(from, (size_t)12 * model->bones, 2 * SINEW_LARGEST)) return 0;
  for (k = 0; k < 2 * model->modes; ++k)
    if (!(fabs(get_double(coordinates + 8 * k)) <= 2e4)) return 0;
  return 1;
}

static const unsigned char* get_floats(const unsigned char* from, float* values, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i) values[i] = get_f32(from + 4 * i);
  return from + 4 * count;
}

sinew_status sinew_body_save(const sinew_body* body, void* bytes, size_t size) {
  unsigned char *begin = (unsigned char*)bytes, *at = begin;
  const sinew_model* model;
  const float nowhere[3] = {0, 0, 0};
  uint64_t checksum, clock;
  uint32_t h;
  if (!body || !bytes) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  model = body->model;
  if (size < sinew_body_state_size(model)) return SINEW_TOO_LITTLE_MEMORY;
  put_u32(at, state_mark);
  put_u32(at + 4, state_version);
  put_u32(at + 8, (uint32_t)model->checksum);
  put_u32(at + 12, (uint32_t)(model->checksum >> 32));
  put_u32(at + 16, (uint32_t)body->goals_are_shown | (uint32_t)body->skinning << 1 | body->looseness << 16);
  put_u32(at + 20, body->held);
  memcpy(&clock, &body->clock, sizeof clock);
  put_u32(at + 24, (uint32_t)clock);
  put_u32(at + 28, (uint32_t)(clock >> 32));
  at += 4 * state_head_words;
  for (h = 0; h < SINEW_MOST_HELD; ++h, at += 4 * held_words) {
    put_u32(at, h < body->held ? body->held_place[h] : 0);
    put_floats(at + 4, h < body->held ? body->held_at[h] : nowhere, 3);
  }
  at = put_floats(at, body->step_bones, (size_t)12 * model->bones);
  at = put_floats(at, body->frame_bones, (size_t)12 * model->bones);
  at = put_floats(at, body->records[body->now], (size_t)record_floats * model->vertices);
  at = put_floats(at, body->records[!body->now], (size_t)record_floats * model->vertices);
  at = put_modes(at, body);
  checksum = checksum_of(begin, (size_t)(at - begin), checksum_seed);
  put_u32(at, (uint32_t)checksum);
  put_u32(at + 4, (uint32_t)(checksum >> 32));
  return SINEW_OK;
}

sinew_status sinew_body_load(sinew_body* body, const void* bytes, size_t size) {
  const unsigned char *at = (const unsigned char*)bytes, *numbers;
  const sinew_model* model;
  size_t words, i, places;
  uint64_t bits;
  double clock;
  uint32_t h, held;
  if (!body || !bytes) return SINEW_BAD_ARGUMENT;
  model = body->model;
  words = state_words(model);
  if (size < 4 * words) return SINEW_TOO_LITTLE_MEMORY;
  if (get_u32(at) != state_mark || get_u32(at + 4) != state_version || get_u64(at + 8) != model->checksum ||
      get_u64(at + 4 * (words - 2)) != checksum_of(at, 4 * (words - 2), checksum_seed))
    return SINEW_OTHER_MODEL;
  held = get_u32(at + 20);
  bits = get_u64(at + 24);
  memcpy(&clock, &bits, sizeof clock);
  if (get_u16(at + 16) > 3 || held > SINEW_MOST_HELD) return SINEW_OTHER_MODEL;
  if (!(clock >= 0 && clock <= 2 * model->step)) return SINEW_OTHER_MODEL;
  for (h = 0; h < SINEW_MOST_HELD; ++h) {
    const unsigned char* of_held = at + 4 * (state_head_words + (size_t)held_words * h);
    if (get_u32(of_held) >= model->vertices || !are_in_file_within(of_held + 4, 3, 1e8f)) return SINEW_OTHER_MODEL;
  }
  numbers = at + 4 * (state_head_words + (size_t)held_words * SINEW_MOST_HELD);
  if (!are_in_file_within(numbers, (size_t)24 * model->bones, 2 * SINEW_LARGEST)) return SINEW_OTHER_MODEL;
  for (i = 0; i < (size_t)2 * model->vertices; ++i) {
    const unsigned char* record = numbers + (size_t)96 * model->bones + 4 * record_floats * i;
    if (!are_in_file_within(record, 4, 1e8f) || !are_in_file_within(record + 16, 4, 1e12f) ||
        !are_in_file_within(record + 32, 4, 1e8f) || !are_in_file_within(record + 48, 4, 1.01f))
      return SINEW_OTHER_MODEL;
  }
  if (!modes_are_sound(model, numbers + (size_t)96 * model->bones + (size_t)8 * record_floats * model->vertices))
    return SINEW_OTHER_MODEL;

  places = (size_t)model->blocks * block_size;
  for (i = 0; i < 2; ++i) memset(body->records[i], 0, places * record_floats * sizeof(float));
  for (i = model->vertices; i < places; ++i)
    body->records[0][record_floats * i + 15] = body->records[1][record_floats * i + 15] = 1.0f;
  body->goals_are_shown = (int)(get_u16(at + 16) & 1);
  body->skinning = (sinew_skinning)(get_u16(at + 16) >> 1);
  body->looseness = get_u16(at + 18);
  body->clock = clock;
  body->held = held;
  for (h = 0; h < held; ++h) {
    const unsigned char* of_held = at + 4 * (state_head_words + (size_t)held_words * h);
    body->held_place[h] = get_u32(of_held);
    get_floats(of_held + 4, body->held_at[h], 3);
  }
  numbers = get_floats(numbers, body->step_bones, (size_t)12 * model->bones);
  numbers = get_floats(numbers, body->frame_bones, (size_t)12 * model->bones);
  numbers = get_floats(numbers, body->records[0], (size_t)record_floats * model->vertices);
  numbers = get_floats(numbers, body->records[1], (size_t)record_floats * model->vertices);
  if (model->modes > 0) {
    numbers = get_floats(numbers, body->before_bones, (size_t)12 * model->bones);
    for (h = 0; h < model->modes; ++h, numbers += 16) {
      body->mode_now[h] = get_double(numbers);
      body->mode_before[h] = get_double(numbers + 8);
    }
  }
  body->now = 0;
  body->is_reset = 1;
  body->positions_stand = body->normals_stand = 0;
  pose_segments(body, body->step_bones);
  return SINEW_OK;
}
