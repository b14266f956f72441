#include "sinew/cook/fill_surface.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/mesh/lattice_building/mesh_to_coarsen.h"

namespace sinew {
namespace {

constexpr double least_fill = 0.2;

template <class Mesh>
VolumeMesh with_floor(const Character& character, const Mesh& mesh) {
  try {
    VolumeMesh volume = mesh();
    for (double& fill : volume.inside_fraction) fill = std::clamp(fill, least_fill, 1.0);
    return volume;
  } catch (const Error& error) {
    // mesh_volume() does not know which file its surface came from.
    throw Error(error.kind(), error.kind() == ErrorKind::input ? character.file + ": " + error.what() : error.what());
  }
}

}  // namespace

VolumeMesh fill_surface(const Character& character, const TriangleMesh& rest, const VolumeMeshingOptions& options,
                        const Progress& progress) {
  return with_floor(character, [&] { return mesh_volume(rest, options, progress); });
}

VolumeMesh fill_surface_to_coarsen(const Character& character, const TriangleMesh& rest,
                                   const VolumeMeshingOptions& options, const Progress& progress) {
  return with_floor(character, [&] { return mesh_to_coarsen(rest, options, progress); });
}

}  // namespace sinew
