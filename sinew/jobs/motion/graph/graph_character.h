// A character as motion graphs see it: what carries its body, points of its skin, and its clips as frames.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/open_character.h"
#include "sinew/kinematics/graph/framed_clip.h"
#include "sinew/kinematics/graph/motion_graph.h"
#include "sinew/kinematics/graph/point_cloud.h"

namespace sinew {

struct GraphCharacter {
  CharacterBody bones;
  GraphBody body;
  PointCloud cloud;
  PointCloud soles;             // empty without skin
  double height = 0, size = 0;  // height and longest side, metres; 0 without skin
  bool has_legs = false;        // the bones are complete and have lengths, so that feet can be held

  // Refers to the character's skeleton.
  RiggedBody rigged() const { return {body.skeleton, bones.bones, bones.reference, {0, 1, 0}, true}; }
};

// The character must outlive the result. Throws input_error if nothing of it moves.
GraphCharacter graph_character(const OpenedCharacter& opened);

// Says whether the character's skeleton is the same: names, parents and rest of all joints.
std::uint64_t skeleton_fingerprint(const Skeleton& skeleton);
// Says whether a clip is the same: all its keys.
std::uint64_t clip_fingerprint(const Clip& clip);

// Whether the clip's end leads into its beginning, as for `sinew animate`. Without skin the joints decide.
bool leads_to_its_beginning(const GraphCharacter& character, const Character& source, const Clip& clip);

// The clip at a place among the character's, behind which blends of them are counted.
const Clip& clip_at(const Character& source, const std::deque<Clip>& blends, int place);
// Frames of the graph's clips, which have these places.
std::vector<FramedClip> framed_clips(const GraphCharacter& character, const Character& source,
                                     const std::deque<Clip>& blends, const MotionGraph& graph,
                                     std::span<const int> places);

}  // namespace sinew
