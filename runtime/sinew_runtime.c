/* Sinew's run-time in one source: see sinew_runtime.h. docs/runtime.md has the equations, numbered as in Shi et al.
 * 2008.
 *
 * First the types, then the kernels, which are written once over a type of lanes: this source includes itself for each
 * kind of vector registers that the machine may have. Then the reading of files, then bodies.
 *
 * runtime/sinew_runtime.c, which ships, is runtime/parts/runtime.c with its parts in place of their includes. Change
 * the parts, then run `cmake -P runtime/amalgamate.cmake`.
 */
#ifndef SINEW_LANES_PASS

#include "sinew_runtime.h"

#include <math.h>
#include <string.h>

/* The name of this source, for whoever renames it. SINEW_NO_SIMD leaves the scalar kernels alone. */
#ifndef SINEW_SOURCE
#define SINEW_SOURCE "sinew_runtime.c"
#endif

#ifdef _MSC_VER
#define SINEW_ALIGNED __declspec(align(64))
#define SINEW_INLINE static __forceinline
#elif defined(__GNUC__)
#define SINEW_ALIGNED __attribute__((aligned(64)))
#define SINEW_INLINE static inline __attribute__((always_inline, unused))
#else
#define SINEW_ALIGNED
#define SINEW_INLINE static inline
#endif

#if !defined(SINEW_NO_SIMD)
#if (defined(__GNUC__) && defined(__x86_64__)) || (defined(_MSC_VER) && defined(_M_X64) && !defined(_M_ARM64EC))
#define SINEW_X86 1
#include <immintrin.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif
#elif defined(__aarch64__) || defined(_M_ARM64)
#define SINEW_ARM 1
#include <arm_neon.h>
#endif
#endif

#if defined(__GNUC__)
#define SINEW_FETCH(address, to_write) __builtin_prefetch(address, to_write, 3)
#elif defined(_MSC_VER) && defined(SINEW_X86)
#define SINEW_FETCH(address, to_write) _mm_prefetch((const char*)(address), _MM_HINT_T0)
#else
#define SINEW_FETCH(address, to_write) ((void)(address))
#endif

/* ---- constants and formulas of the model ---- Shared by the run-time and the code that writes its files
 * (sinew/deform/surface, in double precision), which must agree exactly. Numbers are rounded to floats where floats
 * are used. */

/* Limits of numbers in a file: metres, seconds, hertz, counts. With these, and bones within SINEW_LARGEST and
 * SINEW_LARGEST_SCALE, no product in a kernel overflows. */
#define SINEW_LARGEST_REST 1e3
#define SINEW_LARGEST_SCALE 1e3
#define SINEW_SHORTEST_STEP 1e-4
#define SINEW_LONGEST_STEP 0.1
#define SINEW_SHORTEST_REACH 1e-6
#define SINEW_MOST_VERTICES (1 << 26)
#define SINEW_MOST_BONES 65535
#define SINEW_MOST_SEGMENTS 65535
#define SINEW_MOST_SPOKES 64
/* A mode's frequency is at most half of what steps can resolve, and its period at most a quarter of an hour. */
#define SINEW_LOWEST_FREQUENCY 1e-3
#define SINEW_HIGHEST_SWINGS_A_STEP 0.25
#define SINEW_LARGEST_COUPLING 1e3

/* Symplectic Euler is stable where k + 2 c <= 4, with k = alpha + 2 beta + gamma and c = 2 lambda + delta; alpha is
 * multiplied by the largest eigenvalue of its shape. Values above SINEW_MOST_STIFF are scaled down. */
#define SINEW_STABILITY_LOAD(alpha, beta, gamma, lambda, delta, largest_eigenvalue) \
  ((largest_eigenvalue) * (alpha) + 2 * (beta) + (gamma) + 2 * (2 * (lambda) + (delta)))
#define SINEW_MOST_STIFF 3.9

/* Weight of its frame in the rotation of a neighbourhood, relative to the squared distances of neighbours at rest,
 * and the lower bound of those, relative to the character's squared height. */
#define SINEW_FRAME_SHARE 1e-3
#define SINEW_LEAST_SPREAD 1e-10

/* Least range, relative to the character's height; smaller ones count as this. */
#define SINEW_LEAST_RANGE 1e-6

/* Length, relative to the character's height, below which spokes have no direction and no stronger force. */
#define SINEW_SHORTEST_SPOKE 1e-6

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

/* ---- the kernels, once per instruction set ---- */

#define SINEW_JOIN_(a, b) a##_##b
#define SINEW_JOIN(a, b) SINEW_JOIN_(a, b)
#define SINEW_NAME(name) SINEW_JOIN(name, SINEW_LANES_PASS)

#define SINEW_LANES_PASS scalar
#define SINEW_PASS_SCALAR
#include SINEW_SOURCE
#undef SINEW_PASS_SCALAR
#undef SINEW_LANES_PASS

#ifdef SINEW_X86

#define SINEW_LANES_PASS sse2
#define SINEW_PASS_SSE2
#include SINEW_SOURCE
#undef SINEW_PASS_SSE2
#undef SINEW_LANES_PASS

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#define SINEW_LANES_PASS avx2
#define SINEW_PASS_AVX2
#include SINEW_SOURCE
#undef SINEW_PASS_AVX2
#undef SINEW_LANES_PASS
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx2,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx2,fma")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* in GCC's own header when compiled as C++ */
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#define SINEW_LANES_PASS avx512
#define SINEW_PASS_AVX512
#include SINEW_SOURCE
#undef SINEW_PASS_AVX512
#undef SINEW_LANES_PASS
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif

#endif
#ifdef SINEW_ARM

#define SINEW_LANES_PASS neon
#define SINEW_PASS_NEON
#include SINEW_SOURCE
#undef SINEW_PASS_NEON
#undef SINEW_LANES_PASS

#endif

/* ---- reading of little-endian numbers on any machine ---- */

