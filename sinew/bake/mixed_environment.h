// What acts on a mixed body from outside at one moment of a clip: weight, pokes and colliders of the settings.
#pragma once

#include <vector>

#include "sinew/cook/mixed_settings.h"
#include "sinew/cook/prepare_mixed.h"
#include "sinew/character/character.h"
#include "sinew/contact/colliders.h"
#include "sinew/contact/surface_points.h"

namespace sinew {

class MixedEnvironment {
 public:
  // All must outlive the environment. Throws usage_error for a collider on a joint that the character does not have.
  MixedEnvironment(const Character& character, const MixedScene& scene, const MixedSettings& settings);

  bool empty() const;  // nothing acts, at any time
  bool has_colliders() const { return settings_.ground || !settings_.colliders.empty(); }

  // Newtons per vertex of the body at `seconds` on the clip's time line; empty where there are none.
  std::vector<Vec3> forces(double seconds) const;
  // Metres, world. Those on joints move as their joint does from the default pose; radii follow its scale.
  Colliders colliders(const Pose& pose) const;
  const SurfacePoints& surface() const { return surface_; }

 private:
  const MixedScene& scene_;
  const MixedSettings& settings_;
  SurfacePoints surface_;
  MovingColliders colliders_;
};

}  // namespace sinew
