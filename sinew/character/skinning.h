// The kinds of geometric skinning, by which a skeleton poses the surface that every method starts from (the goal).
// docs/skinning.md
#pragma once

#include <memory>

namespace sinew {

enum class SkinningKind {
  linear,           // linear blend skinning, as glTF viewers do it
  dual_quaternion,  // Kavan et al. 2008: limbs keep their thickness where they twist
  volume,           // dual quaternions, and the least correction that keeps the volume of every part of the body
  implicit,         // dual quaternions, and limbs keep their shape and touch where they would pass through each other
};

struct ImplicitSkin;      // rig/implicit/implicit_skin.h
struct KeptVolume;        // rig/kept_volume.h
struct PackedInfluences;  // rig/packed_influences.h
class SkinPoses;          // rig/skin_poses.h

// The skinning of one surface. Copies share what was precomputed.
struct Skinning {
  SkinningKind kind = SkinningKind::linear;
  std::shared_ptr<const KeptVolume> volume{};        // volumes at rest; null unless the kind is `volume`
  std::shared_ptr<const ImplicitSkin> implicit{};    // fields of parts at rest; null unless the kind is `implicit`
  std::shared_ptr<const PackedInfluences> packed{};  // of the surface; null: they are read one by one
  std::shared_ptr<SkinPoses> poses{};                // the latest ones; null: none are kept, as for the first two kinds
};

}  // namespace sinew
