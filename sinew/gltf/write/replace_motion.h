// Replaces the motion of joints in a clip of a document.
#pragma once

#include <span>

#include "sinew/bake/recording.h"
#include "sinew/character/character.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Returns the document whose animation `index` moves `joints` as `clip` does, linearly between its keys, and all else
// as before; -1: with a new animation of the clip's name. Nodes among them that have a matrix get translation, rotation
// and scale in its place, as glTF asks of animated nodes.
GltfDocument with_motion_of(const GltfDocument& document, int index, const Clip& clip, std::span<const int> joints);

// Gives the recorded clip, in document and character, the motion of the joints that were posed (Recording::posed); the
// rest pose becomes a clip. Call this before the recording is written, drawn or measured.
void take_over_poses(GltfDocument& document, Character& character, Recording& recording);

}  // namespace sinew
