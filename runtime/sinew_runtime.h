/* Sinew's run-time: flesh for characters in games, from a model that `sinew fit` has learned.
 *
 * Shi, Zhou, Tong, Desbrun, Bao and Guo, Example-based dynamic skinning in real time, SIGGRAPH 2008. One header and one
 * source, C99 (or C++), no library but C's own, no allocation, no exception, no global state. docs/runtime.md has the
 * equations of a step and what was measured, sinew/deform/surface/runtime_file_layout.h the layout of the file.
 *
 * IN SHORT
 *     size_t bytes;
 *     if (sinew_model_memory(file, file_bytes, &bytes)) ...       // checks everything in the file
 *     const sinew_model* model;
 *     sinew_model_open(file, file_bytes, aligned(bytes), bytes, &model);
 *     sinew_body* body;                                            // one per character
 *     sinew_body_create(model, aligned(sinew_body_memory(model)), sinew_body_memory(model), &body);
 *     sinew_body_reset(body, bones, NULL);
 *     each frame:  sinew_body_advance(body, bones, dt);
 *                  sinew_body_shape(body, part, positions, 3 * sizeof(float), normals, 3 * sizeof(float));
 *
 * UNITS   metres, seconds, radians; right-handed axes, +Y up (nothing depends on which way is up).
 * SPACES  rest: where the character was modelled and bound, in metres. world: the host's, in metres, relative to an
 *         origin that the host chooses and may move (sinew_body_rebase): within some hundred metres of it the
 *         rounding of single precision is not visible.
 * BONES   one affine matrix per bone, rest to world, 12 floats: three rows of four, the last column the translation. A
 *         joint's world matrix times the bone's rest_to_joint (inverse bind matrix): sinew_bones_from_joints().
 * MEMORY  is provided by the caller: aligned to SINEW_ALIGNMENT, not moved while in use, free to be reused when the
 *         model or body in it is no longer used. The file's bytes are not needed after sinew_model_open().
 * THREADS A model never changes: any number of threads and bodies may use it at once. A body belongs to one thread at a
 *         time; it spreads its own work where the host lends it threads (sinew_body_use_threads). Results have the same
 *         bits for any number of threads.
 * ERRORS  A function that can fail returns a sinew_status, and changes nothing if it fails; sinew_sentence() explains
 *         the status. Files are not trusted: sinew_model_memory() and sinew_model_open() check every count, index,
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
#define SINEW_FILE_VERSION_WITHOUT_RANGES 1 /* can also be read */
#define SINEW_ALIGNMENT 64                  /* of all memory that the host provides */
#define SINEW_LARGEST 1e6f                  /* metres, metres per second and so on; larger numbers are rejected */
#define SINEW_MOST_MODES 16                 /* low-frequency modes of one model */
#define SINEW_MOST_HELD 64                  /* largest number of held vertices of one body */
#define SINEW_LONGEST_FRAME 1.0             /* seconds; of a longer frame only the end is simulated */
#define SINEW_ALL_VERTICES UINT32_MAX       /* instead of a part: all vertices of the model, in its own order */

typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_BAD_ARGUMENT,      /* a required pointer is null, or an index is out of range */
  SINEW_NOT_FINITE,        /* a number from the caller is not finite or larger than SINEW_LARGEST */
  SINEW_NO_ALIGNMENT,      /* memory is not aligned to SINEW_ALIGNMENT */
  SINEW_TOO_LITTLE_MEMORY, /* less than sinew_model_memory(), sinew_body_memory() or sinew_body_state_size() returned */
  SINEW_TOO_MANY_HELD,     /* SINEW_MOST_HELD vertices are already held */
  SINEW_NOT_RESET,         /* sinew_body_reset() must be called first */
  SINEW_NO_SUCH_SIMD,      /* not available on this machine or in this build */
  SINEW_NOT_A_MODEL,       /* the file does not begin like a model */
  SINEW_OTHER_VERSION,     /* the file has another version */
  SINEW_TRUNCATED,         /* the file is shorter or longer than it says */
  SINEW_DAMAGED,           /* the file's checksum is wrong */
  SINEW_BAD_COUNT,         /* a count in the file is too large or too small, or counts are inconsistent */
  SINEW_BAD_INDEX,         /* an index in the file is out of range */
  SINEW_BAD_NUMBER,        /* a number in the file is not finite or out of its range */
  SINEW_BAD_WEIGHTS,       /* weights of a vertex in the file do not sum to one */
  SINEW_BAD_NAME,          /* a name in the file is out of bounds or contains a zero */
  SINEW_OTHER_MODEL        /* the saved state belongs to another model, or is damaged */
} sinew_status;

