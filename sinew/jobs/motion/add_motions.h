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

  bool operator==(const MotionRequest&) const = default;
};

// Reads a value of --motion: FILE, or FILE@CLIP for one clip of it. The file ends before the first @ that a motion's
// ending or the name of a file precedes.
MotionRequest motion_request(const std::string& text);

std::vector<MotionRequest> motion_requests(std::span<const std::string> texts);

bool is_built_in(const MotionRequest& request);

// The value of --motion that reads as this request.
std::string motion_text(const MotionRequest& request);

// Throws usage_error for a built-in motion that does not exist, input_error for a file that is no motion.
void check_motion_name(const MotionRequest& request);

// Appends the clips that `motions` name, values of --motion in their order. Clips of another skeleton become animations
// of the character's joints, in document and character. Throws as check_motion_name() does, and input_error for files
// that cannot be used and for skeletons whose bones are not found; then some motions may have been added.
// `map`: file of --motion-map; empty: none.
void add_motions(std::span<const MotionRequest> motions, const std::filesystem::path& map, OpenedCharacter& opened);

// Motions, and the clip that is left to be chosen once they are clips of the character.
struct MotionChoice {
  std::vector<MotionRequest> motions;
  std::string clip;  // name or number (choose_clip_with_motions()), or "all"; empty: the first of each motion
};

// Finds what values of --motion and of --clip choose. For a single motion that leaves its clip open, `clip` is in its
// place, unless only the character has a clip of exactly this name.
MotionChoice motion_choice(std::span<const std::string> motions, const std::string& clip, const Character& character);

// Index of a clip by name or number (character/choose_clip.h) among the clips of motions; the character's own ones are
// found by their exact names. Throws usage_error.
int choose_clip_with_motions(const OpenedCharacter& opened, const std::string& clip);

// The notes about all motions, in their order.
std::vector<std::string> notes_on_motions(const OpenedCharacter& opened);

// Says how well a clip came over: how often its feet stand and how far they slide, and how even its first step is.
std::string describe_motion(const MotionReport& report);

}  // namespace sinew
