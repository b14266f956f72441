#include "sinew/jobs/motion/append_clip.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/gltf/write/replace_motion.h"
#include "sinew/gltf/write/write_container.h"

namespace sinew {

namespace {

void check_finite(const Clip& clip, const std::string& file) {
  for (const Channel& channel : clip.channels)
    for (const auto* values : {&channel.times, &channel.values})
      if (!std::all_of(values->begin(), values->end(), [](double value) { return std::isfinite(value); }))
        throw input_error(file + ": clip '" + clip.name +
                          "' would get values that are not finite; look for bones without length and for extreme "
                          "numbers in its motion and in the skeleton.");
}

}  // namespace

void append_clip(OpenedCharacter& opened, Clip clip) {
  check_finite(clip, opened.character.file);
  std::vector<int> joints;
  for (const Channel& channel : clip.channels) joints.push_back(channel.joint);
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  opened.document = with_motion_of(*opened.document, -1, clip, joints);
  opened.character.clips.push_back(std::move(clip));
}

void write_with_clip(OpenedCharacter& opened, Clip clip, const std::filesystem::path& output) {
  append_clip(opened, std::move(clip));
  GltfEdit edit(*opened.document);
  write_gltf_files(edit, output);
}

std::string unused_clip_name(const Character& character, const std::string& name) {
  std::string unused = name;
  const auto taken = [&](const Clip& clip) { return clip.name == unused; };
  for (int k = 2; std::any_of(character.clips.begin(), character.clips.end(), taken); ++k)
    unused = name + " (" + std::to_string(k) + ")";
  return unused;
}

}  // namespace sinew
