// Colliders in settings files, and their motion with the character.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/contact/colliders.h"
#include "sinew/contact/solid_mesh.h"
#include "sinew/deform/setting.h"
#include "sinew/linalg/small.h"

namespace sinew {

enum class ColliderShape { plane, sphere, capsule, box, mesh };

// A solid shape that flesh does not enter. It is placed in the default pose, in metres, world.
struct ColliderSettings {
  ColliderShape shape = ColliderShape::sphere;
  Vec3 point;                        // point of a plane, centre of a sphere or box, one end of a capsule
  Vec3 other_end;                    // of a capsule
  Vec3 normal{0, 1, 0};              // of a plane, away from what is solid
  double radius = 0;                 // of spheres and capsules, metres
  std::string joint;                 // joint that it moves with; empty: fixed in the world
  Vec3 front{0, 0, 1};               // direction in which a box's front faces
  Vec3 up{0, 1, 0};                  // up of a box; the part perpendicular to `front` counts
  double width = 0, height = 0;      // of a box's front, metres
  double depth = 0;                  // of a box, from its front to its back, metres
  std::optional<double> rounding{};  // radius of a box's edges, metres; empty: a tenth of its least side
  std::string file{};                // of a mesh: an OBJ file, in metres; empty: the character's own file
  std::string node{};                // of a mesh in the character's own file: the node that shows it
  bool falls = false;                // spheres: let go as the clip begins, and then moved by gravity and contact
  double density = 500;              // of what falls, kg/m^3
  double bounce = 0.5;               // speed after over speed before, where what falls bounces on what is rigid

  static SettingsTable describe();
};

// Motion of a thing fixed to a joint, relative to the default pose. Metres, world.
class JointMotion {
 public:
  // An empty name means no joint and no motion. Throws usage_error, naming the setting `what`, if the character does
  // not have the joint.
  JointMotion(const Character& character, const std::string& joint, const std::string& what);
  Affine in(const Pose& pose) const;

 private:
  int joint_ = -1;
  double metres_per_unit_ = 1;
  Affine default_pose_to_joint_;  // metres, world, to joint space
};

class MovingColliders {
 public:
  // `solids`: per collider, what a mesh encloses where the default pose has it (metres, world); null for other shapes.
  // Throws usage_error for a collider on a joint that the character does not have. `settings` must outlive this.
  MovingColliders(const Character& character, const std::vector<ColliderSettings>& settings,
                  std::vector<std::shared_ptr<const SolidMesh>> solids = {});

  // The colliders in a pose: metres, world. Radii follow the scale of the joint.
  Colliders in(const Pose& pose) const;
  void in(const Pose& pose, Colliders& colliders) const;

 private:
  const std::vector<ColliderSettings>& settings_;
  std::vector<JointMotion> motion_;
  std::vector<std::shared_ptr<const SolidMesh>> solids_;  // per collider, or empty
};

}  // namespace sinew