static uint32_t get_u16(const unsigned char* p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }
static uint32_t get_u32(const unsigned char* p) { return get_u16(p) | get_u16(p + 2) << 16; }
static uint64_t get_u64(const unsigned char* p) { return (uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32; }
static float get_f32(const unsigned char* p) {
  const uint32_t bits = get_u32(p);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static void put_u32(unsigned char* p, uint32_t value) {
  int i;
  for (i = 0; i < 4; ++i) p[i] = (unsigned char)(value >> 8 * i);
}
static void put_f32(unsigned char* p, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_u32(p, bits);
}

/* Checksum: FNV-1a. */
static const uint64_t checksum_seed = 14695981039346656037u;
static uint64_t checksum_of(const unsigned char* bytes, size_t count, uint64_t hash) {
  size_t i;
  for (i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

/* False also for numbers that are not finite. */
static int is_within(float value, float largest) { return value >= -largest && value <= largest; }
static int are_within(const float* values, size_t count, float largest) {
  size_t i;
  for (i = 0; i < count; ++i)
    if (!is_within(values[i], largest)) return 0;
  return 1;
}
static int are_in_file_within(const unsigned char* values, size_t count, float largest) {
  size_t i;
  for (i = 0; i < count; ++i)
    if (!is_within(get_f32(values + 4 * i), largest)) return 0;
  return 1;
}

/* ---- the file ---- */

enum { header_bytes = 96, bone_bytes = 52, segment_bytes = 28, part_bytes = 8, most_influences = 4 };
enum { mode_bytes = 16, drive_bytes = 48 };
enum {
  most_vertices = SINEW_MOST_VERTICES,
  most_bones = SINEW_MOST_BONES,
  most_segments = SINEW_MOST_SEGMENTS,
  most_spokes = SINEW_MOST_SPOKES
};
static const float largest_rest = (float)SINEW_LARGEST_REST, largest_scale = (float)SINEW_LARGEST_SCALE;
static const float shortest_step = (float)SINEW_SHORTEST_STEP, longest_step = (float)SINEW_LONGEST_STEP,
                   shortest_reach = (float)SINEW_SHORTEST_REACH;
static const float lowest_frequency = (float)SINEW_LOWEST_FREQUENCY,
                   highest_swings_a_step = (float)SINEW_HIGHEST_SWINGS_A_STEP,
                   largest_coupling = (float)SINEW_LARGEST_COUPLING;
static const float most_stiff = (float)SINEW_MOST_STIFF;

typedef struct file_view {
  uint32_t rest_reference, has_shape, has_range, bones, segments, vertices, parts, neighbours, spokes, part_vertices,
      name_bytes, modes;
  float step, reach, height, coupling;
  uint64_t checksum;
  const unsigned char *bone, *segment, *part, *order, *place, *rest, *normal, *influence_bone, *influence_weight, *code,
      *shape, *range, *neighbour_count, *neighbour, *spoke_count, *spoke_segment, *spoke_weight, *part_place, *name,
      *mode, *drive, *mode_shape;
} file_view;

static uint64_t take_section(const unsigned char* file, uint64_t begin, uint64_t bytes, const unsigned char** section,
                             uint64_t file_bytes) {
  *section = begin + bytes <= file_bytes ? file + begin : NULL;
  return (begin + bytes + 3) & ~(uint64_t)3;
}

static sinew_status read_header(const unsigned char* file, size_t bytes, file_view* view) {
  static const unsigned char magic[8] = {'S', 'I', 'N', 'E', 'W', 'S', 'R', 'F'};
  uint64_t at = header_bytes;
  uint32_t i, version, flags;
  if (bytes < 16 || memcmp(file, magic, sizeof magic) != 0) return SINEW_NOT_A_MODEL;
  version = get_u32(file + 8);
  if (version != SINEW_FILE_VERSION && version != SINEW_FILE_VERSION_WITHOUT_RANGES) return SINEW_OTHER_VERSION;
  if (bytes < header_bytes || get_u64(file + 16) != bytes) return SINEW_TRUNCATED;
  view->checksum = get_u64(file + 24);
  if (checksum_of(file + 32, bytes - 32, checksum_of(file, 24, checksum_seed)) != view->checksum) return SINEW_DAMAGED;
  flags = get_u32(file + 12);
  view->rest_reference = flags & 1;
  view->has_shape = flags >> 1 & 1;
  view->has_range = flags >> 3 & 1;
  if (flags > 15 || view->has_range != (version == SINEW_FILE_VERSION)) return SINEW_BAD_NUMBER;
  view->step = get_f32(file + 32);
  view->reach = get_f32(file + 36);
  view->height = get_f32(file + 40);
  if (!(view->step >= shortest_step && view->step <= longest_step)) return SINEW_BAD_NUMBER;
  if (!(view->reach >= shortest_reach && view->reach <= largest_rest)) return SINEW_BAD_NUMBER;
  if (!(view->height > 0 && view->height <= largest_rest)) return SINEW_BAD_NUMBER;
  view->bones = get_u32(file + 48);
  view->segments = get_u32(file + 52);
  view->vertices = get_u32(file + 56);
  view->parts = get_u32(file + 60);
  view->neighbours = get_u32(file + 64);
  view->spokes = get_u32(file + 68);
  view->part_vertices = get_u32(file + 72);
  view->name_bytes = get_u32(file + 76);
  view->modes = get_u32(file + 80);
  view->coupling = get_f32(file + 84);
  if (view->modes > SINEW_MOST_MODES || (view->modes > 0) != (flags >> 2 & 1)) return SINEW_BAD_COUNT;
  if (!(view->coupling >= 0 && view->coupling <= (view->modes > 0 ? largest_coupling : 0))) return SINEW_BAD_NUMBER;
  for (i = 88; i < header_bytes; i += 4)
    if (get_u32(file + i) != 0) return SINEW_BAD_NUMBER;
  if (get_u32(file + 44) != 0) return SINEW_BAD_NUMBER;
  if (view->vertices < 1 || view->vertices > most_vertices || view->bones > most_bones ||
      view->segments > most_segments)
    return SINEW_BAD_COUNT;
#define SINEW_SECTION(name, count, each) at = take_section(file, at, (uint64_t)(count) * (each), &view->name, bytes)
  SINEW_SECTION(bone, view->bones, bone_bytes);
  SINEW_SECTION(segment, view->segments, segment_bytes);
  SINEW_SECTION(part, view->parts, part_bytes);
  SINEW_SECTION(order, view->vertices, 4);
  SINEW_SECTION(place, view->vertices, 4);
  SINEW_SECTION(rest, view->vertices, 12);
  SINEW_SECTION(normal, view->vertices, 6);
  SINEW_SECTION(influence_bone, view->vertices, 2 * most_influences);
  SINEW_SECTION(influence_weight, view->vertices, 2 * most_influences);
  SINEW_SECTION(code, view->vertices, SINEW_PARAMETERS);
  SINEW_SECTION(shape, view->has_shape ? view->vertices : 0, shape_numbers);
  SINEW_SECTION(range, view->has_range ? view->vertices : 0, 1);
  SINEW_SECTION(mode, view->modes, mode_bytes);
  SINEW_SECTION(drive, (uint64_t)view->modes * view->bones, drive_bytes);
  SINEW_SECTION(mode_shape, view->vertices, (uint64_t)6 * view->modes);
  SINEW_SECTION(neighbour_count, view->vertices, 2);
  SINEW_SECTION(neighbour, view->neighbours, 4);
  SINEW_SECTION(spoke_count, view->vertices, 2);
  SINEW_SECTION(spoke_segment, view->spokes, 2);
  SINEW_SECTION(spoke_weight, view->spokes, 2);
  SINEW_SECTION(part_place, view->part_vertices, 4);
  SINEW_SECTION(name, view->name_bytes, 1);
#undef SINEW_SECTION
  return at == bytes ? SINEW_OK : SINEW_TRUNCATED;
}

static sinew_status check_name(const file_view* view, uint32_t length, uint64_t* used) {
  if (*used + length > view->name_bytes) return SINEW_BAD_NAME;
  if (length > 0 && memchr(view->name + *used, 0, length)) return SINEW_BAD_NAME;
  *used += length;
  return SINEW_OK;
}

static sinew_status check_skeleton_and_parts(const file_view* view) {
  uint64_t names = 0, part_vertices = 0;
  uint32_t i;
  for (i = 0; i < view->bones; ++i) {
    const unsigned char* bone = view->bone + (size_t)bone_bytes * i;
    if (!are_in_file_within(bone, 12, SINEW_LARGEST)) return SINEW_BAD_NUMBER;
    if (check_name(view, get_u32(bone + 48), &names)) return SINEW_BAD_NAME;
  }
  for (i = 0; i < view->segments; ++i) {
    const unsigned char* segment = view->segment + (size_t)segment_bytes * i;
    if (get_u32(segment) >= view->bones) return SINEW_BAD_INDEX;
    if (!are_in_file_within(segment + 4, 6, largest_rest)) return SINEW_BAD_NUMBER;
  }
  for (i = 0; i < view->parts; ++i) {
    const unsigned char* part = view->part + (size_t)part_bytes * i;
    part_vertices += get_u32(part);
    if (check_name(view, get_u32(part + 4), &names)) return SINEW_BAD_NAME;
  }
  if (names != view->name_bytes) return SINEW_BAD_NAME;
  if (part_vertices != view->part_vertices) return SINEW_BAD_COUNT;
  for (i = 0; i < view->part_vertices; ++i) {
    const uint32_t place = get_u32(view->part_place + (size_t)4 * i);
    if (place >= view->vertices && place != SINEW_ALL_VERTICES) return SINEW_BAD_INDEX;
  }
  return SINEW_OK;
}

static sinew_status check_vertices(const file_view* view) {
  uint64_t neighbours = 0, spokes = 0;
  uint32_t v, k;
  if (!are_in_file_within(view->rest, (size_t)3 * view->vertices, largest_rest)) return SINEW_BAD_NUMBER;
  for (v = 0; v < view->vertices; ++v) {
    const unsigned char* normal = view->normal + (size_t)6 * v;
    const unsigned char *bone = view->influence_bone + (size_t)8 * v, *weight = view->influence_weight + (size_t)8 * v;
    const uint32_t neighbour_count = get_u16(view->neighbour_count + (size_t)2 * v);
    const uint32_t spoke_count = get_u16(view->spoke_count + (size_t)2 * v);
    const uint32_t model_vertex = get_u32(view->order + (size_t)4 * v);
    uint32_t sum = 0;
    /* Each table is checked against the other, so that no vertex occurs twice. */
    if (model_vertex >= view->vertices || get_u32(view->place + (size_t)4 * model_vertex) != v) return SINEW_BAD_INDEX;
    if (get_u16(normal) == 0 && get_u16(normal + 2) == 0 && get_u16(normal + 4) == 0) return SINEW_BAD_NUMBER;
    for (k = 0; k < most_influences; ++k) {
      const uint32_t w = get_u16(weight + 2 * k);
      if (w > 0 && get_u16(bone + 2 * k) >= view->bones) return SINEW_BAD_INDEX;
      sum += w;
    }
    if (sum != 0 && sum != weight_one) return SINEW_BAD_WEIGHTS;
    if (neighbours + neighbour_count > view->neighbours || spokes + spoke_count > view->spokes) return SINEW_BAD_COUNT;
    if (spoke_count > most_spokes) return SINEW_BAD_COUNT;
    for (k = 0; k < neighbour_count; ++k)
      if (get_u32(view->neighbour + 4 * (neighbours + k)) >= view->vertices) return SINEW_BAD_INDEX;
    for (sum = 0, k = 0; k < spoke_count; ++k) {
      if (get_u16(view->spoke_segment + 2 * (spokes + k)) >= view->segments) return SINEW_BAD_INDEX;
      sum += get_u16(view->spoke_weight + 2 * (spokes + k));
    }
    if (spoke_count > 0 && sum != weight_one) return SINEW_BAD_WEIGHTS;
    neighbours += neighbour_count;
    spokes += spoke_count;
  }
  return neighbours == view->neighbours && spokes == view->spokes ? SINEW_OK : SINEW_BAD_COUNT;
}

static sinew_status check_modes(const file_view* view) {
  uint32_t k;
  for (k = 0; k < view->modes; ++k) {
    const unsigned char* mode = view->mode + (size_t)mode_bytes * k;
    const float frequency = get_f32(mode), ratio = get_f32(mode + 4), scale = get_f32(mode + 8);
    if (!(frequency >= lowest_frequency && frequency * view->step <= highest_swings_a_step)) return SINEW_BAD_NUMBER;
    if (!(ratio >= 0 && ratio <= 1 && scale >= 0 && scale <= 1) || get_u32(mode + 12) != 0) return SINEW_BAD_NUMBER;
  }
  if (!are_in_file_within(view->drive, (size_t)12 * view->modes * view->bones, SINEW_LARGEST)) return SINEW_BAD_NUMBER;
  return SINEW_OK;
}

static sinew_status check_file(const void* file, size_t bytes, file_view* view) {
  sinew_status status = read_header((const unsigned char*)file, bytes, view);
  if (status == SINEW_OK) status = check_skeleton_and_parts(view);
  if (status == SINEW_OK) status = check_vertices(view);
  if (status == SINEW_OK) status = check_modes(view);
  return status;
}

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

/* ---- facts about a model ---- */

const char* sinew_sentence(sinew_status status) {
  switch (status) {
    case SINEW_OK:
      return "all is well";
    case SINEW_BAD_ARGUMENT:
      return "a pointer is null that must not be, or an index or size is out of range";
    case SINEW_NOT_FINITE:
      return "a number is not finite or too large; check the matrices of bones and their units";
    case SINEW_NO_ALIGNMENT:
      return "memory must be aligned to SINEW_ALIGNMENT bytes";
    case SINEW_TOO_LITTLE_MEMORY:
      return "the memory is smaller than what is needed; ask for the size first";
    case SINEW_TOO_MANY_HELD:
      return "too many vertices are held; release one first";
    case SINEW_NOT_RESET:
      return "the body has no pose yet; reset it first";
    case SINEW_NO_SUCH_SIMD:
      return "this machine or build does not have that kind of vector registers";
    case SINEW_NOT_A_MODEL:
      return "the file is not a Sinew surface model; make one with `sinew fit`";
    case SINEW_OTHER_VERSION:
      return "the file has another version than this run-time; write it anew with `sinew fit`";
    case SINEW_TRUNCATED:
      return "the file is shorter or longer than it says; copy it again";
    case SINEW_DAMAGED:
      return "the file is damaged: its checksum does not hold; copy it again";
    case SINEW_BAD_COUNT:
      return "something in the file is too many, too few, or does not add up; write it anew";
    case SINEW_BAD_INDEX:
      return "an index in the file points outside what it has; write it anew";
    case SINEW_BAD_NUMBER:
      return "a number in the file is not finite or out of its range; write it anew";
    case SINEW_BAD_WEIGHTS:
      return "weights of a vertex in the file do not add up to one; write it anew";
    case SINEW_BAD_NAME:
      return "a name in the file lies outside its names or has a zero in it; write it anew";
    case SINEW_OTHER_MODEL:
      return "the saved state belongs to another model, or is damaged";
  }
  return "no such status";
}

void sinew_model_get_facts(const sinew_model* model, sinew_model_facts* facts) {
  if (!model || !facts) return;
  facts->vertices = model->vertices;
  facts->bones = model->bones;
  facts->segments = model->segments;
  facts->parts = model->parts;
  facts->step = model->step;
  facts->reach = model->reach;
  facts->height = model->height;
  facts->modes = model->modes;
  facts->reference = model->rest_reference ? SINEW_REFERENCE_REST : SINEW_REFERENCE_RIG;
}

const char* sinew_model_bone_name(const sinew_model* model, uint32_t bone) {
  return model && bone < model->bones ? model->names + model->bone_name[bone] : NULL;
}

sinew_status sinew_model_rest_to_joint(const sinew_model* model, uint32_t bone, float rest_to_joint[12]) {
  if (!model || !rest_to_joint || bone >= model->bones) return SINEW_BAD_ARGUMENT;
  memcpy(rest_to_joint, model->rest_to_joint + (size_t)12 * bone, 12 * sizeof(float));
  return SINEW_OK;
}

const char* sinew_model_part_name(const sinew_model* model, uint32_t part) {
  return model && part < model->parts ? model->names + model->part_name[part] : NULL;
}

uint32_t sinew_model_part_vertices(const sinew_model* model, uint32_t part) {
  return model && part < model->parts ? model->part_begin[part + 1] - model->part_begin[part] : 0;
}

uint32_t sinew_model_vertex_of(const sinew_model* model, uint32_t part, uint32_t vertex) {
  uint32_t place;
  if (vertex >= sinew_model_part_vertices(model, part)) return SINEW_ALL_VERTICES;
  place = model->part_places[model->part_begin[part] + vertex];
  return place == SINEW_ALL_VERTICES ? place : model->order[place];
}

const uint32_t* sinew_model_order(const sinew_model* model) { return model ? model->order : NULL; }

sinew_status sinew_model_parameters(const sinew_model* model, uint32_t vertex, float parameters[SINEW_PARAMETERS]) {
  uint8_t codes[SINEW_PARAMETERS];
  block_view block;
  uint32_t place, k;
  if (!model || !parameters || vertex >= model->vertices) return SINEW_BAD_ARGUMENT;
  place = model->place[vertex];
  find_block(model, place / block_size, &block);
  for (k = 0; k < SINEW_PARAMETERS; ++k) codes[k] = block.head->codes[k][place % block_size];
  decode(codes, parameters);
  return SINEW_OK;
}

sinew_status sinew_model_restoration(const sinew_model* model, uint32_t vertex, float shape[6]) {
  block_view block;
  uint32_t place, k;
  if (!model || !shape || vertex >= model->vertices) return SINEW_BAD_ARGUMENT;
  place = model->place[vertex];
  find_block(model, place / block_size, &block);
  for (k = 0; k < shape_numbers; ++k)
    shape[k] = model->has_shape ? block.shape[block_size * k + place % block_size] : (float)(k < 3);
  return SINEW_OK;
}

float sinew_model_range(const sinew_model* model, uint32_t vertex) {
  block_view block;
  float share;
  if (!model || vertex >= model->vertices) return 0.0f;
  if (!model->has_range) return HUGE_VALF;
  find_block(model, model->place[vertex] / block_size, &block);
  share = (float)block.head->range[model->place[vertex] % block_size] * (1.0f / 255.0f);
  return model->reach * share * share;
}

sinew_status sinew_model_rest(const sinew_model* model, uint32_t vertex, float position[3]) {
  block_view block;
  uint32_t place, k;
  if (!model || !position || vertex >= model->vertices) return SINEW_BAD_ARGUMENT;
  place = model->place[vertex];
  find_block(model, place / block_size, &block);
  for (k = 0; k < 3; ++k) position[k] = block.rest[block_size * k + place % block_size];
  return SINEW_OK;
}

sinew_status sinew_bones_from_joints(const sinew_model* model, const float* joints, float metres_per_unit,
                                     float* bones) {
  uint32_t b, row, column, k;
  if (!model || (!joints && model->bones) || (!bones && model->bones)) return SINEW_BAD_ARGUMENT;
  if (!is_within(metres_per_unit, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  for (b = 0; b < model->bones; ++b) {
    const float *joint = joints + (size_t)16 * b, *rest_to_joint = model->rest_to_joint + (size_t)12 * b;
    float* bone = bones + (size_t)12 * b;
    for (row = 0; row < 3; ++row)
      for (column = 0; column < 4; ++column) {
        double sum = column == 3 ? joint[12 + row] : 0;
        for (k = 0; k < 3; ++k) sum += (double)joint[4 * k + row] * rest_to_joint[4 * k + column];
        bone[4 * row + column] = (float)(metres_per_unit * sum);
      }
  }
  return SINEW_OK;
}

/* ---- instruction sets ---- */

typedef struct kernels {
  void (*step)(const step_work* work, uint32_t begin, uint32_t end);
  void (*goals)(const step_work* work, uint32_t begin, uint32_t end);
  void (*shape)(const shape_work* work, uint32_t begin, uint32_t end);
} kernels;

#define SINEW_KERNELS(name) \
  { step_blocks_##name, goal_blocks_##name, shape_blocks_##name }

static const kernels* kernels_of(sinew_simd level) {
  static const kernels scalar = SINEW_KERNELS(scalar);
#ifdef SINEW_X86
  static const kernels sse2 = SINEW_KERNELS(sse2), avx2 = SINEW_KERNELS(avx2), avx512 = SINEW_KERNELS(avx512);
  if (level == SINEW_AVX512) return &avx512;
  if (level == SINEW_AVX2) return &avx2;
  if (level == SINEW_SSE2) return &sse2;
#endif
#ifdef SINEW_ARM
  static const kernels neon = SINEW_KERNELS(neon);
  if (level == SINEW_NEON) return &neon;
#endif
  (void)level;
  return &scalar;
}

#if defined(SINEW_X86) && defined(_MSC_VER) && !defined(__clang__)
static int machine_has(sinew_simd level) {
  int leaf_1[4], leaf_7[4];
  unsigned long long saved;
  __cpuid(leaf_1, 0);
  if (leaf_1[0] < 7) return 0;
  __cpuid(leaf_1, 1);
  __cpuidex(leaf_7, 7, 0);
  if (!(leaf_1[2] >> 27 & 1) || !(leaf_1[2] >> 12 & 1) || !(leaf_7[1] >> 5 & 1)) return 0; /* OSXSAVE, FMA, AVX2 */
  saved = _xgetbv(0); /* registers that the system saves */
  if (level == SINEW_AVX2) return (saved & 0x6) == 0x6;
  return (saved & 0xe6) == 0xe6 && (leaf_7[1] >> 16 & 1);
}
#elif defined(SINEW_X86)
static int machine_has(sinew_simd level) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
  return level == SINEW_AVX2 || __builtin_cpu_supports("avx512f");
}
#endif

int sinew_simd_works(sinew_simd level) {
  if (level == SINEW_SCALAR) return 1;
#ifdef SINEW_X86
  if (level == SINEW_SSE2) return 1;
  if (level == SINEW_AVX2 || level == SINEW_AVX512) return machine_has(level);
#endif
#ifdef SINEW_ARM
  if (level == SINEW_NEON) return 1;
#endif
  return 0;
}

sinew_simd sinew_simd_best(void) {
  int level = SINEW_SIMD_LEVELS - 1;
  while (!sinew_simd_works((sinew_simd)level)) --level;
  return (sinew_simd)level;
}

const char* sinew_simd_name(sinew_simd level) {
  static const char* const names[SINEW_SIMD_LEVELS] = {"scalar", "SSE2", "NEON", "AVX2", "AVX-512"};
  return (int)level >= 0 && level < SINEW_SIMD_LEVELS ? names[level] : "none";
}

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

/* ---- work in pieces ---- */

enum { blocks_of_task = 32 };

typedef struct task_work {
  void (*step)(const step_work*, uint32_t, uint32_t); /* or shape */
  void (*shape)(const shape_work*, uint32_t, uint32_t);
  const step_work* step_of;
  const shape_work* shape_of;
  uint32_t blocks;
} task_work;

static void run_task(void* data, uint32_t index) {
  const task_work* work = (const task_work*)data;
  const uint32_t begin = index * blocks_of_task;
  const uint32_t end = work->blocks - begin < blocks_of_task ? work->blocks : begin + blocks_of_task;
  if (work->step) work->step(work->step_of, begin, end);
  if (work->shape) work->shape(work->shape_of, begin, end);
}

static void run_over_blocks(const sinew_body* body, task_work* work) {
  const uint32_t tasks = (body->model->blocks + blocks_of_task - 1) / blocks_of_task;
  uint32_t i;
  work->blocks = body->model->blocks;
  if (body->threads.run && body->threads.count > 1 && tasks > 1) {
    body->threads.run(body->threads.host, tasks, run_task, work);
  } else {
    for (i = 0; i < tasks; ++i) run_task(work, i);
  }
}

/* ---- bones ---- */

static sinew_status check_bones(const sinew_body* body, const float* bones) {
  uint32_t b, row;
  if (!bones) return body->model->bones ? SINEW_BAD_ARGUMENT : SINEW_OK;
  for (b = 0; b < body->model->bones; ++b)
    for (row = 0; row < 3; ++row) {
      const float* m = bones + (size_t)12 * b + 4 * row;
      if (!are_within(m, 3, largest_scale) || !is_within(m[3], SINEW_LARGEST)) return SINEW_NOT_FINITE;
    }
  return SINEW_OK;
}

static void copy_floats(float* to, const float* from, size_t count) {
  if (count > 0) memmove(to, from, count * sizeof(float));
}

/* The rigid motion and the stretch E of a bone's matrix: linear part = R (I + E), with the nearest rotation R. */
static void find_motion(const float* m, float* motion) {
  double a[9], q[4], back[9], size = 0, sum = 0;
  int i, row, column;
  for (i = 0; i < 9; ++i) a[i] = m[4 * (i / 3) + i % 3];
  frame_of_columns(a, q);
  nearest_rotation(a, q);
  for (i = 0; i < 4; ++i) sum += q[i] * q[i];
  for (i = 0; i < 4; ++i) motion[i] = (float)(q[i] /= sqrt(sum));
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    motion[motion_dual + i] = (float)(0.5 * (q[3] * m[4 * i + 3] + (double)m[4 * j + 3] * q[k] - m[4 * k + 3] * q[j]));
  }
  motion[motion_dual + 3] = (float)(-0.5 * (q[0] * m[3] + q[1] * m[7] + q[2] * m[11]));
  for (column = 0; column < 3; ++column) {
    /* The transposed rotation times a column: v - 2 w (u x v) + 2 u x (u x v). */
    double t[3];
    for (i = 0; i < 3; ++i)
      t[i] = 2 * (q[(i + 1) % 3] * a[3 * ((i + 2) % 3) + column] - q[(i + 2) % 3] * a[3 * ((i + 1) % 3) + column]);
    for (row = 0; row < 3; ++row)
      back[3 * row + column] = a[3 * row + column] - q[3] * t[row] + q[(row + 1) % 3] * t[(row + 2) % 3] -
                               q[(row + 2) % 3] * t[(row + 1) % 3] - (row == column ? 1 : 0);
  }
  for (i = 0; i < 9; ++i) size += back[i] * back[i];
  motion[motion_stretches] = size > 1e-12 ? 1.0f : 0.0f; /* rounding of single precision */
  for (i = 0; i < 9; ++i) motion[motion_stretch + i] = (float)back[i];
}

/* Motions of bones, divided by weight_one as posed bones are; the last is that of places without bones. */
static void pose_motions(const sinew_body* body, const float* bones) {
  static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  uint32_t b;
  int i;
  for (b = 0; b <= body->model->bones; ++b) {
    float* motion = body->motions + (size_t)motion_floats * b;
    find_motion(b < body->model->bones ? bones + (size_t)12 * b : identity, motion);
    for (i = 0; i < motion_stretches; ++i) motion[i] *= 1.0f / (float)weight_one;
  }
}

/* Motions for the kernels after pose_bones(); null where goals are blended linearly. */
static const float* motions_of(const sinew_body* body) {
  return body->skinning == SINEW_DUAL_QUATERNIONS ? body->motions : NULL;
}

static void pose_bones(const sinew_body* body, const float* bones) {
  const size_t floats = (size_t)posed_bone_floats * body->model->bones;
  float* identity = body->posed + floats;
  size_t i;
  for (i = 0; i < floats; ++i) body->posed[i] = bones[i] * (1.0f / (float)weight_one);
  if (motions_of(body)) pose_motions(body, bones);
  for (i = 0; i < posed_bone_floats; ++i) identity[i] = i % 5 == 0 ? 1.0f / (float)weight_one : 0.0f;
}

static void transform_point(const float* m, const float p[3], float to[3]) {
  int row;
  for (row = 0; row < 3; ++row)
    to[row] = m[4 * row] * p[0] + m[4 * row + 1] * p[1] + m[4 * row + 2] * p[2] + m[4 * row + 3];
}

static void pose_segments(const sinew_body* body, const float* bones) {
  const sinew_model* model = body->model;
  uint32_t s, k;
  if (model->has_frames) {
    for (s = 0; s < model->bones; ++s) {
      double linear[9];
      for (k = 0; k < 9; ++k) linear[k] = bones[(size_t)12 * s + 4 * (k / 3) + k % 3];
      rotation_of(linear, body->frames + (size_t)frame_floats * s);
    }
    for (k = 0; k < frame_floats; ++k) body->frames[(size_t)frame_floats * model->bones + k] = k == 3;
  }
  for (s = 0; s < model->segments; ++s) {
    const float *m = bones + (size_t)12 * model->segment_bone[s], *ends = model->segment_ends + (size_t)6 * s;
    float *posed = body->segments + (size_t)posed_segment_floats * s, head[3], tail[3];
    double rest_2 = 0, posed_2 = 0, determinant;
    transform_point(m, ends, head);
    transform_point(m, ends + 3, tail);
    for (k = 0; k < 3; ++k) {
      const double rest_axis = (double)ends[3 + k] - ends[k];
      posed[k] = head[k];
      posed[4 + k] = tail[k] - head[k];
      rest_2 += rest_axis * rest_axis;
      posed_2 += (double)posed[4 + k] * posed[4 + k];
    }
    posed[3] = posed_2 > 1e-16 ? (float)(1 / posed_2) : 0.0f;
    determinant =
        fabs(m[0] * ((double)m[5] * m[10] - (double)m[6] * m[9]) - m[1] * ((double)m[4] * m[10] - (double)m[6] * m[8]) +
             m[2] * ((double)m[4] * m[9] - (double)m[5] * m[8]));
    /* Scale of the bone's matrix across the segment. */
    if (rest_2 > 1e-16 && posed_2 > 1e-16)
      posed[7] = (float)sqrt(determinant * sqrt(rest_2 / posed_2));
    else
      posed[7] = (float)cbrt(determinant);
    if (!is_within(posed[7], largest_scale)) posed[7] = largest_scale;
  }
}

/* ---- modes of a body ---- */

static void copy_modes_bones(const sinew_body* body, const float* bones) {
  if (body->model->modes > 0) copy_floats(body->before_bones, bones, (size_t)12 * body->model->bones);
}

static void rest_modes(sinew_body* body, const float* bones_before) {
  memset(body->mode_now, 0, sizeof body->mode_now);
  memset(body->mode_before, 0, sizeof body->mode_before);
  copy_modes_bones(body, bones_before);
}

/* Largest norm of the coordinates of all modes together, in reaches; the output shows at most one. */
static const double most_reaches = 16;

/* Coordinates for the output, `share` of the way through the last step. */
static void shown_modes(const sinew_body* body, double share, double* q) {
  const sinew_model* model = body->model;
  double moved = 0;
  uint32_t k;
  for (k = 0; k < model->modes; ++k) {
    q[k] = body->mode_before[k] + share * (body->mode_now[k] - body->mode_before[k]);
    moved += fabs(q[k]);
  }
  if (moved > model->reach)
    for (k = 0; k < model->modes; ++k) q[k] *= model->reach / moved;
}

/* The linear part of a place's blended bones, optionally transposed, times v. */
static void blend_vector(const sinew_model* model, const float* bones, uint32_t place, int transposed,
                         const double v[3], double to[3]) {
  block_view block;
  double share = 0;
  uint32_t b, row, column;
  find_block(model, place / block_size, &block);
  to[0] = to[1] = to[2] = 0;
  for (b = 0; b < block.head->bones; ++b) {
    const double weight = block.weights[(size_t)block_size * b + place % block_size] * (1.0 / (double)weight_one);
    const uint32_t begin = block.bone[b];
    if (weight == 0 || begin == model->bones * posed_bone_floats) continue;
    share += weight;
    for (row = 0; row < 3; ++row)
      for (column = 0; column < 3; ++column)
        to[transposed ? column : row] += weight * bones[begin + 4 * row + column] * v[transposed ? row : column];
  }
  if (share == 0) memcpy(to, v, 3 * sizeof *to); /* without bones */
}

/* Displacement of a place by modes with coordinates q, world. */
static void mode_offset(const sinew_body* body, const float* bones, const double* q, uint32_t place, float offset[3]) {
  const sinew_model* model = body->model;
  double moved[3] = {0, 0, 0}, turned[3];
  uint32_t k, axis;
  offset[0] = offset[1] = offset[2] = 0;
  if (model->modes == 0) return;
  for (k = 0; k < model->modes; ++k)
    for (axis = 0; axis < 3; ++axis) moved[axis] += q[k] * model->mode[k].scale * mode_number(model, place, k, axis);
  blend_vector(model, bones, place, 0, moved, turned);
  for (axis = 0; axis < 3; ++axis) offset[axis] = (float)turned[axis];
}

/* Projection of the surface's deviation from its goal on each mode: least squares, in the order of places. */
static void project_deviation(const sinew_body* body, double* projected) {
  const sinew_model* model = body->model;
  uint32_t place, k, axis;
  memset(projected, 0, SINEW_MOST_MODES * sizeof *projected);
  for (place = 0; place < model->vertices; ++place) {
    const float* record = body->records[body->now] + (size_t)record_floats * place;
    double away[3], back[3];
    for (axis = 0; axis < 3; ++axis) away[axis] = (double)record[axis] - record[8 + axis];
    blend_vector(model, body->step_bones, place, 1, away, back);
    for (k = 0; k < model->modes; ++k)
      for (axis = 0; axis < 3; ++axis)
        projected[k] +=
            (double)model->area[place] * back[axis] * model->mode[k].scale * mode_number(model, place, k, axis);
  }
  solve_gram(model->gram, model->modes, projected);
}

/* Driving force f of mode k, m/s^2: -sum_b <G_b, L_b^T D_b> / h^2, where D_b is the second difference of the bone's
 * matrix. */
static double mode_force(const sinew_body* body, const float* bones, uint32_t k) {
  const sinew_model* model = body->model;
  double sum = 0;
  uint32_t b, row, column, other;
  for (b = 0; b < model->bones; ++b) {
    const float *drive = model->drive + 12 * ((size_t)model->bones * k + b), *next = bones + (size_t)12 * b;
    const float *now = body->step_bones + (size_t)12 * b, *before = body->before_bones + (size_t)12 * b;
    for (other = 0; other < 3; ++other)
      for (column = 0; column < 4; ++column) {
        const uint32_t at = 4 * other + column;
        const double difference = (double)next[at] - 2.0 * now[at] + before[at];
        for (row = 0; row < 3; ++row) sum += (double)drive[4 * row + column] * now[4 * other + row] * difference;
      }
  }
  return -sum / ((double)model->step * model->step);
}

static void step_modes(sinew_body* body, const float* bones) {
  const sinew_model* model = body->model;
  double deviation[SINEW_MOST_MODES], moved = 0;
  uint32_t k;
  if (model->modes == 0) return;
  if (model->coupling > 0) project_deviation(body, deviation);
  for (k = 0; k < model->modes; ++k) {
    const mode_motion* m = &model->mode[k];
    double force = mode_force(body, bones, k), next;
    if (model->coupling > 0) force += model->coupling * m->stiffness * deviation[k];
    next = m->now * body->mode_now[k] + m->before * body->mode_before[k] + m->force * force;
    body->mode_before[k] = body->mode_now[k];
    body->mode_now[k] = next;
    moved += fabs(next);
  }
  if (moved > most_reaches * model->reach)
    for (k = 0; k < model->modes; ++k) body->mode_before[k] = body->mode_now[k] *= most_reaches * model->reach / moved;
  copy_modes_bones(body, body->step_bones);
}

/* ---- reset ---- */

/* The rotation of a place's blended bones; the identity without bones. */
static void blended_rotation(const sinew_model* model, const float* bones, uint32_t place, float q[4]) {
  double blended[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, sum = 0;
  uint32_t b, row, column;
  block_view block;
  q[0] = q[1] = q[2] = 0;
  q[3] = 1;
  find_block(model, place / block_size, &block);
  for (b = 0; b < block.head->bones; ++b) {
    const uint32_t begin = block.bone[b], weight = block.weights[(size_t)block_size * b + place % block_size];
    if (weight == 0 || begin == model->bones * posed_bone_floats) continue;
    sum += weight;
    for (row = 0; row < 3; ++row)
      for (column = 0; column < 3; ++column)
        blended[3 * row + column] += (double)weight * bones[begin + 4 * row + column];
  }
  if (sum > 0) rotation_of(blended, q);
}

/* Rotation of every vertex at reset: the identity relative to the rig; that of the blended matrices relative to
 * rest. */
static void reset_rotations(const sinew_body* body, const float* bones, float* records) {
  uint32_t place;
  for (place = 0; place < body->model->blocks * block_size; ++place) {
    float* q = records + (size_t)record_floats * place + 12;
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
    if (body->model->rest_reference) blended_rotation(body->model, bones, place, q);
  }
}

static sinew_status check_goals(const sinew_body* body, const float* goals, size_t stride) {
  uint32_t v;
  if (!goals || stride < 3 * sizeof(float)) return SINEW_BAD_ARGUMENT;
  for (v = 0; v < body->model->vertices; ++v) {
    float goal[3];
    memcpy(goal, (const char*)goals + stride * v, sizeof goal);
    if (!are_within(goal, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  }
  return SINEW_OK;
}

static void put_goals(const sinew_body* body, const float* goals, size_t stride, float* records) {
  uint32_t place;
  for (place = 0; place < body->model->vertices; ++place)
    memcpy(records + (size_t)record_floats * place + 8, (const char*)goals + stride * body->model->order[place],
           3 * sizeof(float));
}

static const kernels* kernels_of(sinew_simd level);

static void skin_goals(sinew_body* body, const float* bones, float* records) {
  step_work step;
  task_work work;
  memset(&step, 0, sizeof step);
  memset(&work, 0, sizeof work);
  pose_bones(body, bones);
  step.model = body->model;
  step.bones = body->posed;
  step.motions = motions_of(body);
  step.next = records;
  work.step = kernels_of(body->simd)->goals;
  work.step_of = &step;
  run_over_blocks(body, &work);
}

static void show_step(sinew_body* body, const float* bones) {
  copy_floats(body->frame_bones, bones, (size_t)12 * body->model->bones);
  body->clock = 0;
  body->goals_are_shown = body->positions_stand = body->normals_stand = 0;
}

static sinew_status reset(sinew_body* body, const float* bones, const float* before, const float* goals,
                          size_t stride) {
  const size_t places = (size_t)body->model->blocks * block_size;
  float *now = body->records[0], *old = body->records[1];
  size_t place;
  int i;
  memset(now, 0, places * record_floats * sizeof(float));
  memset(old, 0, places * record_floats * sizeof(float));
  if (before) skin_goals(body, before, old);
  if (goals)
    put_goals(body, goals, stride, now);
  else
    skin_goals(body, bones, now);
  reset_rotations(body, bones, now);
  for (place = 0; place < places; ++place) {
    float *record = now + record_floats * place, *old_record = old + record_floats * place;
    for (i = 0; i < 3; ++i) {
      record[i] = record[8 + i];
      if (before) record[4 + i] = (record[8 + i] - old_record[8 + i]) / body->model->step;
    }
  }
  memcpy(old, now, places * record_floats * sizeof(float));
  body->now = 0;
  body->held = 0;
  body->looseness = 0;
  body->is_reset = 1;
  copy_floats(body->step_bones, bones, (size_t)12 * body->model->bones);
  rest_modes(body, before ? before : bones);
  pose_segments(body, body->step_bones);
  show_step(body, bones);
  return SINEW_OK;
}

sinew_status sinew_body_reset(sinew_body* body, const float* bones, const float* bones_before) {
  sinew_status status;
  if (!body) return SINEW_BAD_ARGUMENT;
  status = check_bones(body, bones);
  if (status == SINEW_OK && bones_before) status = check_bones(body, bones_before);
  return status ? status : reset(body, bones, bones_before, NULL, 0);
}

sinew_status sinew_body_reset_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride) {
  sinew_status status;
  if (!body) return SINEW_BAD_ARGUMENT;
  status = check_bones(body, bones);
  if (status == SINEW_OK) status = check_goals(body, goals, stride);
  return status ? status : reset(body, bones, NULL, goals, stride);
}

/* The product a b of two rotations. */
static void compose_rotations(const float a[4], const float b[4], float to[4]) {
  const float x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  const float y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  const float z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  to[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

static void rotate_vector(const float q[4], float v[3]) {
  const float tx = 2 * (q[1] * v[2] - q[2] * v[1]), ty = 2 * (q[2] * v[0] - q[0] * v[2]),
              tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  const float x = v[0] + q[3] * tx + q[1] * tz - q[2] * ty, y = v[1] + q[3] * ty + q[2] * tx - q[0] * tz,
              z = v[2] + q[3] * tz + q[0] * ty - q[1] * tx;
  v[0] = x;
  v[1] = y;
  v[2] = z;
}

/* Carries a vertex from old bones to new ones: keeps its position and velocity relative to the goal. */
static void carry_record(const sinew_body* body, const float* bones, uint32_t place, const float* earlier,
                         float* record) {
  float from[4], turn[4];
  int i;
  blended_rotation(body->model, body->step_bones, place, from);
  blended_rotation(body->model, bones, place, turn);
  for (i = 0; i < 3; ++i) from[i] = -from[i];
  compose_rotations(turn, from, turn);
  for (i = 0; i < 3; ++i) {
    record[i] -= record[8 + i];
    record[4 + i] -= (record[8 + i] - earlier[8 + i]) / body->model->step;
  }
  rotate_vector(turn, record);
  rotate_vector(turn, record + 4);
  if (body->model->rest_reference) compose_rotations(turn, record + 12, record + 12);
}

sinew_status sinew_body_carry(sinew_body* body, const float* bones, const float* bones_before) {
  float *now, *old;
  uint32_t place;
  int i;
  sinew_status status;
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  status = check_bones(body, bones);
  if (status == SINEW_OK && bones_before) status = check_bones(body, bones_before);
  if (status) return status;
  if (!bones_before) bones_before = bones;
  now = body->records[body->now];
  old = body->records[!body->now];
  for (place = 0; place < body->model->vertices; ++place) {
    const size_t at = (size_t)record_floats * place;
    carry_record(body, bones, place, old + at, now + at);
  }
  skin_goals(body, bones_before, old);
  skin_goals(body, bones, now);
  for (place = 0; place < body->model->vertices; ++place) {
    float *record = now + (size_t)record_floats * place, *earlier = old + (size_t)record_floats * place;
    for (i = 0; i < 3; ++i) {
      earlier[i] = earlier[8 + i] + record[i];
      record[i] += record[8 + i];
      record[4 + i] += (record[8 + i] - earlier[8 + i]) / body->model->step;
    }
    memcpy(earlier + 4, record + 4, 4 * sizeof(float));
    memcpy(earlier + 12, record + 12, 4 * sizeof(float));
  }
  copy_modes_bones(body, bones_before);
  copy_floats(body->step_bones, bones, (size_t)12 * body->model->bones);
  pose_segments(body, body->step_bones);
  show_step(body, bones);
  return SINEW_OK;
}

/* ---- steps ---- */

/* While a vertex is held, flesh may leave its range. */
static void loosen(sinew_body* body) {
  if (body->model->has_range) body->looseness = most_loose;
}

/* Moves held vertices to their points, within reach, with the velocity that takes them there. */
static void put_held(const sinew_body* body, const float* bones, const float* now, float* next) {
  const float step = body->model->step, reach = body->model->reach;
  double q[SINEW_MOST_MODES];
  uint32_t h, k;
  if (body->held > 0) shown_modes(body, 1, q);
  for (h = 0; h < body->held; ++h) {
    const float* old = now + (size_t)record_floats * body->held_place[h];
    float *record = next + (size_t)record_floats * body->held_place[h], at[3], d[3], distance_2 = 0, scale;
    mode_offset(body, bones, q, body->held_place[h], at);
    for (k = 0; k < 3; ++k) {
      at[k] = body->held_at[h][k] - at[k];
      d[k] = at[k] - record[8 + k];
      distance_2 += d[k] * d[k];
    }
    scale = distance_2 > reach * reach ? reach / sqrtf(distance_2) : 1.0f;
    for (k = 0; k < 3; ++k) {
      record[k] = scale < 1.0f ? record[8 + k] + scale * d[k] : at[k];
      record[4 + k] = (record[k] - old[k]) / step;
    }
  }
}

static void make_step(sinew_body* body, const float* bones, const float* goals, size_t stride) {
  const sinew_model* model = body->model;
  const sinew_surroundings* s = &body->surroundings;
  step_work step;
  task_work work;
  int i;
  memset(&work, 0, sizeof work);
  pose_bones(body, bones);
  step.model = model;
  step.now = body->records[body->now];
  step.next = body->records[!body->now];
  step.bones = body->posed;
  step.motions = motions_of(body);
  step.segments = body->segments;
  step.frames = body->frames;
  step.parameters = body->parameters_are_given ? body->parameters : NULL;
  step.goals_are_given = goals != NULL;
  step.step = model->step;
  step.inverse_step = 1.0f / model->step;
  step.reach = model->reach;
  step.air = model->step * s->air_drag;
  for (i = 0; i < 3; ++i) step.push[i] = model->step * (s->acceleration[i] + s->air_drag * s->wind[i]);
  if (goals)
    put_goals(body, goals, stride, step.next), rest_modes(body, body->step_bones);
  else
    step_modes(body, bones);
  work.step = kernels_of(body->simd)->step;
  work.step_of = &step;
  run_over_blocks(body, &work);
  put_held(body, bones, step.now, step.next);
  body->looseness -= (body->looseness + looseness_fades - 1) / looseness_fades;
  if (body->held > 0) loosen(body);
  body->now = !body->now;
  copy_floats(body->step_bones, bones, (size_t)12 * model->bones);
  pose_segments(body, body->step_bones);
}

static sinew_status check_ready(const sinew_body* body, const float* bones) {
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  return check_bones(body, bones);
}

sinew_status sinew_body_step(sinew_body* body, const float* bones) {
  const sinew_status status = check_ready(body, bones);
  if (status) return status;
  make_step(body, bones, NULL, 0);
  show_step(body, bones);
  return SINEW_OK;
}

sinew_status sinew_body_step_to_goals(sinew_body* body, const float* bones, const float* goals, size_t stride) {
  sinew_status status = check_ready(body, bones);
  if (status == SINEW_OK) status = check_goals(body, goals, stride);
  if (status) return status;
  make_step(body, bones, goals, stride);
  show_step(body, bones);
  return SINEW_OK;
}

sinew_status sinew_body_advance(sinew_body* body, const float* bones, double seconds, uint32_t* steps) {
  const sinew_status status = check_ready(body, bones);
  const size_t floats = body ? (size_t)12 * body->model->bones : 0;
  double step, elapsed;
  uint32_t count, k;
  size_t i;
  if (status) return status;
  if (!(seconds >= 0 && seconds <= SINEW_LARGEST)) return SINEW_NOT_FINITE;
  if (seconds > SINEW_LONGEST_FRAME) seconds = SINEW_LONGEST_FRAME;
  step = body->model->step;
  elapsed = body->clock + seconds;
  count = (uint32_t)(elapsed / step);
  for (k = 1; k <= count; ++k) {
    const double since = k * step - body->clock;
    const float share = seconds > 0 ? (float)(since < seconds ? since / seconds : 1) : 1.0f;
    for (i = 0; i < floats; ++i)
      body->between_bones[i] = body->frame_bones[i] + share * (bones[i] - body->frame_bones[i]);
    make_step(body, body->between_bones, NULL, 0);
  }
  show_step(body, bones);
  body->clock = elapsed - count * step;
  if (body->clock < 0) body->clock = 0;
  body->goals_are_shown = 1;
  if (steps) *steps = count;
  return SINEW_OK;
}

/* ---- output ---- */

static void find_shape(sinew_body* body, int positions, int normals) {
  shape_work shape;
  task_work work;
  double q[SINEW_MOST_MODES];
  uint32_t k;
  positions = positions && !body->positions_stand;
  normals = normals && !body->normals_stand;
  if (!positions && !normals) return;
  memset(&work, 0, sizeof work);
  pose_bones(body, body->frame_bones);
  shape.model = body->model;
  shape.now = body->records[body->now];
  shape.before = body->records[!body->now];
  shape.bones = body->posed;
  shape.motions = motions_of(body);
  shape.goals_are_shown = body->goals_are_shown;
  shape.share = body->goals_are_shown ? (float)(body->clock / body->model->step) : 1.0f;
  if (shape.share > 1.0f) shape.share = 1.0f;
  shape.bound = sinew_body_bound(body);
  shape.is_bounded = shape.bound > 0.0f;
  shape.modes = 0; /* unless one moves */
  shown_modes(body, (double)shape.share, q);
  for (k = 0; k < body->model->modes; ++k) {
    shape.mode[k] = body->model->mode[k].scale * (float)q[k];
    shape.turn[k] = body->model->mode[k].turn_scale * (float)q[k];
    if (shape.mode[k] != 0.0f) shape.modes = body->model->modes;
  }
  shape.positions = positions ? body->positions : NULL;
  shape.normals = normals ? body->normals : NULL;
  work.shape = kernels_of(body->simd)->shape;
  work.shape_of = &shape;
  run_over_blocks(body, &work);
  body->positions_stand |= positions;
  body->normals_stand |= normals;
}

/* Copies three floats of each place, `from_floats` apart, in the order of a part. */
static void give_out(const sinew_model* model, uint32_t part, const float* from, size_t from_floats, float* to,
                     size_t stride) {
  const uint32_t* places = part == SINEW_ALL_VERTICES ? model->place : model->part_places + model->part_begin[part];
  const uint32_t count = part == SINEW_ALL_VERTICES ? model->vertices : sinew_model_part_vertices(model, part);
  uint32_t v;
  for (v = 0; v < count; ++v)
    if (places[v] != SINEW_ALL_VERTICES)
      memcpy((char*)to + stride * v, from + from_floats * places[v], 3 * sizeof(float));
}

sinew_status sinew_body_shape(sinew_body* body, uint32_t part, float* positions, size_t position_stride, float* normals,
                              size_t normal_stride) {
  if (!body || (part >= body->model->parts && part != SINEW_ALL_VERTICES)) return SINEW_BAD_ARGUMENT;
  if ((positions && position_stride < 3 * sizeof(float)) || (normals && normal_stride < 3 * sizeof(float)))
    return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  find_shape(body, positions != NULL, normals != NULL);
  if (positions) give_out(body->model, part, body->positions, 4, positions, position_stride);
  if (normals) give_out(body->model, part, body->normals, 4, normals, normal_stride);
  return SINEW_OK;
}

sinew_status sinew_body_modes(const sinew_body* body, float coordinates[SINEW_MOST_MODES]) {
  double q[SINEW_MOST_MODES];
  uint32_t k;
  if (!body || !coordinates) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  memset(q, 0, sizeof q);
  shown_modes(body, 1, q);
  for (k = 0; k < SINEW_MOST_MODES; ++k) coordinates[k] = (float)q[k];
  return SINEW_OK;
}

sinew_status sinew_body_mode_offsets(const sinew_body* body, float* offsets, size_t stride) {
  double q[SINEW_MOST_MODES];
  uint32_t place;
  if (!body || !offsets || stride < 3 * sizeof(float)) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  shown_modes(body, 1, q);
  for (place = 0; place < body->model->vertices; ++place) {
    float offset[3];
    mode_offset(body, body->step_bones, q, place, offset);
    memcpy((char*)offsets + stride * body->model->order[place], offset, sizeof offset);
  }
  return SINEW_OK;
}

/* Adds the velocity of modes at the places of a part's vertices. */
static void add_mode_velocities(const sinew_body* body, uint32_t part, float* velocities, size_t stride) {
  const sinew_model* model = body->model;
  const uint32_t begin = part == SINEW_ALL_VERTICES ? 0 : model->part_begin[part];
  const uint32_t count = part == SINEW_ALL_VERTICES ? model->vertices : model->part_begin[part + 1] - begin;
  double change[SINEW_MOST_MODES], before[SINEW_MOST_MODES];
  uint32_t i, k;
  shown_modes(body, 1, change);
  shown_modes(body, 0, before);
  for (k = 0; k < model->modes; ++k) change[k] = (change[k] - before[k]) / (double)model->step;
  for (i = 0; i < count; ++i) {
    const uint32_t place = part == SINEW_ALL_VERTICES ? model->place[i] : model->part_places[begin + i];
    float added[3], velocity[3];
    if (place == SINEW_ALL_VERTICES) continue;
    mode_offset(body, body->step_bones, change, place, added);
    memcpy(velocity, (char*)velocities + stride * i, sizeof velocity);
    for (k = 0; k < 3; ++k) velocity[k] += added[k];
    memcpy((char*)velocities + stride * i, velocity, sizeof velocity);
  }
}

sinew_status sinew_body_velocities(const sinew_body* body, uint32_t part, float* velocities, size_t stride) {
  if (!body || !velocities || stride < 3 * sizeof(float)) return SINEW_BAD_ARGUMENT;
  if (part >= body->model->parts && part != SINEW_ALL_VERTICES) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  give_out(body->model, part, body->records[body->now] + 4, record_floats, velocities, stride);
  if (body->model->modes > 0) add_mode_velocities(body, part, velocities, stride);
  return SINEW_OK;
}

/* ---- external influences ---- */

sinew_status sinew_body_set_surroundings(sinew_body* body, const sinew_surroundings* s) {
  if (!body || !s) return SINEW_BAD_ARGUMENT;
  if (!are_within(s->acceleration, 3, SINEW_LARGEST) || !are_within(s->wind, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  if (!(s->air_drag >= 0 && s->air_drag * body->model->step <= 0.5f)) return SINEW_NOT_FINITE;
  body->surroundings = *s;
  return SINEW_OK;
}

sinew_status sinew_body_poke(sinew_body* body, const float centre[3], float radius, const float velocity_change[3]) {
  float* records;
  double q[SINEW_MOST_MODES];
  uint32_t place, k;
  if (!body || !centre || !velocity_change) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  if (!are_within(centre, 3, SINEW_LARGEST) || !are_within(velocity_change, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  if (!(radius > 0 && radius <= SINEW_LARGEST)) return SINEW_NOT_FINITE;
  records = body->records[body->now];
  shown_modes(body, 1, q);
  for (place = 0; place < body->model->vertices; ++place) {
    float *record = records + (size_t)record_floats * place, moved[3], distance_2 = 0, share;
    mode_offset(body, body->step_bones, q, place, moved);
    for (k = 0; k < 3; ++k) {
      const float d = (record[k] + moved[k] - centre[k]) / radius;
      distance_2 += d * d;
    }
    if (!(distance_2 < 1.0f)) continue;
    share = (1.0f - distance_2) * (1.0f - distance_2);
    for (k = 0; k < 3; ++k) record[4 + k] += share * velocity_change[k];
  }
  return SINEW_OK;
}

static uint32_t find_held(const sinew_body* body, uint32_t place) {
  uint32_t h = 0;
  while (h < body->held && body->held_place[h] != place) ++h;
  return h;
}

sinew_status sinew_body_hold(sinew_body* body, uint32_t vertex, const float position[3]) {
  uint32_t h;
  if (!body || !position || vertex >= body->model->vertices) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  if (!are_within(position, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  h = find_held(body, body->model->place[vertex]);
  if (h == SINEW_MOST_HELD) return SINEW_TOO_MANY_HELD;
  if (h == body->held) ++body->held;
  body->held_place[h] = body->model->place[vertex];
  memcpy(body->held_at[h], position, 3 * sizeof(float));
  loosen(body);
  return SINEW_OK;
}

sinew_status sinew_body_release(sinew_body* body, uint32_t vertex) {
  uint32_t h;
  if (!body || vertex >= body->model->vertices) return SINEW_BAD_ARGUMENT;
  h = find_held(body, body->model->place[vertex]);
  if (h == body->held) return SINEW_OK;
  --body->held;
  body->held_place[h] = body->held_place[body->held];
  memmove(body->held_at[h], body->held_at[body->held], 3 * sizeof(float));
  return SINEW_OK;
}

sinew_status sinew_body_rebase(sinew_body* body, const float shift[3]) {
  float* bones[3];
  const int with_modes = body && body->model->modes > 0;
  uint32_t place, b, h;
  int i, k;
  if (!body || !shift) return SINEW_BAD_ARGUMENT;
  if (!body->is_reset) return SINEW_NOT_RESET;
  if (!are_within(shift, 3, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  bones[0] = body->step_bones;
  bones[1] = body->frame_bones;
  bones[2] = body->before_bones;
  for (i = 0; i < 2 + with_modes; ++i) {
    for (b = 0; b < body->model->bones; ++b)
      for (k = 0; k < 3; ++k) /* limited to what a kernel can handle */
        if (!is_within(bones[i][12 * b + 4 * (uint32_t)k + 3] - shift[k], 2 * SINEW_LARGEST)) return SINEW_NOT_FINITE;
  }
  for (i = 0; i < 2 + with_modes; ++i)
    for (b = 0; b < body->model->bones; ++b)
      for (k = 0; k < 3; ++k) bones[i][(size_t)12 * b + 4 * (size_t)k + 3] -= shift[k];
  for (i = 0; i < 2; ++i) {
    for (place = 0; place < body->model->vertices; ++place) {
      float* record = body->records[i] + (size_t)record_floats * place;
      for (k = 0; k < 3; ++k) {
        record[k] -= shift[k];
        record[8 + k] -= shift[k];
      }
    }
  }
  for (h = 0; h < body->held; ++h)
    for (k = 0; k < 3; ++k) body->held_at[h][k] -= shift[k];
  pose_segments(body, body->step_bones);
  body->positions_stand = 0;
  return SINEW_OK;
}

sinew_status sinew_body_use_parameters(sinew_body* body, const float* parameters) {
  static const float most[SINEW_PARAMETERS] = {1, 1, 1, 0.5f, 1};
  uint32_t v, k;
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!parameters) {
    body->parameters_are_given = 0;
    return SINEW_OK;
  }
  for (v = 0; v < body->model->vertices; ++v)
    for (k = 0; k < SINEW_PARAMETERS; ++k) {
      const float value = parameters[(size_t)SINEW_PARAMETERS * v + k];
      if (!(value >= 0 && value <= most[k])) return SINEW_NOT_FINITE;
    }
  memset(body->parameters, 0, (size_t)body->model->blocks * block_size * SINEW_PARAMETERS * sizeof(float));
  for (v = 0; v < body->model->vertices; ++v) {
    const float* of_vertex = parameters + (size_t)SINEW_PARAMETERS * v;
    const uint32_t place = body->model->place[v], within = place % block_size;
    float* to = body->parameters + (size_t)SINEW_PARAMETERS * block_size * (place / block_size) + within;
    float shape[shape_numbers], scale;
    block_view block;
    find_block(body->model, place / block_size, &block);
    if (body->model->has_shape)
      for (k = 0; k < shape_numbers; ++k) shape[k] = block.shape[block_size * k + within];
    scale = stable_scale(of_vertex, body->model->has_shape ? shape : NULL);
    for (k = 0; k < SINEW_PARAMETERS; ++k) to[block_size * k] = scale * of_vertex[k];
  }
  body->parameters_are_given = 1;
  return SINEW_OK;
}

/* ---- how it runs ---- */

sinew_status sinew_body_use_threads(sinew_body* body, const sinew_threads* threads) {
  if (!body || (threads && !threads->run)) return SINEW_BAD_ARGUMENT;
  if (threads)
    body->threads = *threads;
  else
    memset(&body->threads, 0, sizeof body->threads);
  return SINEW_OK;
}

sinew_status sinew_body_use_simd(sinew_body* body, sinew_simd level) {
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!sinew_simd_works(level)) return SINEW_NO_SUCH_SIMD;
  body->simd = level;
  return SINEW_OK;
}

sinew_status sinew_body_use_skinning(sinew_body* body, sinew_skinning skinning) {
  if (!body || (skinning != SINEW_LINEAR && skinning != SINEW_DUAL_QUATERNIONS)) return SINEW_BAD_ARGUMENT;
  if (skinning != body->skinning) body->is_reset = 0;
  body->skinning = skinning;
  return SINEW_OK;
}

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

#else /* SINEW_LANES_PASS: what follows is compiled once for each kind of registers */

/* ---- lanes: a float for each of several vertices; records: one vertex's; outer products as wide as a record ---- */

#ifdef SINEW_PASS_SCALAR

#define LANES 1
#define lane float
#define lane_set(a) (a)
#define lane_load(p) (*(p))
#define lane_store(p, a) (*(p) = (a))
#define lane_add(a, b) ((a) + (b))
#define lane_sub(a, b) ((a) - (b))
#define lane_mul(a, b) ((a) * (b))
#define lane_reciprocal(a) (1.0f / (a))
#define lane_madd(a, b, c) ((a) * (b) + (c))
#define lane_nmadd(a, b, c) ((c) - (a) * (b))
#define lane_rsqrt(a) (1.0f / sqrtf(a))
#define lane_from_u8(p) ((float)*(p))
#define lane_from_u16(p) ((float)*(p))
SINEW_INLINE float lane_min_scalar(float a, float b) { return a < b ? a : b; }
SINEW_INLINE float lane_max_scalar(float a, float b) { return a > b ? a : b; }
SINEW_INLINE float lane_select_scalar(float a, float b, float yes, float no) { return a > b ? yes : no; }
#define lane_min lane_min_scalar
#define lane_max lane_max_scalar
#define lane_select_greater lane_select_scalar
#define lane_any_greater(a, b) ((a) > (b))
#define lane_load_columns(p, c) memcpy(c, p, 4 * sizeof(float))
#define lane_gather_columns(p, index, c) memcpy(c, (p) + *(index), 4 * sizeof(float))
#define lane_store_columns(p, stride, a, b, c, d) ((p)[0] = (a), (p)[1] = (b), (p)[2] = (c), (p)[3] = (d))

typedef struct {
  float f[record_floats];
} record_scalar;
#define record record_scalar
#define outer record_scalar
SINEW_INLINE record record_zero_scalar(void) {
  record r;
  memset(&r, 0, sizeof r);
  return r;
}
SINEW_INLINE record record_load_scalar(const float* p) {
  record r;
  memcpy(&r, p, sizeof r);
  return r;
}
SINEW_INLINE record record_with_goal_scalar(record r, const float* goal) {
  memcpy(r.f + 8, goal, 4 * sizeof(float));
  return r;
}
SINEW_INLINE record record_sub_scalar(record a, record b) {
  int i;
  for (i = 0; i < record_floats; ++i) a.f[i] -= b.f[i];
  return a;
}
SINEW_INLINE record record_add_scalar(record a, record b) {
  int i;
  for (i = 0; i < record_floats; ++i) a.f[i] += b.f[i];
  return a;
}
SINEW_INLINE record outer_add_scalar(record sum, record d) {
  int i, j;
  for (j = 0; j < 3; ++j)
    for (i = 0; i < 3; ++i) sum.f[4 * j + i] += d.f[i] * d.f[8 + j];
  return sum;
}
#define record_zero record_zero_scalar
#define record_load record_load_scalar
#define record_store(p, r) memcpy(p, (r).f, sizeof(r).f)
#define record_with_goal record_with_goal_scalar
#define record_sub record_sub_scalar
#define record_add record_add_scalar
#define outer_zero record_zero_scalar
#define outer_add outer_add_scalar
#define outer_store(p, r) memcpy(p, (r).f, sizeof(r).f)

#endif

#ifdef SINEW_PASS_SSE2

#define LANES 4
#define lane __m128
#define lane_set(a) _mm_set1_ps(a)
#define lane_load(p) _mm_loadu_ps(p)
#define lane_store(p, a) _mm_storeu_ps(p, a)
#define lane_add(a, b) _mm_add_ps(a, b)
#define lane_sub(a, b) _mm_sub_ps(a, b)
#define lane_mul(a, b) _mm_mul_ps(a, b)
#define lane_min(a, b) _mm_min_ps(a, b)
#define lane_max(a, b) _mm_max_ps(a, b)
#define lane_madd(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define lane_nmadd(a, b, c) _mm_sub_ps(c, _mm_mul_ps(a, b))
SINEW_INLINE __m128 lane_rsqrt_sse2(__m128 a) {
  const __m128 y = _mm_rsqrt_ps(a), half = _mm_mul_ps(_mm_set1_ps(0.5f), y);
  return _mm_mul_ps(half, _mm_sub_ps(_mm_set1_ps(3.0f), _mm_mul_ps(_mm_mul_ps(a, y), y)));
}
#define lane_rsqrt lane_rsqrt_sse2
SINEW_INLINE __m128 lane_reciprocal_sse2(__m128 a) {
  const __m128 y = _mm_rcp_ps(a);
  return _mm_mul_ps(y, _mm_sub_ps(_mm_set1_ps(2.0f), _mm_mul_ps(a, y)));
}
#define lane_reciprocal lane_reciprocal_sse2
SINEW_INLINE __m128 lane_select_sse2(__m128 a, __m128 b, __m128 yes, __m128 no) {
  const __m128 greater = _mm_cmpgt_ps(a, b);
  return _mm_or_ps(_mm_and_ps(greater, yes), _mm_andnot_ps(greater, no));
}
#define lane_select_greater lane_select_sse2
#define lane_any_greater(a, b) _mm_movemask_ps(_mm_cmpgt_ps(a, b))
SINEW_INLINE __m128 lane_from_u8_sse2(const uint8_t* p) {
  const __m128i zero = _mm_setzero_si128();
  int32_t four;
  memcpy(&four, p, sizeof four);
  return _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero), zero));
}
#define lane_from_u8 lane_from_u8_sse2
#define lane_from_u16(p) \
  _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i*)(const void*)(p)), _mm_setzero_si128()))
SINEW_INLINE void lane_load_columns_sse2(const float* p, __m128 c[4]) {
  c[0] = _mm_loadu_ps(p);
  c[1] = _mm_loadu_ps(p + record_floats);
  c[2] = _mm_loadu_ps(p + 2 * record_floats);
  c[3] = _mm_loadu_ps(p + 3 * record_floats);
  _MM_TRANSPOSE4_PS(c[0], c[1], c[2], c[3]);
}
#define lane_load_columns lane_load_columns_sse2
SINEW_INLINE void lane_gather_columns_sse2(const float* p, const uint32_t* index, __m128 c[4]) {
  int i;
  for (i = 0; i < 4; ++i) c[i] = _mm_loadu_ps(p + index[i]);
  _MM_TRANSPOSE4_PS(c[0], c[1], c[2], c[3]);
}
#define lane_gather_columns lane_gather_columns_sse2
SINEW_INLINE void lane_store_columns_sse2(float* p, size_t stride, __m128 a, __m128 b, __m128 c, __m128 d) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_storeu_ps(p, a);
  _mm_storeu_ps(p + stride, b);
  _mm_storeu_ps(p + 2 * stride, c);
  _mm_storeu_ps(p + 3 * stride, d);
}
#define lane_store_columns lane_store_columns_sse2

/* Position, velocity and goal of a record, without the rotation, which only the vertex itself uses. */
typedef struct {
  __m128 x, v, g;
} record_sse2;
#define record record_sse2
#define outer record_sse2
SINEW_INLINE record record_zero_sse2(void) {
  record r;
  r.x = r.v = r.g = _mm_setzero_ps();
  return r;
}
SINEW_INLINE record record_load_sse2(const float* p) {
  record r;
  r.x = _mm_loadu_ps(p);
  r.v = _mm_loadu_ps(p + 4);
  r.g = _mm_loadu_ps(p + 8);
  return r;
}
SINEW_INLINE void record_store_sse2(float* p, record r) {
  _mm_storeu_ps(p, r.x);
  _mm_storeu_ps(p + 4, r.v);
  _mm_storeu_ps(p + 8, r.g);
}
SINEW_INLINE record record_with_goal_sse2(record r, const float* goal) {
  r.g = _mm_loadu_ps(goal);
  return r;
}
SINEW_INLINE record record_sub_sse2(record a, record b) {
  a.x = _mm_sub_ps(a.x, b.x);
  a.v = _mm_sub_ps(a.v, b.v);
  a.g = _mm_sub_ps(a.g, b.g);
  return a;
}
SINEW_INLINE record record_add_sse2(record a, record b) {
  a.x = _mm_add_ps(a.x, b.x);
  a.v = _mm_add_ps(a.v, b.v);
  a.g = _mm_add_ps(a.g, b.g);
  return a;
}
SINEW_INLINE record outer_add_sse2(record sum, record d) {
  sum.x = _mm_add_ps(sum.x, _mm_mul_ps(d.x, _mm_shuffle_ps(d.g, d.g, _MM_SHUFFLE(0, 0, 0, 0))));
  sum.v = _mm_add_ps(sum.v, _mm_mul_ps(d.x, _mm_shuffle_ps(d.g, d.g, _MM_SHUFFLE(1, 1, 1, 1))));
  sum.g = _mm_add_ps(sum.g, _mm_mul_ps(d.x, _mm_shuffle_ps(d.g, d.g, _MM_SHUFFLE(2, 2, 2, 2))));
  return sum;
}
#define record_zero record_zero_sse2
#define record_load record_load_sse2
#define record_store record_store_sse2
#define record_with_goal record_with_goal_sse2
#define record_sub record_sub_sse2
#define record_add record_add_sse2
#define outer_zero record_zero_sse2
#define outer_add outer_add_sse2
#define outer_store record_store_sse2

#endif

#ifdef SINEW_PASS_NEON

#define LANES 4
#define lane float32x4_t
#define lane_set(a) vdupq_n_f32(a)
#define lane_load(p) vld1q_f32(p)
#define lane_store(p, a) vst1q_f32(p, a)
#define lane_add(a, b) vaddq_f32(a, b)
#define lane_sub(a, b) vsubq_f32(a, b)
#define lane_mul(a, b) vmulq_f32(a, b)
#define lane_reciprocal(a) vdivq_f32(vdupq_n_f32(1.0f), a)
#define lane_min(a, b) vminq_f32(a, b)
#define lane_max(a, b) vmaxq_f32(a, b)
#define lane_madd(a, b, c) vfmaq_f32(c, a, b)
#define lane_nmadd(a, b, c) vfmsq_f32(c, a, b)
SINEW_INLINE float32x4_t lane_rsqrt_neon(float32x4_t a) {
  float32x4_t y = vrsqrteq_f32(a);
  y = vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(a, y), y));
  y = vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(a, y), y));
  return y;
}
#define lane_rsqrt lane_rsqrt_neon
#define lane_select_greater(a, b, yes, no) vbslq_f32(vcgtq_f32(a, b), yes, no)
#define lane_any_greater(a, b) vmaxvq_u32(vcgtq_f32(a, b))
SINEW_INLINE float32x4_t lane_from_u8_neon(const uint8_t* p) {
  uint32_t four;
  memcpy(&four, p, sizeof four);
  return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(four)))));
}
#define lane_from_u8 lane_from_u8_neon
#define lane_from_u16(p) vcvtq_f32_u32(vmovl_u16(vld1_u16(p)))
SINEW_INLINE void lane_transpose_neon(float32x4_t c[4]) {
  const float32x4_t a = vtrn1q_f32(c[0], c[1]), b = vtrn2q_f32(c[0], c[1]);
  const float32x4_t d = vtrn1q_f32(c[2], c[3]), e = vtrn2q_f32(c[2], c[3]);
  c[0] = vcombine_f32(vget_low_f32(a), vget_low_f32(d));
  c[1] = vcombine_f32(vget_low_f32(b), vget_low_f32(e));
  c[2] = vcombine_f32(vget_high_f32(a), vget_high_f32(d));
  c[3] = vcombine_f32(vget_high_f32(b), vget_high_f32(e));
}
SINEW_INLINE void lane_load_columns_neon(const float* p, float32x4_t c[4]) {
  int i;
  for (i = 0; i < 4; ++i) c[i] = vld1q_f32(p + record_floats * i);
  lane_transpose_neon(c);
}
#define lane_load_columns lane_load_columns_neon
SINEW_INLINE void lane_gather_columns_neon(const float* p, const uint32_t* index, float32x4_t c[4]) {
  int i;
  for (i = 0; i < 4; ++i) c[i] = vld1q_f32(p + index[i]);
  lane_transpose_neon(c);
}
#define lane_gather_columns lane_gather_columns_neon
SINEW_INLINE void lane_store_columns_neon(float* p, size_t stride, float32x4_t a, float32x4_t b, float32x4_t c,
                                          float32x4_t d) {
  float32x4_t r[4];
  int i;
  r[0] = a, r[1] = b, r[2] = c, r[3] = d;
  lane_transpose_neon(r);
  for (i = 0; i < 4; ++i) vst1q_f32(p + stride * (size_t)i, r[i]);
}
#define lane_store_columns lane_store_columns_neon

