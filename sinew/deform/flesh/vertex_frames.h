// Where the rig alone carries each body vertex: a predicted rotation R_i and position g_i
// (Capell 2004, section 5.2.2: rotations and translations predicted by skinning).
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"

namespace sinew {

// The bones' own rotations, once per pose.
struct BoneRotations {
  std::vector<Quat> quaternion;
  std::vector<Mat3> matrix;
};

struct VertexFrames {
  std::vector<Quat> orientation;  // per vertex: R_i as a quaternion
  std::vector<Mat3> rotation;     // per vertex: R_i, vertex frame to world
  std::vector<Vec3> goal;         // per vertex: g_i, world, metres
  BoneRotations bones;            // of the same pose
};
void bone_rotations(std::span<const Affine> bones, BoneRotations& rotations);

// The frame of vertex i, which `frames` has room for.
void predict_frame(std::size_t i, const Vec3& rest, const Influences& influences, std::span<const Affine> bones,
                   const BoneRotations& rotations, VertexFrames& frames);

// Rotations are the bones' rotations blended as quaternions by the skin weights; goals are linear
// blend skinning of the rest positions. A vertex without influences stays in rest.
void predict_frames(std::span<const Vec3> rest, std::span<const Influences> influences, std::span<const Affine> bones,
                    VertexFrames& frames);

}  // namespace sinew
