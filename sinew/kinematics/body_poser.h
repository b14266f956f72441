// Poses a skeleton by the world rotations of its bones, and turns such motion into a clip.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/kinematics/anatomical_frames.h"

namespace sinew {

// Motion of a body in world space: rotations of its bones and the place of its root.
struct BoneMotion {
  std::vector<double> times;    // seconds, ascending
  std::vector<Quat> rotations;  // frames x BodyPoser::bones(): joint to world
  std::vector<Vec3> root;       // per frame: world position of the root, file units
  // frames x BodyPoser::bones(): place of each bone from the joint that carries it, in the axes of that joint, file
  // units; empty: as at rest. Rigs of games pull bones apart.
  std::vector<Vec3> offsets = {};
};

class BodyPoser {
 public:
  // `driven`: joints that get rotations; the others keep the local transform of the default pose. Bones that do not
  // hang below the bone that carries them in a body, such as feet of rigs with baked inverse kinematics, are carried by
  // it all the same. The skeleton must outlive the poser.
  BodyPoser(const Skeleton& skeleton, const BodyBones& bones, const ReferencePose& reference,
            std::span<const int> driven);

  // Driven joints, in the order of rotations in BoneMotion.
  const std::vector<int>& bones() const { return bones_; }
  int bone_of(int joint) const { return bone_of_joint_[static_cast<std::size_t>(joint)]; }  // -1: not driven

  // World position of every joint for the world rotations of the bones. Joints above the root keep their default place.
  // `positions` and `rotations` have the size of the skeleton.
  // `offsets`: BoneMotion::offsets of one frame, or empty.
  void place(std::span<const Quat> bones, const Vec3& root, std::span<Vec3> positions, std::span<Quat> rotations,
             std::span<const Vec3> offsets = {}) const;
  // Places joints as a frame of a motion has them.
  void place(const BoneMotion& motion, std::size_t frame, std::span<Vec3> positions, std::span<Quat> rotations) const;

  // Offsets by which bones with these rotations are where a pose has them.
  void find_offsets(std::span<const Quat> bones, const Pose& pose, std::vector<Vec3>& offsets) const;

  // The motion as channels of local rotations, and translations of the root and of carried bones, linear between keys.
  Clip clip(const BoneMotion& motion, const std::string& name) const;

 private:
  struct Step {
    int joint = -1, parent = -1;
    int bone = -1;     // index into bones(), -1: keeps its local rotation
    int carrier = -1;  // joint that carries it in place of its parent; -1: its parent does
    Quat local;        // local rotation in the default pose
    bool parent_moves = false;
    Vec3 offset;  // from the parent in the parent's rotated axes, or from the carrier in the carrier's; file units
  };
  void add_step(int joint, int carrier, const ReferencePose& reference);

  const Skeleton* skeleton_;
  int root_ = -1;
  std::vector<int> bones_, bone_of_joint_;
  std::vector<int> still_;   // joints that keep their default place
  std::vector<Step> steps_;  // joints of the body from the root on, each after its parent and its carrier
  std::vector<Affine> default_world_;
  std::vector<Quat> default_rotation_;
  std::vector<double> scale_;  // per joint: world scale in the default pose
};

// The bone that carries each bone in a body, parent and child as joints.
std::vector<std::pair<int, int>> carriers(const BodyBones& bones);

}  // namespace sinew