typedef struct {
  float32x4_t x, v, g;
} record_neon;
#define record record_neon
#define outer record_neon
SINEW_INLINE record record_zero_neon(void) {
  record r;
  r.x = r.v = r.g = vdupq_n_f32(0);
  return r;
}
SINEW_INLINE record record_load_neon(const float* p) {
  record r;
  r.x = vld1q_f32(p);
  r.v = vld1q_f32(p + 4);
  r.g = vld1q_f32(p + 8);
  return r;
}
SINEW_INLINE void record_store_neon(float* p, record r) {
  vst1q_f32(p, r.x);
  vst1q_f32(p + 4, r.v);
  vst1q_f32(p + 8, r.g);
}
SINEW_INLINE record record_with_goal_neon(record r, const float* goal) {
  r.g = vld1q_f32(goal);
  return r;
}
SINEW_INLINE record record_sub_neon(record a, record b) {
  a.x = vsubq_f32(a.x, b.x);
  a.v = vsubq_f32(a.v, b.v);
  a.g = vsubq_f32(a.g, b.g);
  return a;
}
SINEW_INLINE record record_add_neon(record a, record b) {
  a.x = vaddq_f32(a.x, b.x);
  a.v = vaddq_f32(a.v, b.v);
  a.g = vaddq_f32(a.g, b.g);
  return a;
}
SINEW_INLINE record outer_add_neon(record sum, record d) {
  sum.x = vfmaq_laneq_f32(sum.x, d.x, d.g, 0);
  sum.v = vfmaq_laneq_f32(sum.v, d.x, d.g, 1);
  sum.g = vfmaq_laneq_f32(sum.g, d.x, d.g, 2);
  return sum;
}
#define record_zero record_zero_neon
#define record_load record_load_neon
#define record_store record_store_neon
#define record_with_goal record_with_goal_neon
#define record_sub record_sub_neon
#define record_add record_add_neon
#define outer_zero record_zero_neon
#define outer_add outer_add_neon
#define outer_store record_store_neon

