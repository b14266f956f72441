#include "sinew/base/large_array.h"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace sinew {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// For smaller blocks, alignment to huge pages would waste more memory than it gains.
std::align_val_t alignment_of(std::size_t bytes) {
  constexpr std::size_t cache_line = 64;
  return std::align_val_t{bytes >= 2 * huge_page ? huge_page : cache_line};
}

}  // namespace

void* allocate_large(std::size_t bytes) {
  void* memory = ::operator new(std::max<std::size_t>(bytes, 1), alignment_of(bytes));
#ifdef __linux__
  // Only advice; small pages work as well.
  if (bytes >= 2 * huge_page) madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_large(void* memory, std::size_t bytes) { ::operator delete(memory, alignment_of(bytes)); }

}  // namespace sinew
