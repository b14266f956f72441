#include "sinew/deform/flesh/vertex_frames.h"

#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr std::size_t vertex_frames_grain = 256, bone_grain = 4;

// Normalised weighted sum of unit quaternions, each flipped to the side of the heaviest.
Quat blended_rotation(const Influences& influences, std::span<const Quat> bones) {
  const Quat& reference = bones[static_cast<std::size_t>(influences.joint[0])];
  Quat sum{0, 0, 0, 0};
  for (int k = 0; k < influences.count; ++k) {
    const auto slot = static_cast<std::size_t>(k);
    const Quat& q = bones[static_cast<std::size_t>(influences.joint[slot])];
    const double weight = dot(q, reference) < 0 ? -influences.weight[slot] : influences.weight[slot];
    sum.x += weight * q.x;
    sum.y += weight * q.y;
    sum.z += weight * q.z;
    sum.w += weight * q.w;
  }
  return normalized(sum);
}

Vec3 blended_position(const Influences& influences, std::span<const Affine> bones, const Vec3& rest) {
  Vec3 sum;
  for (int k = 0; k < influences.count; ++k) {
    const auto slot = static_cast<std::size_t>(k);
    sum += influences.weight[slot] * (bones[static_cast<std::size_t>(influences.joint[slot])] * rest);
  }
  return sum;
}

}  // namespace

void bone_rotations(std::span<const Affine> bones, SkinningKind kind, BoneRotations& rotations) {
  rotations.quaternion.resize(bones.size());
  rotations.matrix.resize(bones.size());
  parallel_for(bones.size(), bone_grain, [&](std::size_t b) {
    rotations.quaternion[b] = closest_rotation(bones[b].linear, Quat{});
    rotations.matrix[b] = to_matrix(rotations.quaternion[b]);
  });
  rotations.kind = kind;
  if (kind != SkinningKind::linear) bone_motions(bones, rotations.motions);
}

void predict_frame(std::size_t i, const Vec3& rest, const Influences& influences, std::span<const Affine> bones,
                   const BoneRotations& rotations, VertexFrames& frames) {
  if (influences.count == 0) {
    frames.orientation[i] = {};
    frames.rotation[i] = Mat3::identity();
    frames.goal[i] = rest;
    return;
  }
  if (influences.count == 1) {
    const auto bone = static_cast<std::size_t>(influences.joint[0]);
    frames.orientation[i] = rotations.quaternion[bone];
    frames.rotation[i] = rotations.matrix[bone];
    frames.goal[i] = bones[bone] * rest;
    return;
  }
  frames.orientation[i] = blended_rotation(influences, rotations.quaternion);
  frames.rotation[i] = to_matrix(frames.orientation[i]);
  frames.goal[i] = rotations.kind == SkinningKind::linear ? blended_position(influences, bones, rest)
                                                          : moved_by(rotations.motions, influences, rest);
}

void predict_frames(const SkinnedPoints& points, std::span<const Affine> bones, VertexFrames& frames) {
  bone_rotations(bones, points.kind, frames.bones);
  frames.orientation.resize(points.rest.size());
  frames.rotation.resize(points.rest.size());
  frames.goal.resize(points.rest.size());
  parallel_for(points.rest.size(), vertex_frames_grain, [&](std::size_t i) {
    predict_frame(i, points.rest[i], points.influences[i], bones, frames.bones, frames);
  });
  correct_points(points, bones, frames.goal);
}

void predict_frames(std::span<const Vec3> rest, std::span<const Influences> influences, std::span<const Affine> bones,
                    VertexFrames& frames) {
  predict_frames(SkinnedPoints{rest, influences}, bones, frames);
}

}  // namespace sinew