#endif

#ifdef SINEW_PASS_AVX2

#define LANES 8
#define lane __m256
#define lane_set(a) _mm256_set1_ps(a)
#define lane_load(p) _mm256_loadu_ps(p)
#define lane_store(p, a) _mm256_storeu_ps(p, a)
#define lane_add(a, b) _mm256_add_ps(a, b)
#define lane_sub(a, b) _mm256_sub_ps(a, b)
#define lane_mul(a, b) _mm256_mul_ps(a, b)
#define lane_min(a, b) _mm256_min_ps(a, b)
#define lane_max(a, b) _mm256_max_ps(a, b)
#define lane_madd(a, b, c) _mm256_fmadd_ps(a, b, c)
#define lane_nmadd(a, b, c) _mm256_fnmadd_ps(a, b, c)
SINEW_INLINE __m256 lane_rsqrt_avx2(__m256 a) {
  const __m256 y = _mm256_rsqrt_ps(a), half = _mm256_mul_ps(_mm256_set1_ps(0.5f), y);
  return _mm256_mul_ps(half, _mm256_fnmadd_ps(_mm256_mul_ps(a, y), y, _mm256_set1_ps(3.0f)));
}
#define lane_rsqrt lane_rsqrt_avx2
SINEW_INLINE __m256 lane_reciprocal_avx2(__m256 a) {
  const __m256 y = _mm256_rcp_ps(a);
  return _mm256_mul_ps(y, _mm256_fnmadd_ps(a, y, _mm256_set1_ps(2.0f)));
}
#define lane_reciprocal lane_reciprocal_avx2
#define lane_select_greater(a, b, yes, no) _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_GT_OQ))
#define lane_any_greater(a, b) _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ))
#define lane_from_u8(p) _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)(p))))
#define lane_from_u16(p) _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)(const void*)(p))))
/* Transposes 4 x 4 within each half: the halves of c[k] belong to vertices k and k + 4. */
SINEW_INLINE void lane_transpose_avx2(__m256 c[4]) {
  const __m256 a = _mm256_unpacklo_ps(c[0], c[1]), b = _mm256_unpackhi_ps(c[0], c[1]);
  const __m256 d = _mm256_unpacklo_ps(c[2], c[3]), e = _mm256_unpackhi_ps(c[2], c[3]);
  c[0] = _mm256_shuffle_ps(a, d, _MM_SHUFFLE(1, 0, 1, 0));
  c[1] = _mm256_shuffle_ps(a, d, _MM_SHUFFLE(3, 2, 3, 2));
  c[2] = _mm256_shuffle_ps(b, e, _MM_SHUFFLE(1, 0, 1, 0));
  c[3] = _mm256_shuffle_ps(b, e, _MM_SHUFFLE(3, 2, 3, 2));
}
SINEW_INLINE void lane_load_columns_avx2(const float* p, __m256 c[4]) {
  int i;
  for (i = 0; i < 4; ++i)
    c[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + record_floats * i)),
                                _mm_loadu_ps(p + record_floats * (i + 4)), 1);
  lane_transpose_avx2(c);
}
#define lane_load_columns lane_load_columns_avx2
SINEW_INLINE void lane_gather_columns_avx2(const float* p, const uint32_t* index, __m256 c[4]) {
  int i;
  for (i = 0; i < 4; ++i)
    c[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + index[i])), _mm_loadu_ps(p + index[i + 4]), 1);
  lane_transpose_avx2(c);
}
#define lane_gather_columns lane_gather_columns_avx2
SINEW_INLINE void lane_store_columns_avx2(float* p, size_t stride, __m256 a, __m256 b, __m256 c, __m256 d) {
  __m256 r[4];
  size_t i;
  r[0] = a, r[1] = b, r[2] = c, r[3] = d;
  lane_transpose_avx2(r);
  for (i = 0; i < 4; ++i) {
    _mm_storeu_ps(p + stride * i, _mm256_castps256_ps128(r[i]));
    _mm_storeu_ps(p + stride * (i + 4), _mm256_extractf128_ps(r[i], 1));
  }
}
#define lane_store_columns lane_store_columns_avx2

