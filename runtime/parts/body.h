/* ---- bodies ---- */

enum { most_loose = 65535, looseness_fades = 32 }; /* falls by a 32nd per step */

struct sinew_body {
  const sinew_model* model;
  float* records[2];          /* 16 floats per place */
  float* parameters;          /* [5][16] per block: the host's parameters */
  float* step_bones;          /* 12 per bone, at the end of the last internal step */
  float* frame_bones;         /* 12 per bone, at the time of the last call */
  float* between_bones;       /* 12 per bone, for the step in progress */
  float* before_bones;        /* 12 per bone, at the beginning of the last internal step; only with modes */
  float* posed;               /* bones in the kernels' format, with the identity after the last */
  float* motions;             /* the same for dual quaternions: 24 per bone */
  float* segments;            /* 8 per segment, posed by step_bones: head, 1 / length^2, axis, stretch */
  float* frames;              /* 4 per bone, and the identity: rotations of step_bones; only with frames */
  float *positions, *normals; /* 4 per place: the output, once it was requested */
  int now;                    /* index of the current one of `records` */
  int is_reset, positions_stand, normals_stand, parameters_are_given, goals_are_shown;
  double mode_now[SINEW_MOST_MODES],
      mode_before[SINEW_MOST_MODES]; /* coordinates, metres, at the end and the beginning of the last internal step */
  double clock;                      /* seconds since the last internal step */
  uint32_t looseness; /* degree to which ranges are ignored: most_loose while a vertex is held, then fading */
  uint32_t held;
  uint32_t held_place[SINEW_MOST_HELD];
  float held_at[SINEW_MOST_HELD][3];
  sinew_surroundings surroundings;
  sinew_threads threads;
  sinew_simd simd;
  sinew_skinning skinning;
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
  body->motions = (float*)take(from, (uint64_t)m->bones + 1, motion_floats * sizeof(float));
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
