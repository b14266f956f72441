// The parts of the sumo wrestler that its sources share.
#pragma once

#include "samples.h"

namespace sinew::samples {

// Joints of the left side in rest, metres.
struct SumoPoints {
  Vec3 shoulder, elbow, wrist, hip, knee, ankle, ball_of_foot;
};
const SumoPoints& sumo_points();
// A point of the left hand: metres from the wrist along the hand and across towards the thumb.
Vec3 sumo_hand_point(double along, double across);

std::vector<Bone> sumo_bones(const Skeleton& skeleton);
// Of the joints that carry soft parts: belly, breasts, cheeks, buttocks.
std::vector<Share> sumo_shares(const Skeleton& skeleton);
void add_sumo_morphs(Sample& sumo);

}  // namespace sinew::samples
