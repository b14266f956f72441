/* Sinew's run-time: flesh for characters in games, from a model that `sinew fit` has learned.
 *
 * Shi, Zhou, Tong, Desbrun, Bao and Guo, Example-based dynamic skinning in real time, SIGGRAPH 2008. One header and one
 * source, C99 (or C++), no library but C's own, no allocation, no exception, no global state. docs/runtime.md has the
 * equations of a step, the layout of the file and what was measured.
 *
 * IN SHORT
 *     size_t bytes;
 *     if (sinew_model_memory(file, file_bytes, &bytes)) ...       // checks everything in the file
 *     const sinew_model* model;
 *     sinew_model_open(file, file_bytes, aligned(bytes), bytes, &model);
 *     sinew_body* body;                                            // as many as there are such characters
 *     sinew_body_create(model, aligned(sinew_body_memory(model)), sinew_body_memory(model), &body);
 *     sinew_body_reset(body, bones, NULL);
 *     each frame:  sinew_body_advance(body, bones, dt);
 *                  sinew_body_shape(body, part, positions, 3 * sizeof(float), normals, 3 * sizeof(float));
 *
 * UNITS   metres, seconds, radians; right-handed axes, +Y up (nothing depends on which way is up).
 * SPACES  rest: where the character was modelled and bound, in metres. world: the host's, in metres, relative to an
 *         origin that the host chooses and may move (sinew_body_rebase): within some hundred metres of it single
 *         precision shows nothing.
 * BONES   one affine matrix a bone, rest to world, 12 floats: three rows of four, the last column the translation. A
 *         joint's world matrix times the bone's rest_to_joint (inverse bind matrix): sinew_bones_from_joints().
 * MEMORY  is the caller's: aligned to SINEW_ALIGNMENT, not moved while in use, free to be reused once nobody uses what
 *         stands in it. The file's bytes are not needed after sinew_model_open().
 * THREADS A model never changes: any number of threads and bodies may use it at once. A body belongs to one thread at a
 *         time; it spreads its own work where the host lends it threads (sinew_body_use_threads). Results have the same
 *         bits for any number of threads.
 * ERRORS  A function that can fail returns a sinew_status and then has changed nothing; sinew_sentence() says what is
 *         wrong. Files are taken to be hostile: sinew_model_memory() and sinew_model_open() check every count, index,
 *         range and number. Matrices and vectors that are not finite, or larger than SINEW_LARGEST, are refused.
 */
#ifndef SINEW_RUNTIME_H
#define SINEW_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_FILE_VERSION 2
#define SINEW_FILE_VERSION_WITHOUT_RANGES 1 /* is read as well */
#define SINEW_ALIGNMENT 64                  /* of all memory that the host lends */
#define SINEW_LARGEST 1e6f      /* metres, metres per second, and so on: anything larger is an error of the caller */
#define SINEW_MOST_MODES 16     /* low-frequency modes of one model */
#define SINEW_MOST_HELD 64      /* vertices of one body that can be held at a time */
#define SINEW_LONGEST_FRAME 1.0 /* seconds: of a longer frame only the end is simulated */
#define SINEW_ALL_VERTICES UINT32_MAX /* in place of a part: the vertices of the model, in its own order */

typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_BAD_ARGUMENT,      /* a pointer that must not be null is, or an index is out of range */
  SINEW_NOT_FINITE,        /* a number of the caller is not finite or larger than SINEW_LARGEST */
  SINEW_NO_ALIGNMENT,      /* memory is not aligned to SINEW_ALIGNMENT */
  SINEW_TOO_LITTLE_MEMORY, /* less than sinew_model_memory(), sinew_body_memory() or sinew_body_state_size() ask for */
  SINEW_TOO_MANY_HELD,     /* SINEW_MOST_HELD vertices are held already */
  SINEW_NOT_RESET,         /* sinew_body_reset() must come first */
  SINEW_NO_SUCH_SIMD,      /* this machine or build does not have it */
  SINEW_NOT_A_MODEL,       /* the file does not begin as one */
  SINEW_OTHER_VERSION,     /* of the file */
  SINEW_TRUNCATED,         /* the file is shorter or longer than it says */
  SINEW_DAMAGED,           /* its checksum does not hold */
  SINEW_BAD_COUNT,         /* something in the file is too many, too few, or does not add up */
  SINEW_BAD_INDEX,         /* an index in the file points outside */
  SINEW_BAD_NUMBER,        /* a number in the file is not finite or out of its range */
  SINEW_BAD_WEIGHTS,       /* weights of a vertex in the file do not add up to one */
  SINEW_BAD_NAME,          /* a name in the file lies outside its names, or has a zero in it */
  SINEW_OTHER_MODEL        /* the saved state belongs to another model, or is damaged */
} sinew_status;