/* One English sentence without a full stop; never null. */
const char* sinew_sentence(sinew_status status);

/* ---- the model: read from a file, immutable, shared by all bodies of a character ---- */

typedef struct sinew_model sinew_model;

typedef enum sinew_reference {
  SINEW_REFERENCE_RIG = 0, /* neighbours and spokes keep the shape that the rig gives the surface at the moment */
  SINEW_REFERENCE_REST = 1 /* they keep the shape at rest, as in the paper */
} sinew_reference;

typedef struct sinew_model_facts {
  uint32_t vertices; /* of the model: those of the mesh after welding seams */
  uint32_t bones, segments, parts;
  float step;   /* of an internal step, seconds */
  float reach;  /* largest distance of a vertex from its goal, metres */
  float height; /* of the character, metres */
  sinew_reference reference;
  uint32_t modes; /* number of low-frequency modes of the body, which bones excite; zero for most models */
} sinew_model_facts;

/* The forces on a vertex, as fractions of what would move it all the way in one step: alpha towards its goal, beta
 * towards its neighbours' shape, gamma towards its distance from the bones, lambda towards the neighbours' velocity,
 * delta towards the goal's velocity. */
enum { SINEW_ALPHA, SINEW_BETA, SINEW_GAMMA, SINEW_LAMBDA, SINEW_DELTA, SINEW_PARAMETERS };

/* Memory that the model of this file needs, bytes. Reads and checks the whole file. */
sinew_status sinew_model_memory(const void* file, size_t file_bytes, size_t* memory_bytes);
/* Builds the model in `memory`. Repeats all checks, so that it can be called by itself. */
sinew_status sinew_model_open(const void* file, size_t file_bytes, void* memory, size_t memory_bytes,
                              const sinew_model** model);

void sinew_model_get_facts(const sinew_model* model, sinew_model_facts* facts);
/* Name of the bone's joint (UTF-8); null where there is no such bone. */
const char* sinew_model_bone_name(const sinew_model* model, uint32_t bone);
/* Matrix from rest space (metres) to the joint's own space (units of the character's file), 12 floats as in BONES
 * above. */
sinew_status sinew_model_rest_to_joint(const sinew_model* model, uint32_t bone, float rest_to_joint[12]);
/* Name of a part of the mesh (a primitive), as `sinew info` shows it; null where there is no such part. */
const char* sinew_model_part_name(const sinew_model* model, uint32_t part);
/* Number of vertices of a part in the file; 0 where there is no such part. */
uint32_t sinew_model_part_vertices(const sinew_model* model, uint32_t part);
/* The model's vertex for a vertex of a part (several along a seam share one); SINEW_ALL_VERTICES if there is none. */
uint32_t sinew_model_vertex_of(const sinew_model* model, uint32_t part, uint32_t vertex);
/* The five parameters of a vertex of the model, as the file has them (8 bits each), scaled to be stable. */
sinew_status sinew_model_parameters(const sinew_model* model, uint32_t vertex, float parameters[SINEW_PARAMETERS]);
/* Anisotropic restoration: a symmetric matrix of trace 3 (xx, yy, zz, xy, xz, yz) in rest space, which rotates with
 * the vertex's strongest bone and multiplies alpha. The identity where the model has none. */
sinew_status sinew_model_restoration(const sinew_model* model, uint32_t vertex, float shape[6]);
/* Largest distance of a vertex from its goal in the output, metres; infinite if the model has no ranges. */
float sinew_model_range(const sinew_model* model, uint32_t vertex);
/* Rest position of a vertex of the model. */
sinew_status sinew_model_rest(const sinew_model* model, uint32_t vertex, float position[3]);

/* Computes bone matrices from world matrices of joints. `joints`: 16 floats per bone, column-major as in glTF and
 * OpenGL, joint space to world, in units of the character's file; `metres_per_unit` of that file. `bones`: 12 floats
 * per bone. */
