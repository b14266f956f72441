/* Loads a surface model, swings its bones for a second, and prints how far the flesh stays behind.
 *     example model.sinew
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sinew_runtime.h"

/* A program that runs once may take its memory like this; a game has its own ways. */
static void* aligned_memory(size_t bytes, void** to_free) {
  char* block = (char*)malloc(bytes + SINEW_ALIGNMENT);
  *to_free = block;
  if (!block) return NULL;
  return block + (SINEW_ALIGNMENT - (uintptr_t)block % SINEW_ALIGNMENT) % SINEW_ALIGNMENT;
}

static void* read_all(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  void* content = NULL;
  long size;
  if (!file) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
    content = malloc((size_t)size);
    *bytes = (size_t)size;
    if (content && fread(content, 1, *bytes, file) != *bytes) {
      free(content);
      content = NULL;
    }
  }
  fclose(file);
  return content;
}

static int fail(const char* what, sinew_status status) {
  fprintf(stderr, "%s: %s\n", what, sinew_sentence(status));
  return 1;
}

/* All bones turn about the origin, to and fro. */
static void swing(float* bones, uint32_t count, double time) {
  const float angle = (float)(0.4 * sin(8 * time));
  uint32_t b;
  for (b = 0; b < count; ++b) {
    float* m = bones + 12 * b;
    m[0] = cosf(angle), m[1] = -sinf(angle), m[2] = 0, m[3] = 0;
    m[4] = sinf(angle), m[5] = cosf(angle), m[6] = 0, m[7] = 0;
    m[8] = 0, m[9] = 0, m[10] = 1, m[11] = 0;
  }
}

int main(int argc, char** argv) {
  void *file, *model_block = NULL, *body_block = NULL, *goal_block = NULL, *memory;
  size_t file_bytes = 0, bytes = 0;
  const sinew_model* model = NULL;
  sinew_body *body = NULL, *goal = NULL;
  sinew_model_facts facts;
  sinew_status status;
  float *bones, *flesh, *rig;
  double time = 0, most = 0;
  uint32_t v, frame, made, steps = 0;

  if (argc != 2) {
    fprintf(stderr, "usage: example model.sinew\n");
    return 2;
  }
  file = read_all(argv[1], &file_bytes);
  if (!file) {
    fprintf(stderr, "%s: cannot be read\n", argv[1]);
    return 2;
  }
  if ((status = sinew_model_memory(file, file_bytes, &bytes)) != SINEW_OK) {
    free(file);
    return fail(argv[1], status);
  }
  memory = aligned_memory(bytes, &model_block);
  status = sinew_model_open(file, file_bytes, memory, bytes, &model);
  free(file); /* not needed any more */
  if (status != SINEW_OK) return fail(argv[1], status);

  sinew_model_get_facts(model, &facts);
  printf("%u vertices, %u bones, steps of %.2f ms, %s\n", (unsigned)facts.vertices, (unsigned)facts.bones,
         1000 * (double)facts.step, sinew_simd_name(sinew_simd_best()));
  bytes = sinew_body_memory(model);
  memory = aligned_memory(bytes, &body_block);
  if ((status = sinew_body_create(model, memory, bytes, &body)) != SINEW_OK) return fail("body", status);
  memory = aligned_memory(bytes, &goal_block);
  if ((status = sinew_body_create(model, memory, bytes, &goal)) != SINEW_OK) return fail("goal", status);

  bones = (float*)malloc(12 * (facts.bones + 1) * sizeof(float));
  flesh = (float*)malloc(3 * (size_t)facts.vertices * sizeof(float));
  rig = (float*)malloc(3 * (size_t)facts.vertices * sizeof(float));
  if (!bones || !flesh || !rig) return 1;

  swing(bones, facts.bones, 0);
  if ((status = sinew_body_reset(body, bones, NULL)) != SINEW_OK) return fail("reset", status);
  for (frame = 1; frame <= 144; ++frame) {
    time = frame / 144.0;
    swing(bones, facts.bones, time);
    if ((status = sinew_body_advance(body, bones, 1 / 144.0, &made)) != SINEW_OK) return fail("advance", status);
    steps += made;
    if (frame % 48 != 0) continue;
    sinew_body_reset(goal, bones, NULL); /* a body that is reset stands in its goal */
    sinew_body_shape(body, SINEW_ALL_VERTICES, flesh, 3 * sizeof(float), NULL, 0);
    sinew_body_shape(goal, SINEW_ALL_VERTICES, rig, 3 * sizeof(float), NULL, 0);
    for (most = 0, v = 0; v < facts.vertices; ++v) {
      const double x = flesh[3 * v] - rig[3 * v], y = flesh[3 * v + 1] - rig[3 * v + 1];
      const double z = flesh[3 * v + 2] - rig[3 * v + 2], offset = sqrt(x * x + y * y + z * z);
      if (offset > most) most = offset;
    }
    printf("after %.3f s and %u steps: flesh is up to %.4f m from the rig\n", time, (unsigned)steps, most);
  }
  free(bones);
  free(flesh);
  free(rig);
  free(model_block);
  free(body_block);
  free(goal_block);
  return 0;
}
