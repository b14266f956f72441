// Checks whether motion can be carried from one skeleton to another, before it is.
#pragma once

#include <string>
#include <vector>

#include "sinew/kinematics/transfer_motion.h"

namespace sinew {

// Throws input_error, which names the file, if the legs have no length, or if a node is mirrored or stretched unevenly:
// motion is carried by rotations, and those of such nodes turn a body inside out. The bones must be complete.
void check_body(const RiggedBody& body, const std::string& file);

// Sentences about limbs that have no counterpart: one of the bodies on two legs and the other on four, and limbs of the
// target besides its arms and legs that stand on the ground, which rest.
std::vector<std::string> notes_on_limbs(const RiggedBody& source, const std::string& source_file,
                                        const RiggedBody& target, const std::string& target_file);

// Throws input_error if carrying the clip over would take more frames than fit in memory.
void check_length(const Clip& clip, std::size_t bones, const std::string& file);

}  // namespace sinew