sinew_status sinew_bones_from_joints(const sinew_model* model, const float* joints, float metres_per_unit,
                                     float* bones);

/* ---- a body: one moving character ---- */

typedef struct sinew_body sinew_body;

size_t sinew_body_memory(const sinew_model* model);
sinew_status sinew_body_create(const sinew_model* model, void* memory, size_t memory_bytes, sinew_body** body);
const sinew_model* sinew_body_model(const sinew_body* body);

/* Where bones put goals: blended linearly, as viewers of glTF do (the default), or by dual quaternions (Kavan et al.
 * 2008), by which twisted limbs keep their thickness, as `sinew animate --skinning dualquat` does. A body with other
 * skinning than before has to be reset. sinew_body_mode_offsets() stays that of linear blending. */
typedef enum sinew_skinning { SINEW_LINEAR = 0, SINEW_DUAL_QUATERNIONS } sinew_skinning;
sinew_status sinew_body_use_skinning(sinew_body* body, sinew_skinning skinning);

/* Places everything at the goal of the bones: at rest or, with the bones of one internal step before, at the goal's
 * velocity. Must be called first, and when a character is moved elsewhere. Releases held vertices. */
sinew_status sinew_body_reset(sinew_body* body, const float* bones, const float* bones_before);

/* For a jump without motion in between, as in a teleport or a cut: replaces an internal step. Each vertex keeps its
 * offset from the goal and its velocity relative to it, rotated with the bones. `bones_before`: one internal step
 * before `bones` in the motion after the jump; null if the character stands still. Held vertices stay held. */
sinew_status sinew_body_carry(sinew_body* body, const float* bones, const float* bones_before);

/* Takes one internal step, of sinew_model_facts::step seconds, to these bones; the output is its end. For hosts that
 * run at exactly that rate, and for tools. */
sinew_status sinew_body_step(sinew_body* body, const float* bones);

/* Advances from the time of the last call by `seconds`, at any frame rate, to these bones. Internal steps follow the
 * body's own clock, each with bones interpolated linearly between those of the last call and these. The output is
 * the goal of these bones plus the displacement one internal step earlier, interpolated between two internal steps,
 * so that the motion does not depend on the frame rate. `steps` (may be null) receives the number of internal steps. */
sinew_status sinew_body_advance(sinew_body* body, const float* bones, double seconds, uint32_t* steps);

/* For hosts with a rig of their own: reset and step with goals instead of what `bones` would give, one per vertex of
 * the model, in its order, `stride` bytes apart. `bones` still pose the segments of spokes, and rotate normals. Note
 * that sinew_body_advance() takes goals from bones. Low-frequency modes stay at rest. */
sinew_status sinew_body_reset_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride);
sinew_status sinew_body_step_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride);

/* The current output in world space, in the order of a part's vertices in the file, or of SINEW_ALL_VERTICES. Three
 * floats each, `stride` bytes apart; either pointer may be null. Normals have unit length. */
sinew_status sinew_body_shape(sinew_body* body, uint32_t part, float* positions, size_t position_stride, float* normals,
                              size_t normal_stride);
/* Weight of the ranges in the output: an offset d from the goal becomes d / sqrt(1 + bound |d|^2 / range^2). 0 while
 * a vertex is held, so that flesh can be pulled out of its range, and increasing over a second or two afterwards. 0
 * without ranges. */
float sinew_body_bound(const sinew_body* body);
/* Velocities at the end of the last internal step, metres per second, in the same order as the shape. */
sinew_status sinew_body_velocities(const sinew_body* body, uint32_t part, float* velocities, size_t stride);

/* Coordinates of the model's low-frequency modes at the end of the last internal step, metres; their norm is at most
 * the model's reach. Zeros for the remaining entries. */
sinew_status sinew_body_modes(const sinew_body* body, float coordinates[SINEW_MOST_MODES]);
/* Displacement of each vertex of the model by modes, in its order, metres, world axes: included in
 * sinew_body_shape(), but not in sinew_body_records(). */
sinew_status sinew_body_mode_offsets(const sinew_body* body, float* offsets, size_t stride);

