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
