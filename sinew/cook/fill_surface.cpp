#include "sinew/cook/fill_surface.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr double flattest = 0.3;
constexpr double least_fill = 0.2;

}  // namespace

double standing_height(const TriangleMesh& mesh) {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const Triangle& triangle : mesh.triangles)
    for (int v : triangle) {
      low = min(low, mesh.positions[static_cast<std::size_t>(v)]);
      high = max(high, mesh.positions[static_cast<std::size_t>(v)]);
    }
  const Vec3 extent = high - low;
  return std::max(extent.y, flattest * std::max(extent.x, extent.z));
}

VolumeMesh fill_surface(const Character& character, const TriangleMesh& rest, const VolumeMeshingOptions& options,
                        const Progress& progress) {
  try {
    VolumeMesh volume = mesh_volume(rest, options, progress);
    for (double& fill : volume.inside_fraction) fill = std::clamp(fill, least_fill, 1.0);
    return volume;
  } catch (const Error& error) {
    // The mesher does not know which file its surface is from.
    throw Error(error.kind(), error.kind() == ErrorKind::input ? character.file + ": " + error.what() : error.what());
  }
}

}  // namespace sinew