/* One sentence, in English, without a full stop; never null. */
const char* sinew_sentence(sinew_status status);

/* ---- the model: read from a file, never changing, shared by all bodies that look alike ---- */

typedef struct sinew_model sinew_model;

typedef enum sinew_reference {
  SINEW_REFERENCE_RIG = 0, /* neighbours and spokes keep the shape that bones give the surface at the moment */
  SINEW_REFERENCE_REST = 1 /* ... the shape at rest, as in the paper */
} sinew_reference;

typedef struct sinew_model_facts {
  uint32_t vertices; /* of the model: those of the mesh, welded at seams */
  uint32_t bones, segments, parts;
  float step;   /* seconds of an internal step */
  float reach;  /* metres: farthest that a vertex gets from its goal */
  float height; /* of the character, metres */
  sinew_reference reference;
  uint32_t modes; /* low-frequency modes of the body, which bones excite; most models have none */
} sinew_model_facts;

/* What acts on a vertex, as shares of what would move it all the way in one step: alpha towards its goal, beta towards
 * its neighbours' shape, gamma towards its distance from the bones, lambda towards the neighbours' velocity, delta
 * towards the goal's. */
enum { SINEW_ALPHA, SINEW_BETA, SINEW_GAMMA, SINEW_LAMBDA, SINEW_DELTA, SINEW_PARAMETERS };

/* The bytes of memory that the model of this file needs. Reads the whole file and checks all of it. */
sinew_status sinew_model_memory(const void* file, size_t file_bytes, size_t* memory_bytes);
/* Builds the model in `memory`. The same checks again, so that it can stand alone. */
sinew_status sinew_model_open(const void* file, size_t file_bytes, void* memory, size_t memory_bytes,
                              const sinew_model** model);

void sinew_model_get_facts(const sinew_model* model, sinew_model_facts* facts);
/* Name of the bone's joint (UTF-8); null where there is no such bone. */
const char* sinew_model_bone_name(const sinew_model* model, uint32_t bone);
/* Rest space (metres) to the joint's own space (units of the character's file), 12 floats as of BONES above. */
sinew_status sinew_model_rest_to_joint(const sinew_model* model, uint32_t bone, float rest_to_joint[12]);
/* Name of a part of the mesh (a primitive), as `sinew info` shows it; null where there is no such part. */
const char* sinew_model_part_name(const sinew_model* model, uint32_t part);
/* Vertices of a part as its file counts them; 0 where there is no such part. */
uint32_t sinew_model_part_vertices(const sinew_model* model, uint32_t part);
/* The vertex of the model that a part's vertex is (a seam has several of one); SINEW_ALL_VERTICES where none is. */
uint32_t sinew_model_vertex_of(const sinew_model* model, uint32_t part, uint32_t vertex);
/* The five numbers that act on a vertex of the model, as the file has them (8 bits each), made stable. */
sinew_status sinew_model_parameters(const sinew_model* model, uint32_t vertex, float parameters[SINEW_PARAMETERS]);
/* How its restoration differs between directions: a symmetric matrix of trace 3 (xx, yy, zz, xy, xz, yz), in the space
 * of rest, which turns with its strongest bone and stands before alpha; the identity where the model has none. */
