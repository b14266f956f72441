// Settings for what acts on a character's flesh over a clip. All methods share them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/collider_settings.h"
#include "sinew/deform/element_rotations.h"
#include "sinew/deform/handle_settings.h"
#include "sinew/deform/tissue_keys.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Default radius of a hand, as a fraction of the character's height. A smaller hand draws the skin out to a thorn; a
// larger one shows folds around its rim.
inline constexpr double hand_of_height = 0.04;
// Largest radius of a hand, as a fraction of the character's height. Larger values are clamped to it.
inline constexpr double largest_hand_of_height = 0.25;

// A hand that takes hold of the skin around a point, leads it and lets go.
struct GrabSettings {
  std::string name;                  // for messages; empty: its number
  Vec3 point;                        // the nearest point of the skin in the rest pose, metres
  std::optional<double> radius;      // radius of the held skin, metres; empty: hand_of_height; 0: a single point
  Vec3 to;                           // target of the point in the default pose, metres, world
  std::string joint;                 // joint that the hand moves with; empty: fixed in the world
  std::optional<double> begin, end;  // seconds on the clip's time line; empty: always
  double reach = 0.2;                // time that the way to `to` takes, seconds after `begin`

  static SettingsTable describe();
};

// A ring of points of the skin that keeps its shape.
struct BeltSettings {
  std::string name;      // for messages; empty: its number
  Vec3 point;            // centre of the ring, rest pose, metres
  Vec3 normal{0, 1, 0};  // normal of the ring's plane
  double width = 0.02;   // metres; skin within width / 2 of the plane is held
  double radius = 1;     // metres; skin farther than this from `point` is not held
  double size = 1;       // size relative to the skin at rest; below 1 tightens the belt
  std::string joint;     // joint that the belt moves with

  static SettingsTable describe();
};

// A force on the flesh around a point of the surface.
struct LoadSettings {
  Vec3 point;                        // metres, in the rest pose
  Vec3 force;                        // newtons, world
  double radius = 0;                 // radius over which the force is spread, metres
  std::optional<double> begin, end;  // seconds on the clip's time line; empty: always

  static SettingsTable describe();
};

// Rows for the settings tables of methods that obey these.
Setting ground_setting(const Member<std::optional<double>>& ground);
Setting colliders_setting(SettingList colliders);
Setting loads_setting(SettingList loads);

struct ActingSettings {
  std::optional<double> ground;  // height of a ground plane, metres
  std::vector<ColliderSettings> colliders;
  std::vector<GrabSettings> grabs;
  std::vector<BeltSettings> belts;
  std::vector<LoadSettings> loads;
  TissueKeys keys{};
  double friction = 0;  // coefficient of Coulomb friction with colliders and ground

  std::vector<HandleSettings> handles{};                // of a body that is led by handles
  std::shared_ptr<const ElementRotations> rotations{};  // of the body's elements; null: bones and handles turn them

  // True if nothing acts from outside; there may be keys.
  bool empty() const {
    return !ground && colliders.empty() && grabs.empty() && belts.empty() && loads.empty() && handles.empty() &&
           !rotations;
  }
};

}  // namespace sinew
