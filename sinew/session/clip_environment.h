// Makes the environment at a moment of a clip from settings: ground, colliders, grabs, belts and loads.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/acting_settings.h"
#include "sinew/deform/environment.h"
#include "sinew/session/attachment.h"

namespace sinew {

// A moment of a clip.
struct ClipMoment {
  double clip_time = 0;  // seconds on the clip's time line
  const Pose& pose;
  std::span<const Affine> bones;  // rest space to world, metres
};

class ClipEnvironment {
 public:
  // `hold_reach` as in Scene; the other arguments must outlive this object. Throws usage_error if the settings name
  // what the character does not have.
  ClipEnvironment(const Character& character, const SimulationSurface& surface, const ActingSettings& settings,
                  std::span<const double> hold_reach = {});

  bool empty() const { return settings_.empty(); }  // true: nothing ever acts

  // All that acts at any time, for check_capabilities().
  Environment everything() const;

  // Largest distance by which hands and belts lead the surface from the rig, metres.
  double driven_displacement(const ClipMoment& moment) const;

  // The environment of a step of `step` seconds from `before` to `now`; 0 for a single pose.
  Environment over(const ClipMoment& before, const ClipMoment& now, double step) const;
  // Writes into an existing environment and reuses its memory.
  void over(const ClipMoment& before, const ClipMoment& now, double step, Environment& environment) const;

 private:
  struct Grab {
    SharedText name;
    Attachment attachment;
    JointMotion motion;
  };
  struct Belt {
    SharedText name;
    std::vector<int> vertices;  // of the surface
    std::vector<double> share;  // per vertex: its share of the belt's skin
    int bone = -1;
    Vec3 centre;  // centre of the ring, rest space, metres
  };

  Vec3 target(std::size_t grab, const ClipMoment& moment) const;
  Affine belt_motion(std::size_t belt, const ClipMoment& moment) const;

  const SimulationSurface& surface_;
  const ActingSettings& settings_;
  MovingColliders colliders_;
  std::vector<Grab> grabs_;
  std::vector<Belt> belts_;
};

}  // namespace sinew
