// Clips of another file of the same skeleton, copied key by key.
#pragma once

#include <string>
#include <vector>

#include "sinew/gltf/add_motion.h"
#include "sinew/jobs/motion/character_body.h"

namespace sinew {

// Appends sentences about channels and clips that were left out, and about bones of another length. `file`: the
// motion's.
void note_what_was_not_found(const JoinedMotion& joined, const std::string& file, std::vector<std::string>& notes);

// Whether the joined clips are of a skeleton like the character's: its bones have the same length, and it has the nodes
// that they move.
bool is_alike(const JoinedMotion& joined);

// A skeleton with its body.
struct SkeletonAndBody {
  const Skeleton& skeleton;
  const CharacterBody& body;
};

// Whether the joints of the character's body that the joined clips move have the same offsets in the axes of their
// parents as in the motion's file, and the same axes in the bind poses if both files have one: only then do keys mean
// the same.
bool has_same_axes(const JoinedMotion& joined, const SkeletonAndBody& character, const SkeletonAndBody& motion);

}  // namespace sinew
