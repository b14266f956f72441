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

// The whole skin, of a kind that corrects it.
SkinPose find_skin_pose(const SkinnedPoints& points, std::span<const Affine> bones) {
  const KeptVolume* volume = points.volume;
  const ImplicitSkin* implicit = points.implicit;
  const std::vector<Vec3>& rest = volume ? volume->positions : implicit->positions;
  const std::vector<Influences>& influences = volume ? volume->influences : implicit->influences;
  SkinPose pose{std::vector<Vec3>(rest.size()), {}};
  if (points.packed)
    dual_quaternion_blend(rest, influences, *points.packed, bones, pose.positions);
  else
    dual_quaternion_blend(rest, influences, bones, pose.positions);
  std::vector<Vec3> skinned = pose.positions;
  if (volume) keep_volume(*volume, bones, pose.positions);
  if (implicit) project_skin(*implicit, bones, pose.positions);
  for (std::size_t v = 0; v < skinned.size(); ++v) skinned[v] = pose.positions[v] - skinned[v];
  pose.correction = std::move(skinned);
  return pose;
}

std::shared_ptr<const SkinPose> skin_pose(const SkinnedPoints& points, std::span<const Affine> bones) {
  const auto find = [&] { return find_skin_pose(points, bones); };
  return points.poses ? points.poses->at(bones, find) : std::make_shared<const SkinPose>(find());
}

}  // namespace

std::vector<Vec3> skin_correction(const Skinning& skinning, std::span<const Affine> bones) {
  if (!corrects_skin(skinning.kind)) return {};
  return skin_pose(skin_of({}, {}, skinning), bones)->correction;
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
    std::copy(skin->positions.begin(), skin->positions.end(), positions.begin());
    return;
  }
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += row_times(*points.carried, i, skin->correction);
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
