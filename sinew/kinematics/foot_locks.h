// Holds feet where they stand: corrects the legs of a motion so that a part of a foot in contact with the ground stays
// at one place, and blends the correction in and out between contacts.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/kinematics/body_poser.h"
#include "sinew/kinematics/foot_contacts.h"

namespace sinew {

// The points of a body's foot that stand: the ankle joint and the ball of the toes.
struct FootPoints {
  int thigh = -1, shin = -1;                    // joints
  int foot = -1;                                // joint that carries both points; the shin where there is no foot
  Vec3 ankle, toe;                              // in the axes of `foot`, world units, from its joint
  double ankle_standing = 0, toe_standing = 0;  // heights above y = 0 where the foot stands flat
  Vec3 hinge;                                   // axis that bends the knee forward, in the axes of the thigh
  double thigh_length = 0, shin_length = 0;     // the latter to the ankle
};

// The feet of a pair of limbs, left and right: the legs, or the front legs of a body on all fours. Empty if knee and
// ankle of one cannot be placed.
std::vector<FootPoints> foot_points(const RiggedBody& body, const AnatomicalFrames& frames,
                                    std::span<const LimbBones> limbs);

// World positions of a foot's points in every frame of a motion.
FootPath path_of(const FootPoints& foot, const RiggedBody& body, const BodyPoser& poser, const BoneMotion& motion);

// The standing of feet over a motion.
struct FootSlide {
  int contacts = 0;    // number of times that a foot stands
  double largest = 0;  // longest way that a standing foot slides along the ground in one contact, as a share of the leg
};
FootSlide foot_slide(std::span<const FootPath> feet, std::span<const FootContacts> contacts, double leg_length);

// Bends the limbs in every frame so that the ankles come to `targets` (per foot, per frame: world), and feet keep their
// rotation. A limb that cannot reach is stretched towards its target.
void place_feet(const RiggedBody& body, const BodyPoser& poser, std::span<const FootPoints> feet,
                std::span<const std::vector<Vec3>> targets, BoneMotion& motion);

// Corrects the motion; `contacts` are of the left and the right foot. The hips sink where a leg would not reach.
void lock_feet(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
               std::span<const FootContacts> contacts, BoneMotion& motion);

}  // namespace sinew
