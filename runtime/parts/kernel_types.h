/* ---- types of the kernels ---- */

enum { block_size = 16, record_floats = 16, weight_one = 65535, blocks_fetched_ahead = 8 };

/* All data of a block of 16 vertices, contiguous: this head, then
 *   float rest[3][16], inverse_count[16]       1 / number of neighbours, 0 where there are none
 *   float frame_pull[16]                       weight of the frame in the rotation of its neighbourhood: m^2
 *   uint32_t neighbours[16][slots]             16 times the place, which is the offset of its record in floats; unused
 *                                              slots have the vertex itself, which contributes nothing
 *   uint16_t weights[bones][16]                for all bones that act on any of the vertices, followed by
 *   uint16_t spokes[segments][16]
 *   float rest_lengths[segments][16]           of spokes; only with rest as reference
 *   uint32_t bone[bones], segment[segments]    offsets of their posed matrices, in floats
 * and before rest_lengths
 *   float shape[6][16]                         only with anisotropic restoration: xx, yy, zz, xy, xz, yz
 *   uint32_t frame[16]                         with that or rest as reference: offset of the rotation of the vertex's
 *                                              strongest bone, in floats */
typedef struct block_head {
  uint32_t slots, bones, segments;
  uint32_t is_pulled; /* nonzero if a vertex has a gamma that is not zero */
  uint8_t codes[SINEW_PARAMETERS][block_size];
  uint8_t range[block_size]; /* (code / 255)^2 of the reach; only with ranges */
  uint8_t padding[16];
} block_head;

enum { posed_bone_floats = 12, posed_segment_floats = 8, frame_floats = 4, shape_numbers = 6 };
/* A posed bone's motion: real and dual part of its dual quaternion (x, y, z, w), the nine numbers of its stretch by
 * rows, and 1 if it stretches. Its offset is twice that of the posed bone. */
enum { motion_floats = 2 * posed_bone_floats, motion_dual = 4, motion_stretch = 8, motion_stretches = 17 };
/* Numbers of a mode's shape have 16 bits, with this as zero. */
enum { mode_zero = 32768, mode_numbers = 3 * block_size };

/* Recurrence of a mode: q(t + h) = now q(t) + before q(t - h) + force f(t), f in m/s^2. Also the square of its
 * angular frequency, metres per unit of its shape's numbers, and radians per unit of its rotations' numbers. */
typedef struct mode_motion {
  double now, before, force, stiffness;
  float scale, turn_scale;
} mode_motion;

struct sinew_model {
  uint32_t vertices, blocks, bones, segments, parts;
  int rest_reference, has_shape, has_range, has_frames; /* has_frames: set if one of the previous two is */
  float step, reach, height;
  uint64_t checksum;
  const uint32_t* block_begin; /* in units of 64 bytes */
  unsigned char* block_data;
  const float* rest;             /* 4 per place: neighbours' rest shape with rest as reference; null otherwise */
  const float* normals;          /* [3][16] per block */
  const uint32_t *order, *place; /* place to vertex of the model, and back */
  const float* rest_to_joint;    /* 12 per bone */
  const uint32_t* bone_name;     /* offset into `names` */
  const uint32_t* segment_bone;
  const float* segment_ends; /* 6 per segment: head, tail */
  const uint32_t* part_name;
  const uint32_t* part_begin; /* parts + 1, into `part_places` */
  const uint32_t* part_places;
  const char* names;
  uint32_t modes;
  float coupling; /* of the surface's deviation from its goal to the modes */
  mode_motion mode[SINEW_MOST_MODES];
  const float* drive;         /* 12 per mode and bone */
  const uint16_t* mode_shape; /* [modes][3][16] per block */
  const uint16_t* mode_turn;  /* likewise: rotation of the surface around a place per metre of the coordinate */
  const float* area;          /* per place: its weight in that deviation; only with coupling */
  double gram[SINEW_MOST_MODES * SINEW_MOST_MODES]; /* Cholesky factor of the shapes' Gram matrix with these weights */
};

/* Pointers to the parts of a block. */
typedef struct block_view {
  block_head* head;
  float *rest, *inverse_count, *frame_pull, *shape, *rest_lengths;
  uint32_t *neighbours, *frame, *bone, *segment;
  uint16_t *weights, *spokes;
} block_view;

SINEW_INLINE void view_block(unsigned char* data, uint32_t slots, uint32_t bones, uint32_t segments, int rest_reference,
                             int has_shape, block_view* v) {
  v->head = (block_head*)(void*)data;
  v->rest = (float*)(void*)(data + sizeof(block_head));
  v->inverse_count = v->rest + 3 * block_size;
  v->frame_pull = v->inverse_count + block_size;
  v->neighbours = (uint32_t*)(void*)(v->frame_pull + block_size);
  v->weights = (uint16_t*)(void*)(v->neighbours + (size_t)block_size * slots);
  v->spokes = v->weights + (size_t)block_size * bones;
  v->shape = (float*)(void*)(v->spokes + (size_t)block_size * segments);
  v->frame = (uint32_t*)(void*)(v->shape + (has_shape ? shape_numbers * block_size : 0));
  v->rest_lengths = (float*)(void*)(v->frame + (has_shape || rest_reference ? block_size : 0));
  v->bone = (uint32_t*)(void*)(v->rest_lengths + (rest_reference ? (size_t)block_size * segments : 0));
  v->segment = v->bone + bones;
}

SINEW_INLINE void find_block(const sinew_model* model, uint32_t block, block_view* v) {
  unsigned char* data = model->block_data + (size_t)64 * model->block_begin[block];
  const block_head* head = (const block_head*)(void*)data;
  view_block(data, head->slots, head->bones, head->segments, model->rest_reference, model->has_shape, v);
}

typedef struct step_work {
  const sinew_model* model;
  const float* now; /* records */
  float* next;
  const float* bones;      /* posed at the end of the step, divided by weight_one */
  const float* motions;    /* likewise, for dual quaternions; null for linear blending */
  const float* segments;   /* posed at the beginning of the step */
  const float* frames;     /* rotations of bones at the beginning of the step, and the identity; only with frames */
  const float* parameters; /* [5][16] per block, or null for the model's */
  int goals_are_given;     /* goals are already in `next` */
  float step, inverse_step, reach;
  float push[3], air; /* velocity change by surroundings: push - air v */
} step_work;

typedef struct shape_work {
  const sinew_model* model;
  const float *now, *before;    /* records at the end and the beginning of the last step */
  const float* bones;           /* at the time of the output, divided by weight_one */
  const float* motions;         /* likewise, for dual quaternions; null for linear blending */
  int goals_are_shown;          /* otherwise positions are those of `now` */
  int is_bounded;               /* by the ranges of vertices */
  float bound;                  /* weight of the ranges: 1, less while the host holds a vertex */
  float share;                  /* weight of `now` against `before` */
  uint32_t modes;               /* number of modes in the output */
  float mode[SINEW_MOST_MODES]; /* coordinates times the scales of the shapes */
  float turn[SINEW_MOST_MODES]; /* coordinates times the scales of the rotations */
  float *positions, *normals;   /* 4 per place; either may be null */
} shape_work;