sinew_status sinew_model_restoration(const sinew_model* model, uint32_t vertex, float shape[6]);
/* How far from its goal a vertex is ever shown, metres; infinite where the model has no ranges. */
float sinew_model_range(const sinew_model* model, uint32_t vertex);
/* Where a vertex of the model was at rest. */
sinew_status sinew_model_rest(const sinew_model* model, uint32_t vertex, float position[3]);

/* Bone matrices from world matrices of joints. `joints`: 16 floats a bone, column by column as in glTF and OpenGL,
 * joint space to world, units of the character's file; `metres_per_unit` of that file. `bones`: 12 floats a bone. */
sinew_status sinew_bones_from_joints(const sinew_model* model, const float* joints, float metres_per_unit,
                                     float* bones);

/* ---- a body: one character that moves ---- */

typedef struct sinew_body sinew_body;

size_t sinew_body_memory(const sinew_model* model);
sinew_status sinew_body_create(const sinew_model* model, void* memory, size_t memory_bytes, sinew_body** body);
const sinew_model* sinew_body_model(const sinew_body* body);

/* Everything where the bones put it; at rest, or, with the bones of one internal step before, at the goal's velocity.
 * To be called first, and where a character is put elsewhere. Releases what is held. */
sinew_status sinew_body_reset(sinew_body* body, const float* bones, const float* bones_before);

/* Where a character is put elsewhere, or into another pose, and no motion lies between, as at a teleport or a cut: in
 * place of an internal step. What physics made goes along: each vertex keeps its offset from the goal and its velocity
 * relative to it, turned with the bones. `bones_before`: one internal step before `bones`, as the character is moving
 * on; null where it stands. What is held stays held. */
sinew_status sinew_body_carry(sinew_body* body, const float* bones, const float* bones_before);

/* One internal step, of sinew_model_facts::step seconds, to these bones. What is shown afterwards is its end. For hosts
 * that run at exactly that rate, and for tools. */
sinew_status sinew_body_step(sinew_body* body, const float* bones);

/* From the last call's time to `seconds` later, at any frame rate, to these bones. Internal steps stand on the body's
 * own clock, each with bones interpolated linearly between the last call's and these. What is shown is the goal of
 * these very bones and, added to it, what physics made one internal step earlier, interpolated between two internal
 * steps: one motion at any frame rate. `steps` (may be null): how many internal steps were made. */
sinew_status sinew_body_advance(sinew_body* body, const float* bones, double seconds, uint32_t* steps);

/* The same for hosts with a rig of their own: goals in place of what `bones` would give, one per vertex of the model,
 * in its order, `stride` bytes apart. `bones` still pose the segments that spokes hold on to, and turn normals. Mind
 * that sinew_body_advance() takes goals from bones. Low-frequency modes rest. */
sinew_status sinew_body_reset_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride);
sinew_status sinew_body_step_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride);

/* The shape now, world space, in the order of a part's vertices as its file counts them, or of SINEW_ALL_VERTICES.
 * Three floats each, `stride` bytes apart; either pointer may be null. Normals have unit length. */
sinew_status sinew_body_shape(sinew_body* body, uint32_t part, float* positions, size_t position_stride, float* normals,
                              size_t normal_stride);
/* How much ranges count in that: of an offset d from the goal, d / sqrt(1 + bound |d|^2 / range^2) is shown. 0 while a
 * vertex is held, so that flesh can be drawn out of its range; it comes back within a second or two. 0 without ranges.
 */
float sinew_body_bound(const sinew_body* body);
/* Velocities at the end of the last internal step, metres per second; likewise. */
sinew_status sinew_body_velocities(const sinew_body* body, uint32_t part, float* velocities, size_t stride);

/* Coordinates of the model's low-frequency modes at the end of the last internal step, metres, together at most the
 * model's reach; zeros after them. */
sinew_status sinew_body_modes(const sinew_body* body, float coordinates[SINEW_MOST_MODES]);
/* What they add to each vertex of the model, in its order, metres, world axes: it is in what sinew_body_shape() shows
 * and not in sinew_body_records(). */
sinew_status sinew_body_mode_offsets(const sinew_body* body, float* offsets, size_t stride);

/* ---- what else acts on it ---- */

