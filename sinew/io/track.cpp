#include "sinew/io/track.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/character/size.h"
#include "sinew/io/point_cache.h"
#include "sinew/io/read_character.h"

namespace sinew {
namespace {

const Clip* find_clip(const Character& character, const std::string& name) {
  if (name.empty()) return character.clips.empty() ? nullptr : &character.clips.front();
  const auto found =
      std::find_if(character.clips.begin(), character.clips.end(), [&](const Clip& clip) { return clip.name == name; });
  if (found != character.clips.end()) return &*found;
  std::string known;
  for (const Clip& clip : character.clips) known += (known.empty() ? "" : ", ") + clip.name;
  throw input_error(character.file + ": has no clip '" + name + "'; it has " + (known.empty() ? "none" : known) + ".");
}

}  // namespace

Track read_track(const std::filesystem::path& path, const TrackOptions& options) {
  if (is_point_cache(path)) return read_point_cache(path, options.frames_per_second);
  const auto character = std::make_shared<Character>(read_character(path));
  character->metres_per_unit = decide_size(*character, options.height, options.unit).metres_per_unit;
  Track track = character_track(*character, find_clip(*character, options.clip));
  if (track.points == 0)
    throw input_error(path.string() + ": has no skinned triangles, so there is no flesh to compare.");
  // The track refers to the character: keep it as long.
  track.positions_at = [character, inner = track.positions_at](double seconds) { return inner(seconds); };
  return track;
}

}  // namespace sinew