typedef struct {
  __m256 xv, gq;
} record_avx2;
typedef struct {
  __m256 c01;
  __m128 c2;
} outer_avx2;
#define record record_avx2
#define outer outer_avx2
SINEW_INLINE record record_zero_avx2(void) {
  record r;
  r.xv = r.gq = _mm256_setzero_ps();
  return r;
}
SINEW_INLINE record record_load_avx2(const float* p) {
  record r;
  r.xv = _mm256_loadu_ps(p);
  r.gq = _mm256_loadu_ps(p + 8);
  return r;
}
SINEW_INLINE void record_store_avx2(float* p, record r) {
  _mm256_storeu_ps(p, r.xv);
  _mm256_storeu_ps(p + 8, r.gq);
}
SINEW_INLINE record record_with_goal_avx2(record r, const float* goal) {
  r.gq = _mm256_insertf128_ps(r.gq, _mm_loadu_ps(goal), 0);
  return r;
}
SINEW_INLINE record record_sub_avx2(record a, record b) {
  a.xv = _mm256_sub_ps(a.xv, b.xv);
  a.gq = _mm256_sub_ps(a.gq, b.gq);
  return a;
}
SINEW_INLINE record record_add_avx2(record a, record b) {
  a.xv = _mm256_add_ps(a.xv, b.xv);
  a.gq = _mm256_add_ps(a.gq, b.gq);
  return a;
}
SINEW_INLINE outer outer_zero_avx2(void) {
  outer r;
  r.c01 = _mm256_setzero_ps();
  r.c2 = _mm_setzero_ps();
  return r;
}
SINEW_INLINE outer outer_add_avx2(outer sum, record d) {
  const __m256 x = _mm256_permute2f128_ps(d.xv, d.xv, 0);
  const __m256 e01 = _mm256_permutevar8x32_ps(d.gq, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
  const __m128 e2 = _mm_permute_ps(_mm256_castps256_ps128(d.gq), _MM_SHUFFLE(2, 2, 2, 2));
  sum.c01 = _mm256_fmadd_ps(x, e01, sum.c01);
  sum.c2 = _mm_fmadd_ps(_mm256_castps256_ps128(d.xv), e2, sum.c2);
  return sum;
}
SINEW_INLINE void outer_store_avx2(float* p, outer r) {
  _mm256_storeu_ps(p, r.c01);
  _mm_storeu_ps(p + 8, r.c2);
}
#define record_zero record_zero_avx2
#define record_load record_load_avx2
#define record_store record_store_avx2
#define record_with_goal record_with_goal_avx2
#define record_sub record_sub_avx2
#define record_add record_add_avx2
#define outer_zero outer_zero_avx2
#define outer_add outer_add_avx2
#define outer_store outer_store_avx2

#endif

#ifdef SINEW_PASS_AVX512

#define LANES 16
#define lane __m512
#define lane_set(a) _mm512_set1_ps(a)
#define lane_load(p) _mm512_loadu_ps(p)
#define lane_store(p, a) _mm512_storeu_ps(p, a)
#define lane_add(a, b) _mm512_add_ps(a, b)
#define lane_sub(a, b) _mm512_sub_ps(a, b)
#define lane_mul(a, b) _mm512_mul_ps(a, b)
#define lane_min(a, b) _mm512_min_ps(a, b)
#define lane_max(a, b) _mm512_max_ps(a, b)
#define lane_madd(a, b, c) _mm512_fmadd_ps(a, b, c)
#define lane_nmadd(a, b, c) _mm512_fnmadd_ps(a, b, c)
SINEW_INLINE __m512 lane_rsqrt_avx512(__m512 a) {
  const __m512 y = _mm512_rsqrt14_ps(a), half = _mm512_mul_ps(_mm512_set1_ps(0.5f), y);
  return _mm512_mul_ps(half, _mm512_fnmadd_ps(_mm512_mul_ps(a, y), y, _mm512_set1_ps(3.0f)));
}
#define lane_rsqrt lane_rsqrt_avx512
SINEW_INLINE __m512 lane_reciprocal_avx512(__m512 a) {
  const __m512 y = _mm512_rcp14_ps(a);
  return _mm512_mul_ps(y, _mm512_fnmadd_ps(a, y, _mm512_set1_ps(2.0f)));
}
#define lane_reciprocal lane_reciprocal_avx512
#define lane_select_greater(a, b, yes, no) _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_GT_OQ), no, yes)
#define lane_any_greater(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define lane_from_u8(p) _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)(const void*)(p))))
#define lane_from_u16(p) _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(const void*)(p))))
/* Transposes 4 x 4 within each quarter: the quarters of c[k] belong to vertices k, k + 4, k + 8 and k + 12. */
SINEW_INLINE void lane_transpose_avx512(__m512 c[4]) {
  const __m512 a = _mm512_unpacklo_ps(c[0], c[1]), b = _mm512_unpackhi_ps(c[0], c[1]);
  const __m512 d = _mm512_unpacklo_ps(c[2], c[3]), e = _mm512_unpackhi_ps(c[2], c[3]);
  c[0] = _mm512_shuffle_ps(a, d, _MM_SHUFFLE(1, 0, 1, 0));
  c[1] = _mm512_shuffle_ps(a, d, _MM_SHUFFLE(3, 2, 3, 2));
  c[2] = _mm512_shuffle_ps(b, e, _MM_SHUFFLE(1, 0, 1, 0));
  c[3] = _mm512_shuffle_ps(b, e, _MM_SHUFFLE(3, 2, 3, 2));
}
SINEW_INLINE void lane_load_columns_avx512(const float* p, __m512 c[4]) {
  int i;
  for (i = 0; i < 4; ++i) {
    __m512 r = _mm512_castps128_ps512(_mm_loadu_ps(p + record_floats * i));
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + record_floats * (i + 4)), 1);
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + record_floats * (i + 8)), 2);
    c[i] = _mm512_insertf32x4(r, _mm_loadu_ps(p + record_floats * (i + 12)), 3);
  }
  lane_transpose_avx512(c);
}
#define lane_load_columns lane_load_columns_avx512
SINEW_INLINE void lane_gather_columns_avx512(const float* p, const uint32_t* index, __m512 c[4]) {
  int i;
  for (i = 0; i < 4; ++i) {
    __m512 r = _mm512_castps128_ps512(_mm_loadu_ps(p + index[i]));
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + index[i + 4]), 1);
    r = _mm512_insertf32x4(r, _mm_loadu_ps(p + index[i + 8]), 2);
    c[i] = _mm512_insertf32x4(r, _mm_loadu_ps(p + index[i + 12]), 3);
  }
  lane_transpose_avx512(c);
}
#define lane_gather_columns lane_gather_columns_avx512
SINEW_INLINE void lane_store_columns_avx512(float* p, size_t stride, __m512 a, __m512 b, __m512 c, __m512 d) {
  __m512 r[4];
  size_t i;
  r[0] = a, r[1] = b, r[2] = c, r[3] = d;
  lane_transpose_avx512(r);
  for (i = 0; i < 4; ++i) {
    _mm_storeu_ps(p + stride * i, _mm512_castps512_ps128(r[i]));
    _mm_storeu_ps(p + stride * (i + 4), _mm512_extractf32x4_ps(r[i], 1));
    _mm_storeu_ps(p + stride * (i + 8), _mm512_extractf32x4_ps(r[i], 2));
    _mm_storeu_ps(p + stride * (i + 12), _mm512_extractf32x4_ps(r[i], 3));
  }
}
#define lane_store_columns lane_store_columns_avx512
/* Stores whole records of one cache line each: assembles their quarters, then full stores. */
SINEW_INLINE void lane_store_records_avx512(float* p, const __m512 x[4], const __m512 v[4], const __m512 g[4],
                                            const __m512 q[4]) {
  __m512 a[4], b[4], c[4], d[4];
  int i;
  for (i = 0; i < 4; ++i) a[i] = x[i], b[i] = v[i], c[i] = g[i], d[i] = q[i];
  lane_transpose_avx512(a);
  lane_transpose_avx512(b);
  lane_transpose_avx512(c);
  lane_transpose_avx512(d);
  for (i = 0; i < 4; ++i) {
    const __m512 low_a = _mm512_shuffle_f32x4(a[i], b[i], 0x44), high_a = _mm512_shuffle_f32x4(a[i], b[i], 0xee);
    const __m512 low_b = _mm512_shuffle_f32x4(c[i], d[i], 0x44), high_b = _mm512_shuffle_f32x4(c[i], d[i], 0xee);
    _mm512_storeu_ps(p + record_floats * i, _mm512_shuffle_f32x4(low_a, low_b, 0x88));
    _mm512_storeu_ps(p + record_floats * (i + 4), _mm512_shuffle_f32x4(low_a, low_b, 0xdd));
    _mm512_storeu_ps(p + record_floats * (i + 8), _mm512_shuffle_f32x4(high_a, high_b, 0x88));
    _mm512_storeu_ps(p + record_floats * (i + 12), _mm512_shuffle_f32x4(high_a, high_b, 0xdd));
  }
}
#define lane_store_records lane_store_records_avx512

