// Adds clips of one glTF file to the character of another, matching nodes by name (docs/reading_characters.md).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sinew/gltf/document.h"

namespace sinew {

struct JoinedClip {
  std::string name;                    // name in the motion's file (clip_names())
  std::size_t channels = 0;            // number of channels that found their node
  std::vector<std::string> not_found;  // nodes of the motion that the character lacks or has several times; each once
  std::vector<std::string> no_shape;   // nodes whose morph targets are not those of the motion's weights
  std::vector<std::string> no_number;  // pointers that name no custom property of a node of the character
};

struct JoinedMotion {
  GltfDocument document;              // the character's, with the clips appended
  std::size_t first_clip = 0;         // number of the character's own animations
  std::vector<JoinedClip> clips;      // those that were appended
  std::vector<std::string> left_out;  // names of clips that move no node of the character
  double bone_ratio = 1;              // median bone length of the motion's skeleton, divided by the character's
  std::set<std::pair<std::size_t, std::size_t>> nodes{};  // nodes of the motion that move, each with the character's
};

// Returns the character's document with the motion's animations: all of them, or the one named `clip` (choose_clip()).
// A channel goes to the node of the same name; among several, to the one that is a joint of a skin. If no node has the
// exact name, it goes to the only one with that name without the exporter's name space ("mixamorig:Hips",
// "Armature|Hips") and regardless of case. So do custom properties of nodes, which are animated by pointers. Keys are
// copied unchanged, in the nodes' own spaces, so both skeletons must be the same.
//
// Throws usage_error if there is no such clip; input_error if the motion's file has no animation or a broken one, if no
// animation finds a node, or if the sizes of the skeletons differ more than those of one rig can.
JoinedMotion add_motion(const GltfDocument& character, const GltfDocument& motion, const std::string& clip = {});

}  // namespace sinew
