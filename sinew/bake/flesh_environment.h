// What acts on flesh in a control lattice from outside at one moment of a clip: the ground, colliders, grabs and belts
// of the settings.
#pragma once

#include <span>
#include <vector>

#include "sinew/cook/collider_settings.h"
#include "sinew/cook/flesh_settings.h"
#include "sinew/cook/prepare.h"
#include "sinew/character/character.h"
#include "sinew/deform/lattice/lattice_environment.h"

namespace sinew {

// A moment of a clip.
struct FleshMoment {
  double clip_time = 0;  // seconds on the clip's time line
  const Pose& pose;
  std::span<const Affine> bones;  // rest space to world, metres
};

class FleshEnvironment {
 public:
  // All must outlive the environment. Throws usage_error for what the character does not have, and for settings that
  // flesh made of tetrahedra cannot follow.
  FleshEnvironment(const Character& character, const FleshScene& scene, const FleshSettings& settings);

  bool empty() const;  // nothing acts, at any time

  // How far hands and belts lead the surface away from where the rig has it, at most, metres.
  double led(const FleshMoment& moment) const;

  // Over the step of `step` seconds from `before` to `now`.
  LatticeEnvironment over(const FleshMoment& before, const FleshMoment& now, double step) const;

 private:
  struct Grab {
    std::string name;
    SurfaceSpot spot;
    JointMotion motion;
  };
  struct Belt {
    std::string name;
    std::vector<int> vertices;  // of the surface
    std::vector<double> share;  // of the belt's skin, each vertex's
    int bone = -1;
    Vec3 centre;  // of the ring, rest space, metres
  };

  Vec3 target(std::size_t grab, const FleshMoment& moment) const;
  Affine belt_motion(std::size_t belt, const FleshMoment& moment) const;

  const FleshScene& scene_;
  const FleshSettings& settings_;
  MovingColliders colliders_;
  std::vector<Grab> grabs_;
  std::vector<Belt> belts_;
};

}  // namespace sinew