#define record __m512
#define outer __m512
#define record_zero() _mm512_setzero_ps()
#define record_load(p) _mm512_loadu_ps(p)
#define record_store(p, r) _mm512_storeu_ps(p, r)
#define record_with_goal(r, goal) _mm512_insertf32x4(r, _mm_loadu_ps(goal), 2)
#define record_sub(a, b) _mm512_sub_ps(a, b)
#define record_add(a, b) _mm512_add_ps(a, b)
#define outer_zero() _mm512_setzero_ps()
SINEW_INLINE __m512 outer_add_avx512(__m512 sum, __m512 d) {
  const __m512 e = _mm512_permutexvar_ps(_mm512_setr_epi32(8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11), d);
  return _mm512_fmadd_ps(_mm512_shuffle_f32x4(d, d, 0), e, sum);
}
#define outer_add outer_add_avx512
#define outer_store(p, r) _mm512_storeu_ps(p, r)

#endif

/* ---- the source of the kernels ---- */

/* Two groups of lanes side by side. The rotations of eq. 5 are one long chain of dependent operations, so that two
 * chains take hardly longer than one. */
typedef struct {
  lane a, b;
} SINEW_NAME(wide_pair);
#define wide SINEW_NAME(wide_pair)
#define SINEW_WIDE_2(name)                                    \
  SINEW_INLINE wide SINEW_NAME(wide_##name)(wide x, wide y) { \
    x.a = lane_##name(x.a, y.a);                              \
    x.b = lane_##name(x.b, y.b);                              \
    return x;                                                 \
  }
#define SINEW_WIDE_3(name)                                            \
  SINEW_INLINE wide SINEW_NAME(wide_##name)(wide x, wide y, wide z) { \
    x.a = lane_##name(x.a, y.a, z.a);                                 \
    x.b = lane_##name(x.b, y.b, z.b);                                 \
    return x;                                                         \
  }
SINEW_WIDE_2(add)
SINEW_WIDE_2(sub)
SINEW_WIDE_2(mul)
SINEW_WIDE_2(min)
SINEW_WIDE_2(max)
SINEW_WIDE_3(madd)
SINEW_WIDE_3(nmadd)
SINEW_INLINE wide SINEW_NAME(wide_set)(float value) {
  wide x;
  x.a = x.b = lane_set(value);
  return x;
}
SINEW_INLINE wide SINEW_NAME(wide_reciprocal)(wide x) {
  x.a = lane_reciprocal(x.a);
  x.b = lane_reciprocal(x.b);
  return x;
}
SINEW_INLINE wide SINEW_NAME(wide_rsqrt)(wide x) {
  x.a = lane_rsqrt(x.a);
  x.b = lane_rsqrt(x.b);
  return x;
}
SINEW_INLINE wide SINEW_NAME(wide_select_greater)(wide x, wide y, wide yes, wide no) {
  yes.a = lane_select_greater(x.a, y.a, yes.a, no.a);
  yes.b = lane_select_greater(x.b, y.b, yes.b, no.b);
  return yes;
}
SINEW_INLINE int SINEW_NAME(wide_any_greater)(wide x, wide y) {
  return (int)lane_any_greater(x.a, y.a) | (int)lane_any_greater(x.b, y.b);
}
#define wide_add SINEW_NAME(wide_add)
#define wide_sub SINEW_NAME(wide_sub)
#define wide_mul SINEW_NAME(wide_mul)
#define wide_reciprocal SINEW_NAME(wide_reciprocal)
#define wide_min SINEW_NAME(wide_min)
#define wide_max SINEW_NAME(wide_max)
#define wide_madd SINEW_NAME(wide_madd)
#define wide_nmadd SINEW_NAME(wide_nmadd)
#define wide_set SINEW_NAME(wide_set)
#define wide_rsqrt SINEW_NAME(wide_rsqrt)
#define wide_select_greater SINEW_NAME(wide_select_greater)
#define wide_any_greater SINEW_NAME(wide_any_greater)

/* Rotates v by q = (u, w): v + 2 w (u x v) + 2 u x (u x v). */
SINEW_INLINE void SINEW_NAME(rotate)(const lane q[4], lane v[3]) {
  const lane two = lane_set(2.0f);
  const lane tx = lane_mul(two, lane_nmadd(q[2], v[1], lane_mul(q[1], v[2])));
  const lane ty = lane_mul(two, lane_nmadd(q[0], v[2], lane_mul(q[2], v[0])));
  const lane tz = lane_mul(two, lane_nmadd(q[1], v[0], lane_mul(q[0], v[1])));
  v[0] = lane_add(lane_madd(q[3], tx, v[0]), lane_nmadd(q[2], ty, lane_mul(q[1], tz)));
  v[1] = lane_add(lane_madd(q[3], ty, v[1]), lane_nmadd(q[0], tz, lane_mul(q[2], tx)));
  v[2] = lane_add(lane_madd(q[3], tz, v[2]), lane_nmadd(q[1], tx, lane_mul(q[0], ty)));
}

/* The rotation R of a neighbourhood. In the frame of the last step's rotation R_0, M = R_0^T A', and the unknown is
 * the quaternion (u, 1) of the remaining rotation. It is the eigenvector of the largest eigenvalue of Horn's matrix:
 *     (2 K + d) u = b,   K = tr(S) I - S,   S = sym(M),   b = axial(M),   d = b . u = the eigenvalue - tr(S).
 * Newton's method would start with d = 0. Here d starts with |b|^2 / (2 tr(S)), its value for a rotation about the
 * stiffest axis, which keeps the matrix positive definite even for collinear neighbours; Rayleigh's quotient then
 * improves it. One solution is accurate to third order in the angle, two to seventh. One is enough where b is small;
 * for large rotations the eigenvalue is computed first. */
typedef struct {
  wide k[3], t01, t02, t12; /* 2 K: its diagonal, and its off-diagonal entries, negated */
  wide b[3];
} SINEW_NAME(turning);

/* Solves for u with a given d. Returns the determinant, or 0 where the matrix is not safely positive definite. */
SINEW_INLINE wide SINEW_NAME(solve_turn)(const SINEW_NAME(turning) * of, wide d, wide u[3]) {
  const wide tiny = wide_set(1e-5f);
  const wide k0 = wide_add(of->k[0], d), k1 = wide_add(of->k[1], d), k2 = wide_add(of->k[2], d);
  const wide t01 = of->t01, t02 = of->t02, t12 = of->t12;
  const wide c00 = wide_nmadd(t12, t12, wide_mul(k1, k2)), c01 = wide_madd(t01, k2, wide_mul(t02, t12));
  const wide c02 = wide_madd(t02, k1, wide_mul(t01, t12)), c11 = wide_nmadd(t02, t02, wide_mul(k0, k2));
  const wide c12 = wide_madd(k0, t12, wide_mul(t01, t02)), c22 = wide_nmadd(t01, t01, wide_mul(k0, k1));
  const wide determinant = wide_nmadd(t02, c02, wide_nmadd(t01, c01, wide_mul(k0, c00)));
  const wide inverse = wide_reciprocal(wide_max(determinant, tiny));
  const wide* b = of->b;
  u[0] = wide_mul(inverse, wide_madd(c00, b[0], wide_madd(c01, b[1], wide_mul(c02, b[2]))));
  u[1] = wide_mul(inverse, wide_madd(c01, b[0], wide_madd(c11, b[1], wide_mul(c12, b[2]))));
  u[2] = wide_mul(inverse, wide_madd(c02, b[0], wide_madd(c12, b[1], wide_mul(c22, b[2]))));
  return wide_select_greater(wide_min(wide_min(k0, c22), determinant), tiny, determinant, wide_set(0.0f));
}

SINEW_INLINE wide SINEW_NAME(wide_dot)(const wide a[3], const wide b[3]) {
  return wide_madd(a[0], b[0], wide_madd(a[1], b[1], wide_mul(a[2], b[2])));
}

/* Rayleigh's quotient. `missing` receives the squared error of d, times its effect on the angle of the rotation: at
 * most 16 times the root of `missing` over the determinant. */
SINEW_INLINE wide SINEW_NAME(improve_turn)(const SINEW_NAME(turning) * of, wide d, const wide u[3], wide* missing) {
  const wide squared = SINEW_NAME(wide_dot)(u, u), share = wide_reciprocal(wide_add(wide_set(1.0f), squared));
  const wide next = wide_mul(wide_madd(d, squared, SINEW_NAME(wide_dot)(of->b, u)), share);
  const wide change = wide_mul(wide_sub(next, d), share);
  *missing = wide_mul(wide_mul(change, change), squared);
  return next;
}

SINEW_INLINE wide SINEW_NAME(wide_cofactor)(wide a, wide b, wide c, wide d) { return wide_nmadd(b, c, wide_mul(a, d)); }

/* The largest eigenvalue of Horn's matrix for M with norm one: Newton's method from above, on the characteristic
 * polynomial z^4 - 2 z^2 - 8 det(M) z + 1 - 4 |cof(M)|^2. */
SINEW_INLINE wide SINEW_NAME(largest_eigenvalue)(const wide m[9]) {
  const wide eight = wide_set(8.0f), two = wide_set(2.0f), four = wide_set(4.0f);
  wide squares = wide_set(0.0f), determinant = squares, z = wide_set(1.7320509f), constant;
  int i, j;
  for (i = 0; i < 3; ++i)
    for (j = 0; j < 3; ++j) {
      const int r = 3 * ((i + 1) % 3), s = 3 * ((i + 2) % 3), c = (j + 1) % 3, e = (j + 2) % 3;
      const wide cofactor = SINEW_NAME(wide_cofactor)(m[r + c], m[r + e], m[s + c], m[s + e]);
      squares = wide_madd(cofactor, cofactor, squares);
      if (i == 0) determinant = wide_madd(m[j], cofactor, determinant);
    }
  determinant = wide_mul(determinant, eight);
  constant = wide_nmadd(four, squares, wide_set(1.0f));
  for (i = 0; i < 16; ++i) {
    const wide z_2 = wide_mul(z, z);
    const wide value = wide_madd(z, wide_sub(wide_mul(z, wide_sub(z_2, two)), determinant), constant);
    const wide slope = wide_sub(wide_mul(z, wide_mul(four, wide_sub(z_2, wide_set(1.0f)))), determinant);
    const wide change = wide_mul(value, wide_reciprocal(wide_max(slope, wide_set(1e-5f))));
    z = wide_sub(z, change);
    if (!wide_any_greater(change, wide_set(1e-6f))) break;
  }
  return z;
}

/* Rotates q towards the closest rotation of the matrix with the columns of A', which has norm one. A lane has
 * converged if `missing` is at most `bound`. Returns whether a lane had far to go: call again then, since a large
 * rotation in floats is not exact. */
SINEW_INLINE int SINEW_NAME(turn_to_nearest)(const wide ax[3], const wide ay[3], const wide az[3], wide q[4],
                                             wide* missing, wide* bound) {
  const wide one = wide_set(1.0f);
  /* R from sqrt(2) q, which saves factors of two. */
  const wide root = wide_set(1.41421356237f);
  const wide x = wide_mul(q[0], root), y = wide_mul(q[1], root), z = wide_mul(q[2], root), w = wide_mul(q[3], root);
  const wide xy = wide_mul(x, y), xz = wide_mul(x, z), yz = wide_mul(y, z);
  const wide r00 = wide_nmadd(z, z, wide_nmadd(y, y, one)), r01 = wide_nmadd(w, z, xy), r02 = wide_madd(w, y, xz);
  const wide r10 = wide_madd(w, z, xy), r11 = wide_nmadd(z, z, wide_nmadd(x, x, one)), r12 = wide_nmadd(w, x, yz);
  const wide r20 = wide_nmadd(w, y, xz), r21 = wide_madd(w, x, yz), r22 = wide_nmadd(y, y, wide_nmadd(x, x, one));
  /* M: row i is column i of R times the columns of A'. */
#define SINEW_COLUMN_DOT(i, a) wide_madd(r0##i, a[0], wide_madd(r1##i, a[1], wide_mul(r2##i, a[2])))
  const wide m00 = SINEW_COLUMN_DOT(0, ax), m01 = SINEW_COLUMN_DOT(0, ay), m02 = SINEW_COLUMN_DOT(0, az);
  const wide m10 = SINEW_COLUMN_DOT(1, ax), m11 = SINEW_COLUMN_DOT(1, ay), m12 = SINEW_COLUMN_DOT(1, az);
  const wide m20 = SINEW_COLUMN_DOT(2, ax), m21 = SINEW_COLUMN_DOT(2, ay), m22 = SINEW_COLUMN_DOT(2, az);
#undef SINEW_COLUMN_DOT
  const wide k0 = wide_add(m11, m22), k1 = wide_add(m00, m22), k2 = wide_add(m00, m11);
  const wide twice_trace = wide_add(k0, wide_add(k1, k2));
  SINEW_NAME(turning) turning;
  wide u[3], d, safe, px, py, pz, pw, scale;
  int is_far = 0;
  turning.k[0] = wide_add(k0, k0), turning.k[1] = wide_add(k1, k1), turning.k[2] = wide_add(k2, k2);
  turning.t01 = wide_add(m01, m10), turning.t02 = wide_add(m02, m20), turning.t12 = wide_add(m12, m21);
  turning.b[0] = wide_sub(m21, m12), turning.b[1] = wide_sub(m02, m20), turning.b[2] = wide_sub(m10, m01);
  d = wide_mul(SINEW_NAME(wide_dot)(turning.b, turning.b), wide_reciprocal(wide_max(twice_trace, one)));
  safe = SINEW_NAME(solve_turn)(&turning, d, u);
  d = SINEW_NAME(improve_turn)(&turning, d, u, missing);
  *missing = wide_max(*missing, wide_set(1e-24f));
  *bound = wide_mul(wide_mul(safe, safe), wide_set(1e-14f));
  if (wide_any_greater(*missing, *bound)) {
    /* Another solution squares the error if it and the rotation are small. */
    *missing = wide_select_greater(SINEW_NAME(wide_dot)(u, u), wide_set(0.1f), *missing,
                                   wide_max(wide_mul(*missing, wide_set(1e-5f)), wide_set(1e-24f)));
    is_far = wide_any_greater(*missing, *bound);
    if (is_far) {
      const wide m[9] = {m00, m01, m02, m10, m11, m12, m20, m21, m22};
      d = wide_nmadd(wide_set(0.5f), twice_trace, SINEW_NAME(largest_eigenvalue)(m));
    }
    SINEW_NAME(solve_turn)(&turning, d, u);
  }
  /* q (u, 1), normalised. */
  px = wide_madd(q[3], u[0], wide_madd(q[1], u[2], wide_nmadd(q[2], u[1], q[0])));
  py = wide_madd(q[3], u[1], wide_madd(q[2], u[0], wide_nmadd(q[0], u[2], q[1])));
  pz = wide_madd(q[3], u[2], wide_madd(q[0], u[1], wide_nmadd(q[1], u[0], q[2])));
  pw = wide_nmadd(q[2], u[2], wide_nmadd(q[1], u[1], wide_nmadd(q[0], u[0], q[3])));
  scale = wide_rsqrt(wide_madd(px, px, wide_madd(py, py, wide_madd(pz, pz, wide_mul(pw, pw)))));
  q[0] = wide_mul(px, scale);
  q[1] = wide_mul(py, scale);
  q[2] = wide_mul(pz, scale);
  q[3] = wide_mul(pw, scale);
  return is_far;
}

/* Input for the rotations of a group of vertices: sums of eq. 5, records, and the weight of the frames. `frame` is
 * null if the frames have not rotated. */
typedef struct {
  const float *outers, *records, *pull;
  const uint32_t* frame;
} SINEW_NAME(neighbourhoods);

