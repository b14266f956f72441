#include "sinew/rig/skinned_points.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/implicit/implicit_skin.h"
#include "sinew/rig/kept_volume.h"
#include "sinew/rig/linear_blend.h"
#include "sinew/rig/packed_influences.h"
#include "sinew/rig/packed_kernel.h"
#include "sinew/rig/skin_poses.h"

namespace sinew {

constexpr std::size_t most_bones_named = 5;  // in a sentence

SkinnedPoints skin_of(std::span<const Vec3> rest, std::span<const Influences> influences, const Skinning& skinning) {
  return {rest,
          influences,
          skinning.kind,
          skinning.volume.get(),
          skinning.implicit.get(),
          skinning.packed.get(),
          skinning.poses.get()};
}

SkinnedPoints skin_of(const SimulationSurface& surface) {
  return skin_of(surface.rest.positions, surface.influences, surface.skinning);
}

void set_skinning(SkinningKind kind, SimulationSurface& surface) {
  surface.skinning = {kind};
  surface.skinning.packed = std::make_shared<const PackedInfluences>(packed_influences(surface.influences));
  if (corrects_skin(kind)) surface.skinning.poses = std::make_shared<SkinPoses>();
  if (kind == SkinningKind::volume && !(surface.skinning.volume = kept_volume(surface)))
    throw input_error(
        "skinning: no piece of the skin encloses a volume that bends, so that none can be kept; choose dualquat.");
  if (kind == SkinningKind::implicit && !(surface.skinning.implicit = implicit_skin(surface)))
    throw input_error(
        "skinning: no two bones have parts of the skin that could touch, as a limb's do; choose dualquat.");
}

std::vector<std::string> skinning_notes(const SimulationSurface& surface) {
  if (!surface.skinning.implicit || surface.skinning.implicit->unfitted.empty()) return {};
  const std::vector<int>& unfitted = surface.skinning.implicit->unfitted;
  const std::size_t named = std::min(unfitted.size(), most_bones_named);
  std::string names;
  for (std::size_t k = 0; k < named; ++k) names += (k > 0 ? ", '" : "'") + surface.bones[index(unfitted[k])].name + "'";
  if (named < unfitted.size()) names += " and " + std::to_string(unfitted.size() - named) + " more";
  return {"skinning: no field fits the skin of " + names +
          "; it is skinned by dual quaternions alone, and nothing touches it."};
}

namespace {

// The whole skin by dual quaternions, of a kind that corrects it.
std::vector<Vec3> uncorrected_skin(const SkinnedPoints& points, std::span<const Affine> bones) {
  const std::vector<Vec3>& rest = points.volume ? points.volume->positions : points.implicit->positions;
  const std::vector<Influences>& influences = points.volume ? points.volume->influences : points.implicit->influences;
  std::vector<Vec3> positions(rest.size());
  if (points.packed)
    dual_quaternion_blend(rest, influences, *points.packed, bones, positions);
  else
    dual_quaternion_blend(rest, influences, bones, positions);
  return positions;
}

std::vector<Vec3> corrected_skin(const SkinnedPoints& points, std::span<const Affine> bones) {
  std::vector<Vec3> positions = uncorrected_skin(points, bones);
  if (points.volume) keep_volume(*points.volume, bones, positions);
  if (points.implicit) project_skin(*points.implicit, bones, positions);
  return positions;
}

std::shared_ptr<const SkinPose> skin_pose(const SkinnedPoints& points, std::span<const Affine> bones) {
  const auto find = [&] { return corrected_skin(points, bones); };
  return points.poses ? points.poses->at(bones, find) : std::make_shared<const SkinPose>(find());
}

std::shared_ptr<const std::vector<Vec3>> correction_of(const SkinPose& pose, const SkinnedPoints& points,
                                                       std::span<const Affine> bones) {
  return pose.correction([&] { return uncorrected_skin(points, bones); });
}

}  // namespace

std::vector<Vec3> skin_correction(const Skinning& skinning, std::span<const Affine> bones) {
  if (!corrects_skin(skinning.kind)) return {};
  const SkinnedPoints points = skin_of({}, {}, skinning);
  return *correction_of(*skin_pose(points, bones), points, bones);
}

void pose_points(const SkinnedPoints& points, std::span<const Affine> bones, std::span<Vec3> positions) {
  const PackedInfluences* packed = points.carried ? nullptr : points.packed;
  if (points.kind == SkinningKind::linear && packed) return linear_blend(points.rest, *packed, bones, positions);
  if (points.kind == SkinningKind::linear) return linear_blend(points.rest, points.influences, bones, positions);
  if (!corrects_skin(points.kind) || points.carried) {
    if (packed)
      dual_quaternion_blend(points.rest, points.influences, *packed, bones, positions);
    else
      dual_quaternion_blend(points.rest, points.influences, bones, positions);
  }
  correct_points(points, bones, positions);
}

void correct_points(const SkinnedPoints& points, std::span<const Affine> bones, std::span<Vec3> positions) {
  if (!corrects_skin(points.kind)) return;
  const std::shared_ptr<const SkinPose> skin = skin_pose(points, bones);
  if (!points.carried) {
    std::copy(skin->positions().begin(), skin->positions().end(), positions.begin());
    return;
  }
  const std::shared_ptr<const std::vector<Vec3>> correction = correction_of(*skin, points, bones);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += row_times(*points.carried, i, *correction);
}

PosedSkin::PosedSkin(const SimulationSurface& surface, std::span<const Affine> bones)
    : surface_(surface), bones_(bones) {
  if (surface.skinning.packed) check_bones(*surface.skinning.packed, bones.size());
  if (surface.skinning.kind == SkinningKind::dual_quaternion && surface.skinning.packed) {
    packed_.emplace(surface.influences, *surface.skinning.packed, bones);
  } else if (surface.skinning.kind == SkinningKind::dual_quaternion) {
    motions_ = bone_motions(bones);
    palette_ = motion_palette(motions_, false);
  }
  if (!corrects_skin(surface.skinning.kind)) return;
  whole_.resize(surface.rest.positions.size());
  pose_points(skin_of(surface), bones, whole_);
}

Vec3 PosedSkin::at(std::size_t vertex) const {
  if (!whole_.empty()) return whole_[vertex];
  if (const PackedInfluences* packed = surface_.skinning.packed.get()) {
    // With the others of its group, so that its bits are those that it has in the whole.
    std::array<Vec3, PackedInfluences::group> places;
    const std::size_t group = vertex / places.size();
    if (packed_)
      packed_->move(group, group + 1, surface_.rest.positions, places);
    else
      blend_maps(*packed, group, group + 1, bones_, surface_.rest.positions, places);
    return places[vertex % places.size()];
  }
  const Vec3& rest = surface_.rest.positions[vertex];
  const Influences& influences = surface_.influences[vertex];
  Vec3 position = rest;
  if (!motions_.motion.empty()) {
    move_points(motions_, palette_, {&rest, 1}, {&influences, 1}, {&position, 1});
    return position;
  }
  linear_blend({&rest, 1}, {&influences, 1}, bones_, {&position, 1});
  return position;
}

}  // namespace sinew
