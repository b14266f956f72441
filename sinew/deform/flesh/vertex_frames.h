// Frames of the body's vertices as the rig alone predicts them: rotations R_i and goals g_i (Capell 2004, section
// 5.2.2: rotations and translations predicted by skinning).
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {

// Rotations of the bones, computed once per pose.
struct BoneRotations {
  std::vector<Quat> quaternion;
  std::vector<Mat3> matrix;
  SkinningKind kind = SkinningKind::linear;  // of the goals
  BoneMotions motions;                       // the bones' maps as dual quaternions; empty where goals are linear
};

struct VertexFrames {
  std::vector<Quat> orientation;  // per vertex: R_i as a quaternion
  std::vector<Mat3> rotation;     // per vertex: R_i, vertex frame to world
  std::vector<Vec3> goal;         // per vertex: g_i, world, metres
  BoneRotations bones;            // of the same pose
};
void bone_rotations(std::span<const Affine> bones, SkinningKind kind, BoneRotations& rotations);

// Computes the frame of vertex i, without a correction of volume; `frames` must have room for it.
void predict_frame(std::size_t i, const Vec3& rest, const Influences& influences, std::span<const Affine> bones,
                   const BoneRotations& rotations, VertexFrames& frames);

// Computes all frames. Rotations are the bones' rotations blended as quaternions by the skin weights; goals are those
// of pose_points(). A vertex without influences stays at rest. The second one skins linearly.
void predict_frames(const SkinnedPoints& points, std::span<const Affine> bones, VertexFrames& frames);
void predict_frames(std::span<const Vec3> rest, std::span<const Influences> influences, std::span<const Affine> bones,
                    VertexFrames& frames);

// Frames on both sides of a cut of the rig (RigCut, deform/deformer.h).
struct CutFrames {
  VertexFrames before, left, entered, next;
  double seconds_before = 0,
         seconds_after = 0;  // from `before` to `left`, and from `entered` to `next`; 0: no motion

  // Rotation across the cut for forces and relative velocities of point i.
  Mat3 turn(std::size_t i) const { return entered.rotation[i] * transpose(left.rotation[i]); }
  // Position after the cut of a point with this displacement in its own frame: world, metres.
  Vec3 position(std::size_t i, const Vec3& displacement) const {
    return entered.goal[i] + entered.rotation[i] * displacement;
  }
  // Velocity of that point with the rig after the cut, m/s.
  Vec3 carried_velocity(std::size_t i, const Vec3& displacement) const {
    return velocity(entered, next, seconds_after, i, displacement);
  }
  // Velocity after the cut of a point that had `velocity_before` just before it, m/s.
  Vec3 velocity_across(std::size_t i, const Vec3& displacement, const Vec3& velocity_before) const {
    const Vec3 relative = velocity_before - velocity(before, left, seconds_before, i, displacement);
    return turn(i) * relative + carried_velocity(i, displacement);
  }

 private:
  static Vec3 velocity(const VertexFrames& from, const VertexFrames& to, double seconds, std::size_t i, const Vec3& u) {
    if (!(seconds > 0)) return {};
    return (to.goal[i] + to.rotation[i] * u - from.goal[i] - from.rotation[i] * u) / seconds;
  }
};

}  // namespace sinew