/* Adds the frames: A' = A + nu Q. */
SINEW_INLINE void SINEW_NAME(add_frames)(const SINEW_NAME(neighbourhoods) * of, const float* frames, lane x[3],
                                         lane y[3], lane z[3]) {
  const lane pull = lane_load(of->pull);
  if (of->frame) {
    lane q[4], axis[3], zero = lane_set(0.0f);
    lane_gather_columns(frames, of->frame, q);
    axis[0] = pull, axis[1] = axis[2] = zero;
    SINEW_NAME(rotate)(q, axis);
    x[0] = lane_add(x[0], axis[0]), x[1] = lane_add(x[1], axis[1]), x[2] = lane_add(x[2], axis[2]);
    axis[1] = pull, axis[0] = axis[2] = zero;
    SINEW_NAME(rotate)(q, axis);
    y[0] = lane_add(y[0], axis[0]), y[1] = lane_add(y[1], axis[1]), y[2] = lane_add(y[2], axis[2]);
    axis[2] = pull, axis[0] = axis[1] = zero;
    SINEW_NAME(rotate)(q, axis);
    z[0] = lane_add(z[0], axis[0]), z[1] = lane_add(z[1], axis[1]), z[2] = lane_add(z[2], axis[2]);
  } else {
    x[0] = lane_add(x[0], pull);
    y[1] = lane_add(y[1], pull);
    z[2] = lane_add(z[2], pull);
  }
}

/* Computes the rotations of two groups of vertices, starting from those of the last step, into planes of q. */
SINEW_INLINE void SINEW_NAME(find_rotations)(const SINEW_NAME(neighbourhoods) of[2], const float* frames, float* q_a,
                                             float* q_b) {
  const wide tiny = wide_set(1e-30f);
  wide x[3], y[3], z[3], q[4], scale, missing, bound;
  lane cx[4], cy[4], cz[4], old[4];
  int i;
#define SINEW_GROUP(group, side)                                                   \
  lane_load_columns(of[group].outers, cx);                                         \
  lane_load_columns(of[group].outers + 4, cy);                                     \
  lane_load_columns(of[group].outers + 8, cz);                                     \
  lane_load_columns(of[group].records + 12, old);                                  \
  SINEW_NAME(add_frames)(&of[group], frames, cx, cy, cz);                          \
  for (i = 0; i < 3; ++i) x[i].side = cx[i], y[i].side = cy[i], z[i].side = cz[i]; \
  for (i = 0; i < 4; ++i) q[i].side = old[i]
  SINEW_GROUP(0, a);
  SINEW_GROUP(1, b);
#undef SINEW_GROUP
  scale = wide_madd(x[0], x[0], wide_madd(x[1], x[1], wide_mul(x[2], x[2])));
  scale = wide_madd(y[0], y[0], wide_madd(y[1], y[1], wide_madd(y[2], y[2], scale)));
  scale = wide_madd(z[0], z[0], wide_madd(z[1], z[1], wide_madd(z[2], z[2], scale)));
  scale = wide_rsqrt(wide_max(scale, tiny));
  for (i = 0; i < 3; ++i) {
    x[i] = wide_mul(x[i], scale);
    y[i] = wide_mul(y[i], scale);
    z[i] = wide_mul(z[i], scale);
  }
  if (SINEW_NAME(turn_to_nearest)(x, y, z, q, &missing, &bound))
    SINEW_NAME(turn_to_nearest)(x, y, z, q, &missing, &bound);
  for (i = 0; i < 4; ++i) {
    lane_store(q_a + block_size * i, q[i].a);
    lane_store(q_b + block_size * i, q[i].b);
  }
  if (wide_any_greater(missing, bound)) {
    float columns[9 * block_size], is_missing[block_size], is_bound[block_size];
    lane_store(is_missing, missing.a);
    lane_store(is_bound, bound.a);
    for (i = 0; i < 9; ++i) lane_store(columns + block_size * i, (i < 3 ? x : i < 6 ? y : z)[i % 3].a);
    find_far_rotations(LANES, is_missing, is_bound, columns, of[0].records, q_a);
    lane_store(is_missing, missing.b);
    lane_store(is_bound, bound.b);
    for (i = 0; i < 9; ++i) lane_store(columns + block_size * i, (i < 3 ? x : i < 6 ? y : z)[i % 3].b);
    find_far_rotations(LANES, is_missing, is_bound, columns, of[1].records, q_b);
  }
}

/* Goals of a group of vertices by linear blending of `bones`. */
SINEW_INLINE void SINEW_NAME(skin)(const float* bones, const uint32_t* bone, uint32_t bone_count,
                                   const uint16_t* weights, const lane rest[3], lane goal[3]) {
  uint32_t b;
  goal[0] = goal[1] = goal[2] = lane_set(0.0f);
  for (b = 0; b < bone_count; ++b) {
    const float* m = bones + bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    const lane x = lane_madd(lane_set(m[0]), rest[0],
                             lane_madd(lane_set(m[1]), rest[1], lane_madd(lane_set(m[2]), rest[2], lane_set(m[3]))));
    const lane y = lane_madd(lane_set(m[4]), rest[0],
                             lane_madd(lane_set(m[5]), rest[1], lane_madd(lane_set(m[6]), rest[2], lane_set(m[7]))));
    const lane z = lane_madd(lane_set(m[8]), rest[0],
                             lane_madd(lane_set(m[9]), rest[1], lane_madd(lane_set(m[10]), rest[2], lane_set(m[11]))));
    goal[0] = lane_madd(w, x, goal[0]);
    goal[1] = lane_madd(w, y, goal[1]);
    goal[2] = lane_madd(w, z, goal[2]);
  }
}

/* The blended matrices of a group of vertices, row by row. */
SINEW_INLINE void SINEW_NAME(blend)(const float* bones, const uint32_t* bone, uint32_t bone_count,
                                    const uint16_t* weights, lane m[12]) {
  uint32_t b;
  int i;
  for (i = 0; i < 12; ++i) m[i] = lane_set(0.0f);
  for (b = 0; b < bone_count; ++b) {
    const float* from = bones + bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    for (i = 0; i < 12; ++i) m[i] = lane_madd(w, lane_set(from[i]), m[i]);
  }
}

/* The sum of the motions of a group of vertices, each with the sign that is closer to the strongest one's, and of their
 * stretches, row by row. Returns nonzero where a bone stretches. */
SINEW_INLINE int SINEW_NAME(blend_motions)(const float* motions, const uint32_t* bone, uint32_t bone_count,
                                           const uint16_t* weights, lane q[4], lane d[4], lane stretch[9]) {
  const lane zero = lane_set(0.0f);
  lane strongest[4], most = lane_set(-1.0f);
  uint32_t b;
  int i, stretches = 0;
  for (i = 0; i < 4; ++i) q[i] = d[i] = strongest[i] = zero;
  for (i = 0; i < 9; ++i) stretch[i] = zero;
  for (b = 0; b < bone_count; ++b) {
    const float* m = motions + 2 * bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    for (i = 0; i < 4; ++i) strongest[i] = lane_select_greater(w, most, lane_set(m[i]), strongest[i]);
    most = lane_max(w, most);
  }
  for (b = 0; b < bone_count; ++b) {
    const float* m = motions + 2 * bone[b];
    const lane w = lane_from_u16(weights + block_size * b);
    const lane along =
        lane_madd(lane_set(m[0]), strongest[0],
                  lane_madd(lane_set(m[1]), strongest[1],
                            lane_madd(lane_set(m[2]), strongest[2], lane_mul(lane_set(m[3]), strongest[3]))));
    const lane signed_w = lane_select_greater(zero, along, lane_sub(zero, w), w);
    for (i = 0; i < 4; ++i) {
      q[i] = lane_madd(signed_w, lane_set(m[i]), q[i]);
      d[i] = lane_madd(signed_w, lane_set(m[motion_dual + i]), d[i]);
    }
    if (m[motion_stretches] == 0.0f) continue;
    stretches = 1;
    for (i = 0; i < 9; ++i) stretch[i] = lane_madd(w, lane_set(m[motion_stretch + i]), stretch[i]);
  }
  return stretches;
}

/* Goals of a group of vertices by dual quaternions (Kavan et al. 2008): stretches blended linearly, then the normalised
 * sum of the motions. */
SINEW_INLINE void SINEW_NAME(move)(const float* motions, const uint32_t* bone, uint32_t bone_count,
                                   const uint16_t* weights, const lane rest[3], lane goal[3]) {
  lane q[4], d[4], stretch[9], x[3], c[3], twice;
  int i;
  for (i = 0; i < 3; ++i) x[i] = rest[i];
  if (SINEW_NAME(blend_motions)(motions, bone, bone_count, weights, q, d, stretch))
    for (i = 0; i < 3; ++i)
      x[i] = lane_madd(stretch[3 * i], rest[0],
                       lane_madd(stretch[3 * i + 1], rest[1], lane_madd(stretch[3 * i + 2], rest[2], x[i])));
  /* Places without a vertex have no weights, and a sum of zero. */
  twice = lane_madd(q[0], q[0], lane_madd(q[1], q[1], lane_madd(q[2], q[2], lane_mul(q[3], q[3]))));
  twice = lane_mul(lane_set(2.0f), lane_reciprocal(lane_max(twice, lane_set(1e-12f))));
  /* With r the vector of q: r x (r x x + w x + d) + w d - d_w r. */
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = lane_add(lane_madd(q[3], x[i], d[i]), lane_nmadd(q[k], x[j], lane_mul(q[j], x[k])));
  }
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const lane turned = lane_nmadd(q[k], c[j], lane_mul(q[j], c[k]));
    goal[i] = lane_madd(twice, lane_add(turned, lane_nmadd(d[3], q[i], lane_mul(q[3], d[i]))), x[i]);
  }
}

/* Goals of a group of vertices by linear blending, or by dual quaternions where there are motions. */
SINEW_INLINE void SINEW_NAME(pose)(const float* bones, const float* motions, const uint32_t* bone, uint32_t bone_count,
                                   const uint16_t* weights, const lane rest[3], lane goal[3]) {
  if (motions)
    SINEW_NAME(move)(motions, bone, bone_count, weights, rest, goal);
  else
    SINEW_NAME(skin)(bones, bone, bone_count, weights, rest, goal);
}

/* Vector from the nearest point of the segment to p. */
SINEW_INLINE void SINEW_NAME(from_segment)(const float* segment, const lane p[3], lane d[3]) {
  const lane ax = lane_set(segment[4]), ay = lane_set(segment[5]), az = lane_set(segment[6]);
  lane t;
  d[0] = lane_sub(p[0], lane_set(segment[0]));
  d[1] = lane_sub(p[1], lane_set(segment[1]));
  d[2] = lane_sub(p[2], lane_set(segment[2]));
  t = lane_mul(lane_set(segment[3]), lane_madd(d[0], ax, lane_madd(d[1], ay, lane_mul(d[2], az))));
  t = lane_min(lane_max(t, lane_set(0.0f)), lane_set(1.0f));
  d[0] = lane_nmadd(t, ax, d[0]);
  d[1] = lane_nmadd(t, ay, d[1]);
  d[2] = lane_nmadd(t, az, d[2]);
}

SINEW_INLINE lane SINEW_NAME(squared)(const lane a[3]) {
  return lane_madd(a[0], a[0], lane_madd(a[1], a[1], lane_mul(a[2], a[2])));
}

/* Equation 8, times weight_one. `rest_lengths` is null with the rig as reference. */
SINEW_INLINE void SINEW_NAME(pull_of_spokes)(const float* segments, const uint32_t* segment, uint32_t count,
                                             const uint16_t* weights, const float* rest_lengths, float shortest,
                                             const lane x[3], const lane g[3], lane pull[3]) {
  const lane shortest_2 = lane_set(shortest * shortest);
  uint32_t s;
  pull[0] = pull[1] = pull[2] = lane_set(0.0f);
  for (s = 0; s < count; ++s) {
    const float* posed = segments + segment[s];
    const lane w = lane_from_u16(weights + block_size * s);
    lane d[3], e[3], length_2, factor;
    SINEW_NAME(from_segment)(posed, x, d);
    if (rest_lengths) {
      const lane length = lane_mul(lane_load(rest_lengths + block_size * s), lane_set(posed[7]));
      length_2 = lane_mul(length, length);
    } else {
      SINEW_NAME(from_segment)(posed, g, e);
      length_2 = SINEW_NAME(squared)(e);
    }
    /* The factor length / max(|d|, shortest) - 1. */
    factor = lane_mul(length_2, lane_max(SINEW_NAME(squared)(d), shortest_2));
    factor = lane_mul(length_2, lane_rsqrt(lane_max(factor, lane_set(1e-30f))));
    factor = lane_mul(w, lane_sub(factor, lane_set(1.0f)));
    pull[0] = lane_madd(factor, d[0], pull[0]);
    pull[1] = lane_madd(factor, d[1], pull[1]);
    pull[2] = lane_madd(factor, d[2], pull[2]);
  }
}

/* For each vertex i of a block, the sums over its neighbours j: of record i - record j, and A (eq. 5). `rest` is
 * null with the rig as reference. */
SINEW_INLINE void SINEW_NAME(sum_neighbours)(const float* records, const float* rest, uint32_t first,
                                             const uint32_t* neighbours, uint32_t slots, float* sums, float* outers) {
  uint32_t v, s;
  for (v = 0; v < block_size; ++v) {
    const uint32_t own_place = (first + v) * record_floats;
    record own = record_load(records + own_place), sum = record_zero();
    outer product = outer_zero();
    if (rest) own = record_with_goal(own, rest + own_place / 4);
    for (s = 0; s < slots; ++s) {
      const uint32_t other_place = neighbours[s];
      record other = record_load(records + other_place);
      if (rest) other = record_with_goal(other, rest + other_place / 4);
      other = record_sub(own, other);
      sum = record_add(sum, other);
      product = outer_add(product, other);
    }
    record_store(sums + record_floats * v, sum);
    outer_store(outers + record_floats * v, product);
    neighbours += slots;
  }
}

/* Intermediate values of a block's step. */
typedef struct {
  SINEW_ALIGNED float sums[block_size * record_floats];
  float outers[block_size * record_floats];
  float x[3 * block_size], g[3 * block_size], goal[3 * block_size], pull[3 * block_size];
  float q[4 * block_size];
} SINEW_NAME(block_scratch);

SINEW_INLINE void SINEW_NAME(store_planes)(float* planes, const lane a[3]) {
  lane_store(planes, a[0]);
  lane_store(planes + block_size, a[1]);
  lane_store(planes + 2 * block_size, a[2]);
}

SINEW_INLINE void SINEW_NAME(load_planes)(const float* planes, lane a[3]) {
  a[0] = lane_load(planes);
  a[1] = lane_load(planes + block_size);
  a[2] = lane_load(planes + 2 * block_size);
}

/* Prefetches the data of a block some steps ahead, for bodies that do not fit a cache. */
SINEW_INLINE void SINEW_NAME(fetch_ahead)(const step_work* work, uint32_t block) {
  const sinew_model* model = work->model;
  const uint32_t ahead = block + blocks_fetched_ahead;
  if (ahead < model->blocks) {
    const size_t floats = (size_t)record_floats * block_size * ahead;
    const unsigned char* data = model->block_data + (size_t)64 * model->block_begin[ahead];
    const unsigned char* end = model->block_data + (size_t)64 * model->block_begin[ahead + 1];
    uint32_t v;
    for (v = 0; v < block_size; ++v) SINEW_FETCH(work->now + floats + record_floats * v, 0);
    for (v = 0; v < block_size; ++v) SINEW_FETCH(work->next + floats + record_floats * v, 1);
    for (; data < end; data += 64) SINEW_FETCH(data, 0);
  }
}

/* Gathers the contributions of neighbours, bones and segments. */
SINEW_INLINE void SINEW_NAME(gather_block)(const step_work* work, uint32_t block, const block_view* of,
                                           SINEW_NAME(block_scratch) * to) {
  const sinew_model* model = work->model;
  uint32_t v;
  if (model->rest_reference) SINEW_NAME(sum_neighbours)
  (work->now, model->rest, block * block_size, of->neighbours, of->head->slots, to->sums, to->outers);
  else SINEW_NAME(sum_neighbours)(work->now, NULL, block * block_size, of->neighbours, of->head->slots, to->sums,
                                  to->outers);
  for (v = 0; v < block_size; v += LANES) {
    const size_t floats = (size_t)record_floats * (block * block_size + v);
    lane x[4], g[4], goal[4], pull[3];
    lane_load_columns(work->now + floats, x);
    lane_load_columns(work->now + floats + 8, g);
    if (work->goals_are_given) {
      lane_load_columns(work->next + floats + 8, goal);
    } else {
      lane at[3];
      SINEW_NAME(load_planes)(of->rest + v, at);
      SINEW_NAME(pose)(work->bones, work->motions, of->bone, of->head->bones, of->weights + v, at, goal);
    }
    SINEW_NAME(pull_of_spokes)
    (work->segments, of->segment, of->head->is_pulled || work->parameters ? of->head->segments : 0, of->spokes + v,
     model->rest_reference ? of->rest_lengths + v : NULL, (float)SINEW_SHORTEST_SPOKE * model->height, x, g, pull);
    SINEW_NAME(store_planes)(to->x + v, x);
    SINEW_NAME(store_planes)(to->g + v, g);
    SINEW_NAME(store_planes)(to->goal + v, goal);
    SINEW_NAME(store_planes)(to->pull + v, pull);
  }
}

/* Anisotropic restoration Q S Q^T d, with the rotations Q of bones. */
SINEW_INLINE void SINEW_NAME(restore_by_shape)(const float* frames, const uint32_t* frame, const float* shape,
                                               lane d[3]) {
  const lane zero = lane_set(0.0f);
  const lane xx = lane_load(shape), yy = lane_load(shape + block_size), zz = lane_load(shape + 2 * block_size);
  const lane xy = lane_load(shape + 3 * block_size), xz = lane_load(shape + 4 * block_size);
  const lane yz = lane_load(shape + 5 * block_size);
  lane q[4], back[4], e[3];
  lane_gather_columns(frames, frame, q);
  back[0] = lane_sub(zero, q[0]);
  back[1] = lane_sub(zero, q[1]);
  back[2] = lane_sub(zero, q[2]);
  back[3] = q[3];
  SINEW_NAME(rotate)(back, d);
  e[0] = lane_madd(xx, d[0], lane_madd(xy, d[1], lane_mul(xz, d[2])));
  e[1] = lane_madd(xy, d[0], lane_madd(yy, d[1], lane_mul(yz, d[2])));
  e[2] = lane_madd(xz, d[0], lane_madd(yz, d[1], lane_mul(zz, d[2])));
  SINEW_NAME(rotate)(q, e);
  d[0] = e[0];
  d[1] = e[1];
  d[2] = e[2];
}

