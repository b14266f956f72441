/* ---- types that kernels see ---- */

enum { block_size = 16, record_floats = 16, weight_one = 65535, blocks_fetched_ahead = 8 };

/* What a block of 16 vertices needs, in one piece: this head, then
 *   float rest[3][16], inverse_count[16]       1 / number of neighbours, 0 where there are none
 *   float frame_pull[16]                       how strongly its frame draws the rotation of its neighbourhood: m^2
 *   uint32_t neighbours[16][slots]             16 times the place, which is where its record begins in floats; the
 *                                              vertex itself, which adds nothing, fills up those that have fewer
 *   uint16_t weights[bones][16]                of all bones that act on any of them, and after it
 *   uint16_t spokes[segments][16]
 *   float rest_lengths[segments][16]           of spokes, in the reference rest alone
 *   uint32_t bone[bones], segment[segments]    where their posed matrices begin, in floats
 * and before rest_lengths
 *   float shape[6][16]                         where restoration differs between directions: xx, yy, zz, xy, xz, yz
 *   uint32_t frame[16]                         there and in the reference rest: where the rotation of its strongest
 *                                              bone begins, in floats
 */
typedef struct block_head {
  uint32_t slots, bones, segments;
  uint32_t is_pulled; /* some vertex has a gamma that is not zero */
  uint8_t codes[SINEW_PARAMETERS][block_size];
  uint8_t range[block_size]; /* (code / 255)^2 of the reach, where the model has ranges */
  uint8_t padding[16];
} block_head;

enum { posed_bone_floats = 12, posed_segment_floats = 8, frame_floats = 4, shape_numbers = 6 };
/* Of a mode: its shape's numbers are of 16 bits, with this in place of zero. */
enum { mode_zero = 32768, mode_numbers = 3 * block_size };

/* How a mode goes on: q(t + h) = now q(t) + before q(t - h) + force f(t), f in m/s^2; and the square of its angular
 * frequency, metres per unit of its shape's numbers, and radians per unit of its turns'. */
typedef struct mode_motion {
  double now, before, force, stiffness;
  float scale, turn_scale;
} mode_motion;

struct sinew_model {
  uint32_t vertices, blocks, bones, segments, parts;
  int rest_reference, has_shape, has_range, has_frames; /* the last where one of the first two is */
  float step, reach, height;
  uint64_t checksum;
  const uint32_t* block_begin; /* in units of 64 bytes */
  unsigned char* block_data;
  const float* rest;             /* 4 a place: what neighbours keep in the reference rest; null for rig */
  const float* normals;          /* [3][16] a block */
  const uint32_t *order, *place; /* place to vertex of the model, and back */
  const float* rest_to_joint;    /* 12 a bone */
  const uint32_t* bone_name;     /* where it begins in `names` */
  const uint32_t* segment_bone;
  const float* segment_ends; /* 6 a segment: head, tail */
  const uint32_t* part_name;
  const uint32_t* part_begin; /* parts + 1, into `part_places` */
  const uint32_t* part_places;
  const char* names;
  uint32_t modes;
  float coupling; /* of the surface's deviation from its goal to them */
  mode_motion mode[SINEW_MOST_MODES];
  const float* drive;         /* 12 a mode and bone */
  const uint16_t* mode_shape; /* [modes][3][16] a block */
  const uint16_t* mode_turn;  /* likewise: how it turns the surface around a place, per metre of its coordinate */
  const float* area;          /* a place: its weight in that deviation; where there is coupling */
  double gram[SINEW_MOST_MODES * SINEW_MOST_MODES]; /* of shapes under these weights: its factor of Cholesky */
};

/* Where the pieces of a block stand. */
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
  const float* bones;      /* posed at the step's end, divided by weight_one */
  const float* segments;   /* posed at its beginning */
  const float* frames;     /* rotations of bones at its beginning, and the identity; where the model has frames */
  const float* parameters; /* [5][16] a block, or null for the model's */
  int goals_are_given;     /* they stand in `next` */
  float step, inverse_step, reach;
  float push[3], air; /* what surroundings add to the velocity: push - air v */
} step_work;

typedef struct shape_work {
  const sinew_model* model;
  const float *now, *before;    /* records at the end of the last step and at its beginning */
  const float* bones;           /* of the moment that is shown, divided by weight_one */
  int goals_are_shown;          /* else positions are those of `now` */
  int is_bounded;               /* by the ranges of vertices */
  float bound;                  /* how much of these counts: 1, less where the host holds flesh */
  float share;                  /* of `now` against `before` */
  uint32_t modes;               /* that are shown */
  float mode[SINEW_MOST_MODES]; /* their coordinates times their shapes' scales */
  float turn[SINEW_MOST_MODES]; /* ... times their turns' scales */
  float *positions, *normals;   /* 4 a place; either may be null */
} shape_work;
