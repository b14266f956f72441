// What acts on a character's flesh over a clip, as settings say it: the same words for every method.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/collider_settings.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Of the character's height: the radius of what a hand takes hold of where none is given. On `sumo` whatever less holds
// is drawn out to a thorn; by more, the rim of what is held, which flesh follows less well, shows as folds.
inline constexpr double hand_of_height = 0.04;
// The largest radius of a hand; one that is given larger holds this.
inline constexpr double largest_hand_of_height = 0.25;

// A hand that takes hold of the skin around a point, leads it and lets go.
struct GrabSettings {
  std::string name;                  // for messages; empty: its number
  Vec3 point;                        // the nearest point of the skin in the rest pose, metres
  std::optional<double> radius;      // metres, of the skin that is held; empty: hand_of_height; 0: the point alone
  Vec3 to;                           // where the point is led: metres, world, in the default pose
  std::string joint;                 // that the hand moves with; empty: it stays in the world
  std::optional<double> begin, end;  // seconds on the clip's time line; empty: always
  double reach = 0.2;                // seconds from its beginning, over which it is led there
};

// A ring of points of the skin that keeps its shape.
struct BeltSettings {
  std::string name;      // for messages; empty: its number
  Vec3 point;            // in its plane, in the middle; rest pose, metres
  Vec3 normal{0, 1, 0};  // of its plane
  double width = 0.02;   // metres: vertices of the skin within half of it of the plane are held
  double radius = 1;     // metres: those within it of the point
  double size = 1;       // of the ring over that of the skin at rest: less draws it tight
  std::string joint;     // that it moves with
};

// A force on the flesh around a point of the surface.
struct LoadSettings {
  Vec3 point;                        // metres, in the rest pose
  Vec3 force;                        // newtons, world
  double radius = 0;                 // metres, over which the force is spread
  std::optional<double> begin, end;  // seconds on the clip's time line; empty: always
};

std::vector<Setting> settings_of(GrabSettings& grab);
std::vector<Setting> settings_of(BeltSettings& belt);
std::vector<Setting> settings_of(LoadSettings& load);

// Rows of the tables of methods on which such things act.
Setting ground_setting(std::optional<double>& ground);
Setting colliders_setting(std::vector<ColliderSettings>& colliders);
Setting grabs_setting(std::vector<GrabSettings>& grabs);
Setting belts_setting(std::vector<BeltSettings>& belts);
Setting loads_setting(std::vector<LoadSettings>& loads);

struct ActingSettings {
  std::optional<double> ground;  // height of a ground plane, metres
  std::vector<ColliderSettings> colliders;
  std::vector<GrabSettings> grabs;
  std::vector<BeltSettings> belts;
  std::vector<LoadSettings> loads;

  bool empty() const { return !ground && colliders.empty() && grabs.empty() && belts.empty() && loads.empty(); }
};

}  // namespace sinew
