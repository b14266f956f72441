// Skinning that keeps the volume of the body and of its parts (after Rohmer, Hahmann and Cani 2009; von Funck, Theisel
// and Seidel 2008): the least correction of skinned positions, docs/skinning.md.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"
#include "sinew/rig/kept_volume_kernel.h"
#include "sinew/rig/packed_influences.h"

namespace sinew {

// A volume that is kept.
struct VolumeConstraint {
  // True: what a connected piece of the skin encloses, which is kept exactly. False: the flesh around one bone, which
  // is kept as nearly as that allows.
  bool whole = false;
  int bone = -1;                                  // of a part: its bone; of a piece: the one with most of its skin
  double rest = 0;                                // volume at rest, cubic metres
  std::vector<std::pair<int, double>> size_by{};  // bones whose uniform scales it follows, with shares that sum to one
};

// What the correction needs of a surface at rest. Per vertex unless it says otherwise.
struct KeptVolume {
  std::vector<Vec3> positions;         // rest space, metres
  std::vector<Influences> influences;  // over the bones
  std::vector<Triangle> triangles;     // the skin's, closed by fans over its holes
  std::vector<int> piece;              // per triangle: the constraint of its piece, or -1
  std::vector<Vec3> spine;             // point of the bones that is nearest: rest space, metres
  std::vector<VolumeConstraint> constraints;
  // How readily it moves, 1/m^2: gamma, which is 0 on bone and thin sheets and rises to 1 where flesh is deep, over the
  // vertex's area at rest.
  std::vector<double> give;
  std::vector<double> reach;  // farthest that it is moved, metres
  VolumeGroups groups;        // what kernels read
  PackedInfluences packed;    // `influences`
};

// Null where no piece of the surface encloses a volume that bends.
std::shared_ptr<const KeptVolume> kept_volume(const SimulationSurface& surface);

// Moves skinned positions, metres, world, by the least correction with which the volumes are those at rest, times the
// cubes of the bones' uniform scales. `bones`: rest space to world. The result has the same bits for any number of
// threads.
void keep_volume(const KeptVolume& kept, std::span<const Affine> bones, std::span<Vec3> positions);

// The volumes of the constraints at these positions, cubic metres, and what keep_volume() aims at. That of a part is
// half the sum over its vertices of weight * (vertex - spine) . area vector: what a tube's skin encloses around its
// bone.
std::vector<double> constrained_volumes(const KeptVolume& kept, std::span<const Affine> bones,
                                        std::span<const Vec3> positions);
std::vector<double> wanted_volumes(const KeptVolume& kept, std::span<const Affine> bones);

}  // namespace sinew
