// Makes the environment at a moment of a clip from settings: ground, colliders, grabs, belts, loads, handles and
// keys.
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
  // `hold_reach` and `gravity` as in Scene; the other arguments must outlive this object. Throws usage_error if the
  // settings name what the character does not have, and as collider_solids() does.
  ClipEnvironment(const Character& character, const SimulationSurface& surface, const ActingSettings& settings,
                  std::span<const double> hold_reach = {}, const Vec3& gravity = {0, -9.81, 0});

  bool empty() const { return settings_.empty() && !keys_; }  // true: nothing ever acts over this clip
  // True if anything but the clip itself acts between two times of it, seconds.
  bool acts_between(double begin, double end) const {
    return !settings_.empty() || (keys_ && keys_->act_between(begin, end, gravity_));
  }

  // Sets the clip whose keys apply; empty: the rest pose. Initially it is that.
  void play(const std::string& clip) { keys_ = settings_.keys.of(clip); }

  // All that acts at any time, for check_capabilities().
  Environment everything() const;

  // Largest distance by which hands and belts lead the surface from the rig, metres.
  double driven_displacement(const ClipMoment& moment) const;

  // The environment of a step of `step` seconds from `before` to `now`; 0 for a single pose.
  Environment over(const ClipMoment& before, const ClipMoment& now, double step) const;
  // Sets the keyed stiffness, damping and gravity at a time of the clip.
  void tissue(double clip_time, Environment& environment) const;
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

  struct Handle {
    JointMotion motion;      // from the default pose
    Affine to_default_pose;  // rest space to world, metres, of its joint
  };

  Vec3 target(std::size_t grab, const ClipMoment& moment) const;
  Affine belt_motion(std::size_t belt, const ClipMoment& moment) const;
  Affine handle_motion(std::size_t handle, const ClipMoment& moment) const;

  const SimulationSurface& surface_;
  const ActingSettings& settings_;
  Vec3 gravity_;
  const ClipKeys* keys_;  // of the clip; null: none
  MovingColliders colliders_;
  std::vector<Grab> grabs_;
  std::vector<Belt> belts_;
  std::vector<Handle> handles_;
};

}  // namespace sinew
