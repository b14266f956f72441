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
