#include "studio/server/live_clip.h"

#include "sinew/bake/clip_recorder.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {

ClipEnd live_ending(const Character& character, const SimulationSurface& surface, const Clip& clip, bool travels) {
  if (clip.end <= clip.start) return {Ending::moving_on, "a pose", {}};
  std::vector<std::vector<Vec3>> looks(static_cast<std::size_t>(looks_at_clip(clip.end - clip.start)));
  const double between = (clip.end - clip.start) / static_cast<double>(looks.size() - 1);
  SamplingSpace space;
  Pose pose;
  std::vector<Affine> bones(surface.bones.size());
  for (std::size_t k = 0; k < looks.size(); ++k) {
    sample(character.skeleton, &clip, clip.start + static_cast<double>(k) * between, space, pose);
    bone_transforms(character, surface.bones, pose, bones);
    looks[k].resize(surface.rest.positions.size());
    linear_blend(surface.rest.positions, surface.influences, bones, looks[k]);
  }
  return clip_end(looks, between, travels);
}

Playback live_loop(const Character& character, const SimulationSurface& surface, const Clip& clip,
                   const Affine& round) {
  Playback playback = whole(clip, true);
  const auto bones_at = [&](double time) {
    return bone_transforms(character, surface, sample(character.skeleton, &clip, time));
  };
  if (clip.end > clip.start)
    playback.seam =
        seam(surface.bones, bones_at(clip.start), bones_at(clip.end), round, led_to_seam(clip.end - clip.start));
  return playback;
}

}  // namespace sinew