/* Equations 3 to 11 from the gathered sums. */
SINEW_INLINE void SINEW_NAME(finish_block)(const step_work* work, uint32_t block, const block_view* of,
                                           const SINEW_NAME(block_scratch) * from) {
  uint32_t v;
  for (v = 0; v < block_size; v += LANES) {
    const size_t floats = (size_t)record_floats * (block * block_size + v);
    const float *now = work->now + floats, *sum = from->sums + record_floats * v;
    float* next = work->next + floats;
    const lane zero = lane_set(0.0f), inverse_step = lane_set(work->inverse_step);
    const lane share = lane_load(of->inverse_count + v), reach = lane_set(work->reach);
    const lane reach_2 = lane_mul(reach, reach);
    lane x[4], u[4], g[3], q[4], goal[4], pull[3], mean[4], drift[4], edge[4], goal_velocity[3], offset[3],
        toward_goal[3];
    lane alpha, beta, gamma, lambda, delta, distance_2, back;
    int i;

    SINEW_NAME(load_planes)(from->x + v, x);
    SINEW_NAME(load_planes)(from->g + v, g);
    SINEW_NAME(load_planes)(from->goal + v, goal);
    SINEW_NAME(load_planes)(from->pull + v, pull);
    for (i = 0; i < 4; ++i) q[i] = lane_load(from->q + block_size * i + v);
    lane_load_columns(now + 4, u);
    lane_load_columns(sum, mean);
    lane_load_columns(sum + 4, drift);
    lane_load_columns(sum + 8, edge);
    SINEW_NAME(rotate)(q, edge);

    if (work->parameters) {
      const float* given = work->parameters + (size_t)SINEW_PARAMETERS * block_size * block + v;
      alpha = lane_load(given);
      beta = lane_load(given + block_size);
      gamma = lane_load(given + 2 * block_size);
      lambda = lane_load(given + 3 * block_size);
      delta = lane_load(given + 4 * block_size);
    } else {
      const lane per_code = lane_set(1.0f / 255.0f);
      alpha = lane_mul(lane_from_u8(of->head->codes[SINEW_ALPHA] + v), per_code);
      beta = lane_mul(lane_from_u8(of->head->codes[SINEW_BETA] + v), per_code);
      gamma = lane_mul(lane_from_u8(of->head->codes[SINEW_GAMMA] + v), per_code);
      lambda = lane_mul(lane_from_u8(of->head->codes[SINEW_LAMBDA] + v), per_code);
      delta = lane_mul(lane_from_u8(of->head->codes[SINEW_DELTA] + v), per_code);
      alpha = lane_mul(alpha, alpha);
      beta = lane_mul(beta, beta);
      gamma = lane_mul(gamma, gamma);
      lambda = lane_mul(lane_set(0.5f), lane_mul(lambda, lambda));
      delta = lane_mul(delta, delta);
    }
    gamma = lane_mul(gamma, lane_set(1.0f / (float)weight_one));
    beta = lane_mul(beta, share);
    lambda = lane_mul(lambda, share);

    for (i = 0; i < 3; ++i) toward_goal[i] = lane_sub(g[i], x[i]);
    if (work->model->has_shape) SINEW_NAME(restore_by_shape)(work->frames, of->frame + v, of->shape + v, toward_goal);

    for (i = 0; i < 3; ++i) {
      /* Sums are of i - j: goal (4), neighbours' shape (7), spokes (8), then (9) and the rest of (3) and (10). */
      lane spring = lane_mul(alpha, toward_goal[i]);
      lane velocity;
      goal_velocity[i] = lane_mul(lane_sub(goal[i], g[i]), inverse_step);
      spring = lane_madd(beta, lane_sub(edge[i], mean[i]), spring);
      spring = lane_madd(gamma, pull[i], spring);
      velocity = lane_madd(spring, inverse_step, u[i]);
      velocity = lane_nmadd(lambda, drift[i], velocity);
      velocity = lane_madd(delta, lane_sub(goal_velocity[i], u[i]), velocity);
      velocity = lane_add(velocity, lane_nmadd(lane_set(work->air), u[i], lane_set(work->push[i])));
      x[i] = lane_madd(lane_set(work->step), velocity, x[i]); /* (11) */
      u[i] = velocity;
      offset[i] = lane_sub(x[i], goal[i]);
    }
    distance_2 = SINEW_NAME(squared)(offset);
    back = lane_mul(reach, lane_rsqrt(lane_max(distance_2, reach_2)));
    for (i = 0; i < 3; ++i) {
      x[i] = lane_select_greater(distance_2, reach_2, lane_madd(offset[i], back, goal[i]), x[i]);
      u[i] = lane_select_greater(distance_2, reach_2, goal_velocity[i], u[i]);
    }
    x[3] = u[3] = goal[3] = zero;
#ifdef lane_store_records
    lane_store_records(next, x, u, goal, q);
#else
    lane_store_columns(next, record_floats, x[0], x[1], x[2], zero);
    lane_store_columns(next + 4, record_floats, u[0], u[1], u[2], zero);
    lane_store_columns(next + 8, record_floats, goal[0], goal[1], goal[2], zero);
    lane_store_columns(next + 12, record_floats, q[0], q[1], q[2], q[3]);
#endif
  }
}

/* Steps two blocks at a time; a single last one is paired with itself. */
static void SINEW_NAME(step_blocks)(const step_work* work, uint32_t begin, uint32_t end) {
  SINEW_NAME(block_scratch) scratch[2];
  for (; begin < end; begin += 2) {
    const uint32_t block[2] = {begin, begin + 1 < end ? begin + 1 : begin};
    const size_t block_floats = (size_t)record_floats * block_size;
    block_view of[2];
    uint32_t i, v;
    for (i = 0; i < 2; ++i) {
      find_block(work->model, block[i], &of[i]);
      SINEW_NAME(fetch_ahead)(work, block[i]);
      SINEW_NAME(gather_block)(work, block[i], &of[i], &scratch[i]);
    }
    for (v = 0; v < block_size; v += LANES) {
      const size_t floats = (size_t)record_floats * v;
      SINEW_NAME(neighbourhoods) pair[2];
      for (i = 0; i < 2; ++i) {
        pair[i].outers = scratch[i].outers + floats;
        pair[i].records = work->now + block_floats * block[i] + floats;
        pair[i].pull = of[i].frame_pull + v;
        pair[i].frame = work->model->rest_reference ? of[i].frame + v : NULL;
      }
      SINEW_NAME(find_rotations)(pair, work->frames, scratch[0].q + v, scratch[1].q + v);
    }
    for (i = 0; i < 2; ++i) SINEW_NAME(finish_block)(work, block[i], &of[i], &scratch[i]);
  }
}

/* Computes only goals, for the bones of the work, into the records of `next`. */
static void SINEW_NAME(goal_blocks)(const step_work* work, uint32_t begin, uint32_t end) {
  uint32_t block, v;
  for (block = begin; block < end; ++block) {
    const sinew_model* model = work->model;
    block_view of;
    find_block(model, block, &of);
    for (v = 0; v < block_size; v += LANES) {
      const lane at[3] = {lane_load(of.rest + v), lane_load(of.rest + block_size + v),
                          lane_load(of.rest + 2 * block_size + v)};
      lane goal[3];
      SINEW_NAME(pose)(work->bones, work->motions, of.bone, of.head->bones, of.weights + v, at, goal);
      lane_store_columns(work->next + (size_t)record_floats * (block * block_size + v) + 8, record_floats, goal[0],
                         goal[1], goal[2], lane_set(0.0f));
    }
  }
}

/* Sum over modes of their numbers (displacements or rotations) times `coordinates`. */
SINEW_INLINE void SINEW_NAME(sum_modes)(uint32_t modes, const float* coordinates, const uint16_t* numbers, lane to[3]) {
  lane sum = lane_set(0.0f);
  uint32_t k;
  int i;
  for (k = 0; k < modes; ++k) sum = lane_add(sum, lane_set(coordinates[k]));
  for (i = 0; i < 3; ++i) to[i] = lane_mul(sum, lane_set(-(float)mode_zero));
  for (k = 0; k < modes; ++k)
    for (i = 0; i < 3; ++i)
      to[i] = lane_madd(lane_set(coordinates[k]), lane_from_u16(numbers + mode_numbers * k + block_size * (uint32_t)i),
                        to[i]);
}

/* Rotates a normal by the modes: n + t x n, normalised. */
SINEW_INLINE void SINEW_NAME(turn_by_modes)(const lane t[3], lane n[3]) {
  const lane x = lane_add(n[0], lane_nmadd(t[2], n[1], lane_mul(t[1], n[2])));
  const lane y = lane_add(n[1], lane_nmadd(t[0], n[2], lane_mul(t[2], n[0])));
  const lane z = lane_add(n[2], lane_nmadd(t[1], n[0], lane_mul(t[0], n[1])));
  const lane scale = lane_rsqrt(lane_madd(x, x, lane_madd(y, y, lane_mul(z, z))));
  n[0] = lane_mul(x, scale);
  n[1] = lane_mul(y, scale);
  n[2] = lane_mul(z, scale);
}

/* Clamps a displacement: d / sqrt(1 + bound |d|^2 / range^2). */
SINEW_INLINE void SINEW_NAME(bound)(const shape_work* work, const uint8_t* codes, lane d[3]) {
  const lane code = lane_mul(lane_from_u8(codes), lane_set(1.0f / 255.0f));
  const lane range = lane_max(lane_mul(lane_set(work->model->reach), lane_mul(code, code)),
                              lane_set((float)SINEW_LEAST_RANGE * work->model->height));
  const lane sum = lane_madd(lane_set(work->bound), SINEW_NAME(squared)(d), lane_mul(range, range));
  const lane share = lane_mul(range, lane_rsqrt(sum));
  int i;
  for (i = 0; i < 3; ++i) d[i] = lane_mul(d[i], share);
}

/* Computes the output of blocks `begin` to `end`. */
static void SINEW_NAME(shape_blocks)(const shape_work* work, uint32_t begin, uint32_t end) {
  uint32_t block, v;
  for (block = begin; block < end; ++block) {
    const sinew_model* model = work->model;
    block_view of;
    const float* normals = model->normals + (size_t)3 * block_size * block;
    const int is_between = work->share < 1.0f;
    const size_t mode_block = (size_t)mode_numbers * work->modes * block;
    if (block + blocks_fetched_ahead < model->blocks) {
      const size_t floats = (size_t)record_floats * block_size * (block + blocks_fetched_ahead);
      for (v = 0; v < block_size; ++v) SINEW_FETCH(work->now + floats + record_floats * v, 0);
      for (v = 0; is_between && v < block_size; ++v) SINEW_FETCH(work->before + floats + record_floats * v, 0);
    }
    find_block(model, block, &of);
    for (v = 0; v < block_size; v += LANES) {
      const size_t place = (size_t)block * block_size + v;
      const float *now = work->now + record_floats * place, *before = work->before + record_floats * place;
      const lane share = lane_set(work->share), zero = lane_set(0.0f);
      const int poses = work->positions && (work->goals_are_shown || work->modes > 0);
      const int blends = !work->motions && (poses || (work->normals && !model->rest_reference));
      lane m[12]; /* blended once, for positions and normals */
      SINEW_NAME(blend)(work->bones, of.bone, blends ? of.head->bones : 0, of.weights + v, m);
      if (work->positions) {
        lane x[4];
        lane_load_columns(now, x);
        if (work->goals_are_shown || work->modes > 0 || work->is_bounded) {
          lane goal[3], g[4], old_x[4], old_g[4];
          int i;
          lane_load_columns(now + 8, g);
          for (i = 0; i < 3; ++i) goal[i] = g[i];
          if (poses) {
            lane at[3] = {lane_load(of.rest + v), lane_load(of.rest + block_size + v),
                          lane_load(of.rest + 2 * block_size + v)};
            if (work->modes > 0) {
              lane moved[3];
              SINEW_NAME(sum_modes)(work->modes, work->mode, model->mode_shape + mode_block + v, moved);
              for (i = 0; i < 3; ++i) at[i] = lane_add(at[i], moved[i]);
            }
            if (work->motions)
              SINEW_NAME(move)(work->motions, of.bone, of.head->bones, of.weights + v, at, goal);
            else
              for (i = 0; i < 3; ++i)
                goal[i] = lane_madd(m[4 * i], at[0],
                                    lane_madd(m[4 * i + 1], at[1], lane_madd(m[4 * i + 2], at[2], m[4 * i + 3])));
          }
          for (i = 0; i < 3; ++i) x[i] = lane_sub(x[i], g[i]);
          if (is_between) {
            lane_load_columns(before, old_x);
            lane_load_columns(before + 8, old_g);
            for (i = 0; i < 3; ++i) {
              const lane old = lane_sub(old_x[i], old_g[i]);
              x[i] = lane_madd(share, lane_sub(x[i], old), old);
            }
          }
          if (work->is_bounded) SINEW_NAME(bound)(work, of.head->range + v, x);
          for (i = 0; i < 3; ++i) x[i] = lane_add(goal[i], x[i]);
        }
        lane_store_columns(work->positions + 4 * place, 4, x[0], x[1], x[2], zero);
      }
      if (work->normals) {
        lane n[3], q[4], old_q[4], sign, scale;
        int i;
        n[0] = lane_load(normals + v);
        n[1] = lane_load(normals + block_size + v);
        n[2] = lane_load(normals + 2 * block_size + v);
        if (work->modes > 0) {
          lane turn[3];
          SINEW_NAME(sum_modes)(work->modes, work->turn, model->mode_turn + mode_block + v, turn);
          SINEW_NAME(turn_by_modes)(turn, n);
        }
        if (!model->rest_reference) {
          /* Cofactors of the blended matrix, which transform areas; of the blended stretch before a rotation. */
          lane c[3], turn[4];
          if (work->motions) {
            lane dual[4], stretch[9];
            SINEW_NAME(blend_motions)
            (work->motions, of.bone, of.head->bones, of.weights + v, turn, dual, stretch);
            for (i = 0; i < 9; ++i) m[4 * (i / 3) + i % 3] = lane_add(stretch[i], lane_set(i % 4 == 0 ? 1.0f : 0.0f));
            scale = lane_madd(turn[2], turn[2], lane_mul(turn[3], turn[3]));
            scale = lane_madd(turn[0], turn[0], lane_madd(turn[1], turn[1], scale));
            scale = lane_rsqrt(lane_max(scale, lane_set(1e-12f)));
            for (i = 0; i < 4; ++i) turn[i] = lane_mul(turn[i], scale);
          }
#define SINEW_COFACTOR(a, b, c, d) lane_nmadd(m[b], m[c], lane_mul(m[a], m[d]))
          c[0] = lane_madd(SINEW_COFACTOR(5, 6, 9, 10), n[0],
                           lane_madd(SINEW_COFACTOR(6, 4, 10, 8), n[1], lane_mul(SINEW_COFACTOR(4, 5, 8, 9), n[2])));
          c[1] = lane_madd(SINEW_COFACTOR(9, 10, 1, 2), n[0],
                           lane_madd(SINEW_COFACTOR(10, 8, 2, 0), n[1], lane_mul(SINEW_COFACTOR(8, 9, 0, 1), n[2])));
          c[2] = lane_madd(SINEW_COFACTOR(1, 2, 5, 6), n[0],
                           lane_madd(SINEW_COFACTOR(2, 0, 6, 4), n[1], lane_mul(SINEW_COFACTOR(0, 1, 4, 5), n[2])));
#undef SINEW_COFACTOR
          scale = SINEW_NAME(squared)(c);
          for (i = 0; i < 3; ++i) /* a flattened bone leaves the normal unchanged */
            n[i] = lane_select_greater(scale, lane_set(1e-24f),
                                       lane_mul(c[i], lane_rsqrt(lane_max(scale, lane_set(1e-24f)))), n[i]);
          if (work->motions) SINEW_NAME(rotate)(turn, n);
        }
        lane_load_columns(now + 12, q);
        if (is_between) {
          lane_load_columns(before + 12, old_q);
          sign = lane_madd(q[2], old_q[2], lane_mul(q[3], old_q[3]));
          sign = lane_madd(q[0], old_q[0], lane_madd(q[1], old_q[1], sign));
          sign = lane_select_greater(zero, sign, lane_set(-1.0f), lane_set(1.0f));
          for (i = 0; i < 4; ++i) {
            const lane old = lane_mul(sign, old_q[i]);
            q[i] = lane_madd(share, lane_sub(q[i], old), old);
          }
          scale = lane_madd(q[2], q[2], lane_mul(q[3], q[3]));
          scale = lane_rsqrt(lane_madd(q[0], q[0], lane_madd(q[1], q[1], scale)));
          for (i = 0; i < 4; ++i) q[i] = lane_mul(q[i], scale);
        }
        SINEW_NAME(rotate)(q, n);
        lane_store_columns(work->normals + 4 * place, 4, n[0], n[1], n[2], zero);
      }
    }
  }
}

#undef LANES
#undef lane
#undef lane_set
#undef lane_load
#undef lane_store
#undef lane_store
#undef lane_add
#undef lane_sub
#undef lane_mul
#undef lane_reciprocal
#undef lane_store_records
#undef lane_min
#undef lane_max
#undef lane_madd
#undef lane_nmadd
#undef lane_rsqrt
#undef lane_select_greater
#undef lane_any_greater
#undef lane_from_u8
#undef lane_from_u16
#undef lane_load_columns
#undef lane_gather_columns
#undef lane_store_columns
#undef record
#undef outer
#undef record_zero
#undef record_load
#undef record_store
#undef record_with_goal
#undef record_sub
#undef record_add
#undef outer_zero
#undef outer_add
#undef outer_store
#undef wide
#undef wide_add
#undef wide_sub
#undef wide_mul
#undef wide_reciprocal
#undef wide_min
#undef wide_max
#undef wide_madd
#undef wide_nmadd
#undef wide_set
#undef wide_rsqrt
#undef wide_select_greater
#undef wide_any_greater
#undef SINEW_WIDE_2
#undef SINEW_WIDE_3

#endif /* SINEW_LANES_PASS */
