#include "sinew/cook/fill_surface.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr double least_fill = 0.2;

}  // namespace

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
