#include "sinew/rig/skinned_points.h"

#include "sinew/base/error.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/kept_volume.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {

SkinnedPoints skin_of(std::span<const Vec3> rest, std::span<const Influences> influences, const Skinning& skinning) {
  return {rest, influences, skinning.kind, skinning.volume.get()};
}

SkinnedPoints skin_of(const SimulationSurface& surface) {
  return skin_of(surface.rest.positions, surface.influences, surface.skinning);
}

void set_skinning(SkinningKind kind, SimulationSurface& surface) {
  surface.skinning = {kind, nullptr};
  if (kind != SkinningKind::volume) return;
  surface.skinning.volume = kept_volume(surface);
  if (!surface.skinning.volume)
    throw input_error(
        "skinning: no piece of the skin encloses a volume that bends, so that none can be kept; choose dualquat.");
}

void pose_points(const SkinnedPoints& points, std::span<const Affine> bones, std::span<Vec3> positions) {
  if (points.kind == SkinningKind::linear) return linear_blend(points.rest, points.influences, bones, positions);
  dual_quaternion_blend(points.rest, points.influences, bones, positions);
  if (points.kind != SkinningKind::volume) return;
  if (points.carried)
    add_carried_correction(points, bones, positions);
  else
    keep_volume(*points.volume, bones, positions);
}

void add_carried_correction(const SkinnedPoints& points, std::span<const Affine> bones, std::span<Vec3> positions) {
  if (!points.volume || !points.carried) return;
  const std::vector<Vec3> correction = volume_correction(*points.volume, bones);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += row_times(*points.carried, i, correction);
}

PosedSkin::PosedSkin(const SimulationSurface& surface, std::span<const Affine> bones)
    : surface_(surface), bones_(bones) {
  if (surface.skinning.kind == SkinningKind::dual_quaternion) motions_ = bone_motions(bones);
  if (surface.skinning.kind != SkinningKind::volume) return;
  whole_.resize(surface.rest.positions.size());
  pose_points(skin_of(surface), bones, whole_);
}

Vec3 PosedSkin::at(std::size_t vertex) const {
  if (!whole_.empty()) return whole_[vertex];
  const Vec3& rest = surface_.rest.positions[vertex];
  const Influences& influences = surface_.influences[vertex];
  if (!motions_.motion.empty()) return moved_by(motions_, influences, rest);
  Vec3 position;
  linear_blend({&rest, 1}, {&influences, 1}, bones_, {&position, 1});
  return position;
}

}  // namespace sinew
