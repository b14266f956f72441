// Joints and poses of the samples. In rest every joint's axes are the world's, so that a rotation
// reads the same for every joint: x tips forward and back, y turns, z leans sideways.
#pragma once

#include <string>
#include <vector>

#include "sinew/linalg/small.h"
#include "surface.h"

namespace sinew::samples {

inline constexpr Index no_parent = 0xffffffffu;

struct Joint {
  std::string name;
  Index parent = no_parent;
  Vec3 position;  // rest, world, metres
};

struct Skeleton {
  std::vector<Joint> joints;  // parents first

  // `parent` is empty for the root. Throws simulation_error on an unknown name.
  Index add(const std::string& name, const std::string& parent, const Vec3& position);
  // The same for NAME_l at `position` and NAME_r at its mirror image; a parent that has sides is
  // meant without its suffix.
  void add_pair(const std::string& name, const std::string& parent, const Vec3& position);
  Index index(const std::string& name) const;
  bool contains(const std::string& name) const;
  const Vec3& position(const std::string& name) const { return joints[index(name)].position; }
  Vec3 offset(Index joint) const;  // from the parent, rest
};

class Pose {
 public:
  explicit Pose(const Skeleton& skeleton);

  Vec3 root_offset;            // of the root joint from its rest position, metres
  std::vector<Quat> rotation;  // local, relative to rest

  // Applies `q` after what the joint has already, in the parent's axes.
  void rotate(const std::string& joint, const Quat& q);
  void set_rotation(const std::string& joint, const Quat& q);
  // Gives the joint this orientation in the world, given its parents' pose so far.
  void set_world_rotation(const std::string& joint, const Quat& q);
  Quat world_rotation(Index joint) const;
  Vec3 world_position(Index joint) const;
  Vec3 world_position(const std::string& joint) const { return world_position(skeleton_->index(joint)); }
  const Skeleton& skeleton() const { return *skeleton_; }

  // Two-bone inverse kinematics: turns `upper` and `lower` so that joint `end` comes to `target`
  // (world), the middle joint bending towards `pole` (world direction), and gives `end` the
  // orientation `end_rotation` (world). `rest_pole` is the direction towards which the middle
  // joint is bent in rest. Returns by how many metres the target is out of reach (0 where it is met).
  double reach(const std::string& upper, const std::string& lower, const std::string& end, const Vec3& target,
               const Quat& end_rotation, const Vec3& pole, const Vec3& rest_pole);

 private:
  const Skeleton* skeleton_;
};

}  // namespace sinew::samples
