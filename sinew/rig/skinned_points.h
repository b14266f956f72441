// Goals: points posed by a skeleton. All methods find the rig's surface here, whatever the kind of skinning.
//
//   pose_points(skin_of(surface), bones, goal);                 // the whole surface
//   const PosedSkin skin(surface, bones);  skin.at(vertex);     // a few vertices
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/dual_quaternion_kernel.h"
#include "sinew/rig/packed_influences.h"

namespace sinew {

// Points, in rest space, that follow bones. What it refers to must outlive it.
struct SkinnedPoints {
  std::span<const Vec3> rest;              // rest space, metres
  std::span<const Influences> influences;  // per point: bones and weights
  SkinningKind kind = SkinningKind::linear;
  const KeptVolume* volume = nullptr;        // of the skin; kind `volume` only
  const ImplicitSkin* implicit = nullptr;    // of the skin; kind `implicit` only
  const PackedInfluences* packed = nullptr;  // influences of the skin; null: they are read one by one
  SkinPoses* poses = nullptr;                // latest ones of the skin; null: none are kept
  // Points inside the body x vertices of the skin: the share of the skin's correction by which each point moves. Null:
  // the points are the skin.
  const SparseRows* carried = nullptr;
};

SkinnedPoints skin_of(const SimulationSurface& surface);
// `skinning`: of the surface whose points these are.
SkinnedPoints skin_of(std::span<const Vec3> rest, std::span<const Influences> influences, const Skinning& skinning);

// Chooses the kind of skinning of a surface and computes what it needs. Throws input_error if it is `volume` and the
// surface encloses none, or `implicit` and no two parts of the surface bend.
void set_skinning(SkinningKind kind, SimulationSurface& surface);

// Sentences for the user on what the surface's kind of skinning could not do, such as bones whose skin no field fits.
std::vector<std::string> skinning_notes(const SimulationSurface& surface);

// True for kinds that correct what dual quaternions give by the whole skin at once: single points cannot be posed.
constexpr bool corrects_skin(SkinningKind kind) {
  return kind == SkinningKind::volume || kind == SkinningKind::implicit;
}

// Positions in a pose, metres, world. `bones`: rest space to world. `positions` may be `points.rest`. Throws
// input_error where an influence names a bone that does not exist, or, unless skinning is linear, a bone's map is not
// finite.
void pose_points(const SkinnedPoints& points, std::span<const Affine> bones, std::span<Vec3> positions);

// Corrects points that dual quaternions posed: metres, world. The points of a skin are put where pose_points() puts
// them. Nothing for kinds that correct none.
void correct_points(const SkinnedPoints& points, std::span<const Affine> bones, std::span<Vec3> positions);

// The correction of the whole skin in a pose, per vertex: from its dual quaternion skinning, metres, world. Empty for
// kinds that correct none.
std::vector<Vec3> skin_correction(const Skinning& skinning, std::span<const Affine> bones);

// Single vertices of a posed surface. Only a kind that depends on the whole surface poses all of it.
class PosedSkin {
 public:
  // Both must outlive this object.
  PosedSkin(const SimulationSurface& surface, std::span<const Affine> bones);
  // Position of a vertex: metres, world.
  Vec3 at(std::size_t vertex) const;

 private:
  const SimulationSurface& surface_;
  std::span<const Affine> bones_;
  BoneMotions motions_;                  // empty: linear
  MotionPalette palette_;                // of these motions
  std::optional<PackedMotions> packed_;  // in place of these two, where influences are packed
  std::vector<Vec3> whole_;              // empty: each vertex is posed by itself
};

}  // namespace sinew
