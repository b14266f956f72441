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
