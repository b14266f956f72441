// Feet of a clip that a character has: held where they stand, and how well they do.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sinew/bake/run_report.h"
#include "sinew/kinematics/foot_locks.h"

namespace sinew {

// When the feet of a motion stand, left and right.
std::vector<FootContacts> contacts_of(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
                                      const BoneMotion& motion);

// Feet in the poses of a finished clip, as shares of the leg.
struct ClipStanding {
  double slide = 0;   // longest way that a standing foot slides in one contact
  double height = 0;  // largest height above the ground of a foot during the whole of a contact
};

// `times`: of the contacts' frames.
ClipStanding measure_clip(const RiggedBody& body, const AnatomicalFrames& frames,
                          std::span<const FootContacts> contacts, const Clip& clip, std::span<const double> times);

// The slide of standing feet, and the evenness of the frames.
MotionReport measure_feet(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
                          std::span<const FootContacts> contacts, const BoneMotion& motion);

// Holds the feet of a motion where they stand, and measures it.
MotionReport hold_feet(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
                       std::span<const FootContacts> contacts, BoneMotion& motion);

// When a foot of a clip stands: clip times, seconds, of each contact's first and last frame.
struct StandingTimes {
  int foot = -1;  // joint: the end of the leg
  std::vector<std::pair<double, double>> contacts;
};
// Returns the times of both feet; empty where foot_slide_of() is.
std::vector<StandingTimes> standing_times(const RiggedBody& body, double frames_per_second, const Clip& clip);

// The longest way that a standing foot of a clip slides in one contact, as a share of the leg. The clip is of the
// body's own skeleton. Empty if the body has no legs, or if no foot stands, as in walks in place.
std::optional<double> foot_slide_of(const RiggedBody& body, double frames_per_second, const Clip& clip);

// Measures a clip likewise, and holds its feet if they slide farther than `most_slide`: channels of legs and root are
// replaced. Contacts during which a foot comes farther from its mean place than `farthest`, a share of the leg, are
// steps that were not seen, and are not held. Empty too if scales change, so that feet cannot be led.
std::optional<MotionReport> hold_feet_of(const RiggedBody& body, double frames_per_second, double most_slide,
                                         Clip& clip, double farthest = HUGE_VAL);

}  // namespace sinew
