#include "studio/server/live/live_clip.h"

#include "sinew/bake/clip_recorder.h"

namespace sinew::studio {

ClipEnd live_ending(const Character& character, const SimulationSurface& surface, const Clip& clip, bool travels) {
  if (clip.end <= clip.start) return {Ending::moving_on, "a pose", {}};
  return clip_end(character, surface, clip, travels);
}

Playback live_loop(const Character& character, const SimulationSurface& surface, const Clip& clip,
                   const Affine& round) {
  Playback playback = whole(clip, true);
  const auto bones_at = [&](double time) {
    return bone_transforms(character, surface, sample(character.skeleton, &clip, time));
  };
  if (clip.end > clip.start)
    playback.loop_blend = make_loop_blend(surface.bones, bones_at(clip.start), bones_at(clip.end), round,
                                          loop_blend_seconds(clip.end - clip.start));
  return playback;
}

}  // namespace sinew::studio
