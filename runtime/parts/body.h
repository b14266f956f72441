/* ---- bodies ---- */

enum { most_loose = 65535, looseness_fades = 32 }; /* by a 32nd in a step */

struct sinew_body {
  const sinew_model* model;
  float* records[2];          /* 16 floats a place */
  float* parameters;          /* [5][16] a block: the host's */
  float* step_bones;          /* 12 a bone, at the end of the last internal step */
  float* frame_bones;         /* ... at the last call's time */
  float* between_bones;       /* ... of the step that is being made */
  float* before_bones;        /* ... at the beginning of the last internal step, where there are modes */
  float* posed;               /* what kernels take, and the identity after the last */
  float* segments;            /* 8 a segment, posed by step_bones: head, 1 / length^2, axis, stretch */
  float* frames;              /* 4 a bone, and the identity: rotations of step_bones, where the model has frames */
  float *positions, *normals; /* 4 a place: what is shown, once it has been asked for */
  int now;                    /* which of `records` */
  int is_reset, positions_stand, normals_stand, parameters_are_given, goals_are_shown;
  double mode_now[SINEW_MOST_MODES],
      mode_before[SINEW_MOST_MODES]; /* metres, at the end and the beginning of that step */
  double clock;                      /* seconds since the last internal step */
  uint32_t looseness; /* how little the ranges of vertices count: most_loose while something is held, then fading */
  uint32_t held;
  uint32_t held_place[SINEW_MOST_HELD];
  float held_at[SINEW_MOST_HELD][3];
  sinew_surroundings surroundings;
  sinew_threads threads;
  sinew_simd simd;
};

static void take_body(pieces* from, const sinew_model* m, sinew_body** memory, sinew_body* body) {
  const uint64_t places = (uint64_t)m->blocks * block_size;
  *memory = (sinew_body*)take(from, 1, sizeof(sinew_body));
  body->records[0] = (float*)take(from, places, record_floats * sizeof(float));
  body->records[1] = (float*)take(from, places, record_floats * sizeof(float));
  body->parameters = (float*)take(from, places, SINEW_PARAMETERS * sizeof(float));
  body->step_bones = (float*)take(from, m->bones, 12 * sizeof(float));
  body->frame_bones = (float*)take(from, m->bones, 12 * sizeof(float));
  body->between_bones = (float*)take(from, m->bones, 12 * sizeof(float));
  body->before_bones = (float*)take(from, m->modes > 0 ? m->bones : 0, 12 * sizeof(float));
  body->posed = (float*)take(from, (uint64_t)m->bones + 1, posed_bone_floats * sizeof(float));
  body->segments = (float*)take(from, m->segments, posed_segment_floats * sizeof(float));
  body->frames = (float*)take(from, m->has_frames ? (uint64_t)m->bones + 1 : 0, frame_floats * sizeof(float));
  body->positions = (float*)take(from, places, 4 * sizeof(float));
  body->normals = (float*)take(from, places, 4 * sizeof(float));
}

size_t sinew_body_memory(const sinew_model* model) {
  pieces sizes = {NULL, 0};
  sinew_body *unused, pointers;
  if (!model) return 0;
  take_body(&sizes, model, &unused, &pointers);
  return (size_t)sizes.used;
}

sinew_status sinew_body_create(const sinew_model* model, void* memory, size_t memory_bytes, sinew_body** body) {
  pieces from = {(unsigned char*)memory, 0};
  sinew_body pointers;
  if (!model || !memory || !body) return SINEW_BAD_ARGUMENT;
  if ((uintptr_t)memory % SINEW_ALIGNMENT != 0) return SINEW_NO_ALIGNMENT;
  if (memory_bytes < sinew_body_memory(model)) return SINEW_TOO_LITTLE_MEMORY;
  memset(&pointers, 0, sizeof pointers);
  take_body(&from, model, body, &pointers);
  pointers.model = model;
  pointers.simd = sinew_simd_best();
  **body = pointers;
  return SINEW_OK;
}

float sinew_body_bound(const sinew_body* body) {
  return body && body->model->has_range ? 1.0f - (float)body->looseness / (float)most_loose : 0.0f;
}

const sinew_model* sinew_body_model(const sinew_body* body) { return body ? body->model : NULL; }

const sinew_record* sinew_body_records(const sinew_body* body) {
  return body && body->is_reset ? (const sinew_record*)(const void*)body->records[body->now] : NULL;
}
