#include "sinew/base/machine_memory.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace sinew {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) : unlimited;
}

std::size_t limit_of_the_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  return static_cast<std::size_t>(limit.rlim_cur);
}

// Limit set by control groups, version 2 or 1; "max" means none.
std::size_t limit_of_the_container() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::size_t bytes = 0;
    if (std::ifstream(path) >> bytes && bytes > 0) return bytes;
  }
  return unlimited;
}

}  // namespace

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::size_t machine_memory() { return std::min({physical_memory(), limit_of_the_process(), limit_of_the_container()}); }

}  // namespace sinew