/* ---- external influences ---- */

typedef struct sinew_surroundings {
  float acceleration[3]; /* of every vertex, e.g. (0, -9.81, 0), where the goal does not include it */
  float wind[3];         /* metres per second */
  float air_drag;        /* 1/s: rate at which a vertex takes on the wind's velocity; at most 0.5 / step */
} sinew_surroundings;

/* Takes effect with the next internal step. Initially there are none. */
sinew_status sinew_body_set_surroundings(sinew_body* body, const sinew_surroundings* surroundings);

/* Adds `velocity_change` to vertices within `radius` of `centre`, weighted by (1 - r^2)^2 with r = distance /
 * radius. */
sinew_status sinew_body_poke(sinew_body* body, const float centre[3], float radius, const float velocity_change[3]);

/* Holds a vertex of the model at a point in the world (a mouse, a hand), at most `reach` from its goal, until it is
 * released. Calling it again moves the point. */
sinew_status sinew_body_hold(sinew_body* body, uint32_t vertex, const float position[3]);
sinew_status sinew_body_release(sinew_body* body, uint32_t vertex);

/* Moves the world's origin by `shift`: the body stays in place, so that `shift` is subtracted from all its
 * coordinates. */
sinew_status sinew_body_rebase(sinew_body* body, const float shift[3]);

/* Replaces the model's parameters, SINEW_PARAMETERS floats per vertex of the model in its order: for tools that
 * paint or fit. They are copied, and scaled down where they would be unstable; null restores the model's. */
sinew_status sinew_body_use_parameters(sinew_body* body, const float* parameters);

/* ---- execution ---- */

/* Threads of the host. `run` calls task(work, i) once for each i < tasks, on any thread, and returns when all are
 * done; `count` is the number that may run at the same time. */
typedef struct sinew_threads {
  void (*run)(void* host, uint32_t tasks, void (*task)(void* work, uint32_t index), void* work);
  void* host;
  uint32_t count;
} sinew_threads;

/* The struct is copied; null (the default) uses only the calling thread. */
sinew_status sinew_body_use_threads(sinew_body* body, const sinew_threads* threads);

typedef enum sinew_simd {
  SINEW_SCALAR = 0,
  SINEW_SSE2,
  SINEW_NEON,
  SINEW_AVX2,
  SINEW_AVX512,
  SINEW_SIMD_LEVELS
} sinew_simd;

/* Whether this build has an instruction set and this machine can run it; the best of those, which a body uses by
 * default; its name. */
int sinew_simd_works(sinew_simd level);
sinew_simd sinew_simd_best(void);
const char* sinew_simd_name(sinew_simd level);
sinew_status sinew_body_use_simd(sinew_body* body, sinew_simd level);

/* ---- state, for saved games and rollback ---- */

/* Little-endian words, the same on every machine. Threads, instruction set, parameters and surroundings are not
 * included. */
size_t sinew_body_state_size(const sinew_model* model);
sinew_status sinew_body_save(const sinew_body* body, void* bytes, size_t size);
sinew_status sinew_body_load(sinew_body* body, const void* bytes, size_t size);

/* ---- internals, for other back-ends, debuggers and tests ---- */

/* State of one vertex after the last internal step, in one cache line. */
typedef struct sinew_record {
  float position[3], zero_0; /* before ranges are applied, so that it may be farther from the goal than the output */
  float velocity[3], zero_1;
  float goal[3], zero_2;
  float rotation[4]; /* x, y, z, w: of its neighbourhood, relative to the goal (rig) or to rest (rest) */
} sinew_record;

/* One record per vertex in the order of the run-time; null before the first reset. Valid until the body changes. */
const sinew_record* sinew_body_records(const sinew_body* body);
/* Per place in the order of the run-time: the vertex of the model. */
const uint32_t* sinew_model_order(const sinew_model* model);

/* Decodes the matrix of sinew_model_restoration() from its six bytes in a file: the diagonal as 3 c / 255, the
 * others as 1.5 c / 127 with signed c; moved towards the identity until no eigenvalue is negative, and scaled to
 * trace 3. */
sinew_status sinew_decode_restoration(const uint8_t codes[6], float shape[6]);

#ifdef __cplusplus
}
#endif

#endif
