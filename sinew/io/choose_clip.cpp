#include "sinew/io/choose_clip.h"

#include <algorithm>

#include "sinew/base/error.h"

namespace sinew {

int choose_clip(const Character& character, const std::string& name) {
  if (name.empty()) return character.clips.empty() ? -1 : 0;
  if (character.clips.empty())
    throw usage_error("--clip '" + name + "': " + character.file +
                      " has no clips; leave --clip away for the rest pose.");
  const auto found =
      std::find_if(character.clips.begin(), character.clips.end(), [&](const Clip& clip) { return clip.name == name; });
  if (found == character.clips.end())
    throw usage_error("--clip '" + name + "': " + character.file + " has no such clip; it has " +
                      clip_names(character) + ".");
  return static_cast<int>(found - character.clips.begin());
}

std::string clip_names(const Character& character) {
  constexpr std::size_t most = 20;
  std::string names;
  for (std::size_t c = 0; c < std::min(most, character.clips.size()); ++c)
    names += (c ? ", " : "") + character.clips[c].name;
  if (character.clips.size() > most) names += " and " + std::to_string(character.clips.size() - most) + " more";
  return names;
}

}  // namespace sinew
