// A body on two legs in its sagittal plane: trunk, thighs, shanks and feet, made of a character's links.
//
// The plane has y up and z ahead. In the pose without rotations the trunk is as in the character's standing pose, legs
// are straight down and soles level. Both legs are the mean of the character's, in the same plane.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/dynamics/articulated_body.h"
#include "sinew/dynamics/character_links.h"
#include "sinew/dynamics/legs.h"
#include "sinew/dynamics/striding/leg_muscles.h"

namespace sinew {

// A part of a planar body: its centre of mass and inertia are about and from its upper joint, in the plane.
struct PlanarPart {
  double mass = 1;     // kilograms
  Vec3 centre;         // from the upper joint, metres; x is 0
  double inertia = 1;  // about the centre, for turns in the plane, kg m^2
};

struct PlanarMeasures {
  PlanarPart trunk, thigh, shank, foot;           // the trunk's joint is the hip
  double thigh_length = 0.5, shank_length = 0.5;  // metres
  Vec3 heel, toe;                                 // where the foot touches the ground, from the ankle

  double leg() const { return thigh_length + shank_length - heel.y; }  // from hip to ground, straight
  double mass() const { return trunk.mass + 2 * (thigh.mass + shank.mass + foot.mass); }
};

// Links of a planar body, in order.
enum PlanarLink : std::size_t {
  planar_trunk,
  first_thigh,
  first_shank,
  first_foot,
  second_thigh,
  second_shank,
  second_foot,
  planar_links
};
inline constexpr std::size_t thigh_of(std::size_t leg) { return leg == 0 ? first_thigh : second_thigh; }

ArticulatedBody planar_body(const PlanarMeasures& measures);

// The muscles of both legs of such a body.
LegMuscles muscles_for(const PlanarMeasures& measures);

// Measures of a person of 80 kg and 1.8 m, by whom the reflexes are known.
PlanarMeasures planar_person();

// Angles of the links against the world, radians about x, and the place of the hip.
struct PlanarPose {
  std::array<double, planar_links> angle{};
  double y = 0, z = 0;  // over the ground, and ahead of the beginning, metres
};

// The measures of a character and the way back to its links.
struct PlanarCharacter {
  PlanarMeasures measures;
  TreePose standing;  // of the links: arms hang
  PlacedJoints placed;
  Vec3 ahead, left;                          // level, model space
  std::array<LegLinks, 2> legs;              // the left one first
  std::vector<int> part;                     // per link of the character, the planar link that it turns with
  std::array<double, planar_links> bound{};  // angles of the standing pose
  double ground = 0;                         // height under the standing pose, metres
  std::vector<std::array<int, 2>> arms;      // links of upper arms, and the leg that each swings with
};

// `standing`: the body upright on the ground. Throws usage_error for a body without two legs (why_it_cannot_walk()).
PlanarCharacter planar_character(const CharacterLinks& links, const TreePose& standing, double ground);

// The character's links in a pose of its planar body. Arms hang, and swing by half of the angle of the thigh on the
// other side; toes that hang on a foot stay level while its heel is up.
TreePose pose_of_planar(const CharacterLinks& links, const PlanarCharacter& character, const PlanarPose& pose);

}  // namespace sinew
