#include "sinew/jobs/motion/append_clip.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/gltf/write/replace_motion.h"

namespace sinew {

void append_clip(OpenedCharacter& opened, Clip clip) {
  std::vector<int> joints;
  for (const Channel& channel : clip.channels) joints.push_back(channel.joint);
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  opened.document = with_motion_of(*opened.document, -1, clip, joints);
  opened.character.clips.push_back(std::move(clip));
}

std::string unused_clip_name(const Character& character, const std::string& name) {
  std::string unused = name;
  const auto taken = [&](const Clip& clip) { return clip.name == unused; };
  for (int k = 2; std::any_of(character.clips.begin(), character.clips.end(), taken); ++k)
    unused = name + " (" + std::to_string(k) + ")";
  return unused;
}

}  // namespace sinew
