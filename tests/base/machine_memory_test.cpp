#include "sinew/base/machine_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <vector>

namespace sinew {
namespace {

// Bytes of the process in the machine's memory.
std::size_t resident_memory() {
  std::size_t whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(MachineMemory, IsSomeGigabytesAtMostAndNeverZero) { EXPECT_GT(machine_memory(), std::size_t{1} << 26); }

#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool other_allocator = true;
#elif defined(__has_feature)
constexpr bool other_allocator = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool other_allocator = false;
#endif

// Blocks too small for mappings of their own, some of which stay in use, so that the heap cannot shrink.
TEST(MachineMemory, FreedMemoryGoesBackToTheSystem) {
  if (other_allocator) GTEST_SKIP() << "Not tested: this allocator returns memory in its own way.";
  constexpr std::size_t block = 60'000, count = 1000;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t k = 0; k < count; ++k) blocks.push_back(std::make_unique<char[]>(block));
  const std::size_t full = resident_memory();
  for (std::size_t k = 0; k < count; ++k)
    if (k % 50 != 49) blocks[k].reset();
  EXPECT_GT(resident_memory() + block * count / 2, full) << "the test frees nothing that stays";
  return_freed_memory();
  EXPECT_LT(resident_memory() + block * count * 8 / 10, full);
}

}  // namespace
}  // namespace sinew
