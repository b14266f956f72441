#include "studio/server/live/clip_play.h"

#include <cstddef>

#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"
#include "sinew/deform/rig_controls.h"
#include "studio/server/live/live_clip.h"

namespace sinew::studio {
namespace {

// Share of the height: a cycle that travels less ends where it began.
constexpr double no_travel = 1e-3;

const ClipEnd& ending_of(ClipPlay& play, const LoadedCharacter& loaded, const Clip& clip) {
  const auto found = play.endings.find(&clip);
  if (found != play.endings.end()) return found->second;
  const Scene& scene = *loaded.scene;
  return play.endings[&clip] = live_ending(loaded.opened->character, *scene.surface, clip, scene.may_travel());
}

}  // namespace

const Clip* clip_of(const ClipPlay& play, const LoadedCharacter& loaded) {
  if (play.clip.empty()) return nullptr;
  const Character& character = loaded.opened->character;
  return &character.clips[static_cast<std::size_t>(choose_clip(character, play.clip))];
}

const RigAnimation* controls_of(const ClipPlay& play, const LoadedCharacter& loaded) {
  const Clip* played = clip_of(play, loaded);
  if (!played || !loaded.scene->controls) return nullptr;
  return loaded.scene->controls->animation(choose_clip(loaded.opened->character, play.clip));
}

Playback playback_of(ClipPlay& play, const LoadedCharacter& loaded, bool loop) {
  play.cut = false;
  play.cycle = play.to_world = {};
  play.cycles = 0;
  const Clip* played = clip_of(play, loaded);
  if (!played) return {};
  const Character& character = loaded.opened->character;
  const Scene& scene = *loaded.scene;
  refuse_outlier_clip(character, played);
  Playback playback = whole(*played, false);
  playback.controls = controls_of(play, loaded);
  if (!loop) return playback;
  const ClipEnd& end = ending_of(play, loaded, *played);
  play.cut = end.ending == Ending::elsewhere;
  if (play.cut) return playback;
  if (scene.follows_controls()) {  // the bones are the pose of the controls and cannot be blended
    playback.range.loop = true;
    return playback;
  }
  play.cycle = end.travel;
  if (norm(play.cycle.translation) < no_travel * scene.height) play.cycle = {};
  return live_loop(character, *scene.surface, *played, play.cycle);
}

bool follow_cycles(ClipPlay& play, const Playback& playback, double played) {
  const int cycles = playback.range.cycles(played);
  if (cycles == play.cycles || playback.loop_blend.bones.empty()) return false;
  play.cycles = cycles;
  Affine carried;
  for (int k = 0; k < cycles; ++k) carried = play.cycle * carried;
  play.to_world = carried;
  return true;
}

}  // namespace sinew::studio
