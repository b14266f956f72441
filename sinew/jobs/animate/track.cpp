#include "sinew/jobs/animate/track.h"

#include <memory>

#include "sinew/bake/output/point_cache.h"
#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

Track read_track(const std::filesystem::path& path, const TrackOptions& options) {
  if (is_point_cache(path)) return read_point_cache(path, options.frames_per_second);
  const auto character =
      std::make_shared<Character>(open_any_character(path, {options.height, options.unit}).character);
  const int clip = choose_clip(*character, options.clip);
  Track track = character_track(*character, clip < 0 ? nullptr : &character->clips[static_cast<std::size_t>(clip)]);
  if (track.points == 0)
    throw input_error(path.string() + ": has no skinned triangles, so there is no flesh to compare.");
  // The track refers to the character and keeps it alive.
  track.positions_at = [character, inner = track.positions_at](double seconds) { return inner(seconds); };
  return track;
}

}  // namespace sinew
