// Clips of one glTF file joined to the character of another, by the names of nodes (docs/reading_characters.md).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/gltf/document.h"

namespace sinew {

struct JoinedClip {
  std::string name;                    // as the motion's file has it (clip_names)
  std::size_t channels = 0;            // that found their node
  std::vector<std::string> not_found;  // nodes of the motion that the character lacks, or has several times; each once
  std::vector<std::string>
      no_shape;  // nodes whose morph targets are others than those that the motion's weights are for
};

struct JoinedMotion {
  GltfDocument document;              // the character's, with the clips appended to its animations
  std::size_t first_clip = 0;         // number of animations that the character's file has itself
  std::vector<JoinedClip> clips;      // that were appended
  std::vector<std::string> left_out;  // clips that move none of the character's nodes
  double bone_ratio = 1;              // median length of a bone, of the motion's skeleton over the character's
};

// The character's document with the animations of the motion's document: all of them, or the one that `clip` names
// (choose_clip). A channel goes to the node of the same name: of several, to the one that is a joint of a skin. Where
// no node has just that name, to the only one that has it without the name space that an exporter put before it
// ("mixamorig:Hips", "Armature|Hips") and in any case. Keys are taken over as they are, in the nodes' own spaces: the
// two skeletons have to be the same one.
//
// Throws usage_error where there is no such clip; input_error where the motion's file has no animation or a broken one,
// where none of them finds a node, and where the skeletons are of sizes that no character of the same rig has.
JoinedMotion add_motion(const GltfDocument& character, const GltfDocument& motion, const std::string& clip = {});

}  // namespace sinew
