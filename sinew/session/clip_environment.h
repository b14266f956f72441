// What the settings let act on flesh at one moment of a clip: the ground, colliders, grabs, belts and loads.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/acting_settings.h"
#include "sinew/deform/environment.h"
#include "sinew/session/grip.h"

namespace sinew {

// A moment of a clip.
struct ClipMoment {
  double clip_time = 0;  // seconds on the clip's time line
  const Pose& pose;
  std::span<const Affine> bones;  // rest space to world, metres
};

class ClipEnvironment {
 public:
  // `hold_reach`: as Scene has it; all others must outlive the environment. Throws usage_error for what the character
  // does not have.
  ClipEnvironment(const Character& character, const SimulationSurface& surface, const ActingSettings& settings,
                  std::span<const double> hold_reach = {});

  bool empty() const { return settings_.empty(); }  // nothing acts, at any time

  // What may act at some time: to ask a method whether it can (check_capabilities).
  Environment everything() const;

  // How far hands and belts lead the surface away from where the rig has it, at most, metres.
  double driven_displacement(const ClipMoment& moment) const;

  // Over the step of `step` seconds from `before` to `now`; of no length for a pose by itself.
  Environment over(const ClipMoment& before, const ClipMoment& now, double step) const;
  // The same into one that is there already, whose memory is used again.
  void over(const ClipMoment& before, const ClipMoment& now, double step, Environment& environment) const;

 private:
  struct Grab {
    SharedText name;
    Grip grip;
    JointMotion motion;
  };
  struct Belt {
    SharedText name;
    std::vector<int> vertices;  // of the surface
    std::vector<double> share;  // of the belt's skin, each vertex's
    int bone = -1;
    Vec3 centre;  // of the ring, rest space, metres
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
