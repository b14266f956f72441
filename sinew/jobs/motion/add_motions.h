// Gives a character clips of other files: copied where the skeleton is the same, carried over to it where it is another
// (docs/motion.md).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/jobs/open_character.h"

namespace sinew {

// Motion that a user asks for.
struct MotionRequest {
  std::filesystem::path file;  // .bvh, .glb, .gltf, .vrm or .vrma; or test:NAME, a built-in motion
  std::string clip;            // name or number in that file; empty: all of them
};

// Reads a value of --motion: FILE, or FILE@CLIP for one clip of it. The file ends before the first @ that a motion's
// ending or the name of a file precedes.
MotionRequest motion_request(const std::string& text);

// Opens a character and appends the clips that `motions` name, values of --motion in their order. Clips of another
// skeleton become animations of the character's joints, in document and character. Throws usage_error for motion that
// does not exist, input_error for files that cannot be used and for skeletons whose bones are not found.
// `map`: file of --motion-map; empty: none.
OpenedCharacter open_with_motions(const std::filesystem::path& file, const SizeRequest& size,
                                  std::span<const MotionRequest> motions, const std::filesystem::path& map = {});

}  // namespace sinew
