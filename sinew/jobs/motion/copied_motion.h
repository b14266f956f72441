// Clips of another file of the same skeleton, copied key by key.
#pragma once

#include <string>
#include <vector>

#include "sinew/gltf/add_motion.h"

namespace sinew {

// Appends sentences about channels and clips that were left out, and about bones of another length. `file`: the
// motion's.
void note_what_was_not_found(const JoinedMotion& joined, const std::string& file, std::vector<std::string>& notes);

// Whether the joined clips are of the character's own skeleton: its bones have the same length, and it has the nodes
// that they move.
bool is_same_skeleton(const JoinedMotion& joined);

}  // namespace sinew