typedef struct sinew_surroundings {
  float acceleration[3]; /* of every vertex, e.g. (0, -9.81, 0), where the goal does not contain it yet */
  float wind[3];         /* metres per second */
  float air_drag;        /* 1/s: how fast a vertex takes on the wind's velocity; at most 0.5 / step */
} sinew_surroundings;

/* From the next internal step on. At first: nothing. */
sinew_status sinew_body_set_surroundings(sinew_body* body, const sinew_surroundings* surroundings);

/* A poke: vertices within `radius` of `centre` change their velocity, fully at the centre and by (1 - r^2)^2 around it.
 */
sinew_status sinew_body_poke(sinew_body* body, const float centre[3], float radius, const float velocity_change[3]);

/* Holds a vertex of the model at a point in the world (a mouse, a hand), at most `reach` from its goal, until released.
 * Held again it is moved. */
sinew_status sinew_body_hold(sinew_body* body, uint32_t vertex, const float position[3]);
sinew_status sinew_body_release(sinew_body* body, uint32_t vertex);

/* Moves the world's origin by `shift`: everything that the body knows keeps its place, and so is at `shift` less. */
sinew_status sinew_body_rebase(sinew_body* body, const float shift[3]);

/* Parameters in place of the model's, SINEW_PARAMETERS floats per vertex of the model in its order: for tools that
 * paint or fit. They are copied, scaled down where they would be unstable; null goes back to the model's. */
sinew_status sinew_body_use_parameters(sinew_body* body, const float* parameters);

/* ---- how it runs ---- */

/* Threads that the host lends. `run` calls task(work, i) once for each i < tasks, on any thread, and returns when all
 * are done; `count` says how many may run at a time. */
typedef struct sinew_threads {
  void (*run)(void* host, uint32_t tasks, void (*task)(void* work, uint32_t index), void* work);
  void* host;
  uint32_t count;
} sinew_threads;

/* Copied; null: the calling thread alone, as at first. */
sinew_status sinew_body_use_threads(sinew_body* body, const sinew_threads* threads);

typedef enum sinew_simd {
  SINEW_SCALAR = 0,
  SINEW_SSE2,
  SINEW_NEON,
  SINEW_AVX2,
  SINEW_AVX512,
  SINEW_SIMD_LEVELS
} sinew_simd;

/* Whether this build has it and this machine can run it; the best of those, which a body uses unless told; its name. */
int sinew_simd_works(sinew_simd level);
sinew_simd sinew_simd_best(void);
const char* sinew_simd_name(sinew_simd level);
sinew_status sinew_body_use_simd(sinew_body* body, sinew_simd level);

/* ---- state, for saved games and rollback ---- */

/* Little-endian words, the same on every machine. What sinew_body_use_... said and the surroundings are not part of it.
 */
size_t sinew_body_state_size(const sinew_model* model);
sinew_status sinew_body_save(const sinew_body* body, void* bytes, size_t size);
sinew_status sinew_body_load(sinew_body* body, const void* bytes, size_t size);

/* ---- for those who look inside: other back-ends, debuggers, tests ---- */

/* State of one vertex after the last internal step, one line of the cache. */
typedef struct sinew_record {
  float position[3], zero_0; /* before ranges, so that it may be farther from the goal than what is shown */
  float velocity[3], zero_1;
  float goal[3], zero_2;
  float rotation[4]; /* x, y, z, w: of its neighbourhood, against the goal's (rig) or the rest's (rest) */
} sinew_record;

/* One per vertex in the order of the run-time; null before the first reset. Valid until the body is changed. */
const sinew_record* sinew_body_records(const sinew_body* body);
/* Per place in the order of the run-time: the vertex of the model. */
const uint32_t* sinew_model_order(const sinew_model* model);

/* That matrix from its six bytes in a file: the diagonal as 3 c / 255, the others as 1.5 c / 127 with a signed c; drawn
 * towards the identity until it has no negative eigenvalue, and brought to trace 3. */
sinew_status sinew_decode_restoration(const uint8_t codes[6], float shape[6]);

#ifdef __cplusplus
}
#endif

#endif
