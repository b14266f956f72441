#include "sinew/mesh/volume_measures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t tetrahedron_grain = 1024;

// Contribution of a range of tetrahedra.
struct Volumes {
  double rest = 0, posed = 0, smallest_ratio = HUGE_VAL;
};

Volumes volumes_of(const TetrahedralMesh& mesh, std::span<const Vec3> positions, std::size_t begin, std::size_t end) {
  Volumes sum;
  for (std::size_t t = begin; t < end; ++t) {
    const Tetrahedron& corner = mesh.tetrahedra[t];
    const auto volume_of = [&corner](std::span<const Vec3> p) {
      return volume(p[static_cast<std::size_t>(corner[0])], p[static_cast<std::size_t>(corner[1])],
                    p[static_cast<std::size_t>(corner[2])], p[static_cast<std::size_t>(corner[3])]);
    };
    const double rest = volume_of(mesh.positions), posed = volume_of(positions);
    sum.rest += rest;
    sum.posed += posed;
    sum.smallest_ratio = std::min(sum.smallest_ratio, posed / rest);
  }
  return sum;
}

}  // namespace

VolumeMeasures measure_volumes(const TetrahedralMesh& mesh, std::span<const Vec3> positions) {
  std::vector<Volumes> chunks((mesh.tetrahedra.size() + tetrahedron_grain - 1) / tetrahedron_grain);
  parallel_chunks(mesh.tetrahedra.size(), tetrahedron_grain, [&](std::size_t begin, std::size_t end) {
    chunks[begin / tetrahedron_grain] = volumes_of(mesh, positions, begin, end);
  });
  Volumes all;
  for (const Volumes& chunk : chunks) {
    all.rest += chunk.rest;
    all.posed += chunk.posed;
    all.smallest_ratio = std::min(all.smallest_ratio, chunk.smallest_ratio);
  }
  return {all.posed / all.rest, all.smallest_ratio};
}

}  // namespace sinew
