// Times at which feet stand on the ground, found from how high and how fast ankle and toe are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/kinematics/transfer_motion.h"

namespace sinew {

// Frames of a foot during which a part of it stands: the heel with the ankle above it, or the toe, about which the foot
// rolls when the heel has left the ground.
struct FootContacts {
  std::vector<char> heel, toe;  // per frame

  bool any(std::size_t frame) const { return heel[frame] != 0 || toe[frame] != 0; }
};

// A part is in contact once it is lower than 0.08 of the leg above where it stands flat and slower than 0.4 legs a
// second, until it is higher than 0.12 or faster than 0.8. Contacts shorter than 0.06 s do not count, and gaps shorter
// than that do not end one. `times`: seconds, ascending. `up` is y.
FootContacts find_contacts(const FootPath& foot, std::span<const double> times, double leg_length);

}  // namespace sinew
