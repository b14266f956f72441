// What a far-flung surface costs is bounded by the tetrahedra that are asked for.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <new>

#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

// A tube one of whose vertices was lost.
TriangleMesh with_needle(double length) {
  TriangleMesh mesh = test::upright_tube(24, 24, 1.7, 0.3);
  mesh.positions[100].x = length;
  return mesh;
}

TEST(VolumeMeshingBounds, ANeedleDoesNotTakeTheCellsOfItsLength) {
  for (const double length : {1e3, 1e6, 1e9}) {
    const VolumeMesh body = mesh_volume(with_needle(length), {500, {}});
    EXPECT_LE(body.mesh.tetrahedra.size(), 20'000u) << length;
  }
}

// Exit code 0 where half a gigabyte was enough.
int mesh_with_little_memory() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  const rlim_t room = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{512} << 20);
  const rlimit limit{room, room};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
  try {
    mesh_volume(with_needle(1e9), {2000, {}});
    return 0;
  } catch (const std::bad_alloc&) {
    return 1;
  }
}

TEST(VolumeMeshingBounds, NorTheMemory) {
  if (sanitized) GTEST_SKIP() << "Not tested: sanitizers want all of the address space.";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(_exit(mesh_with_little_memory()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sinew
