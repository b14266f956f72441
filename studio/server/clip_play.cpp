#include "studio/server/clip_play.h"

#include <cstddef>

#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"
#include "studio/server/live_clip.h"

namespace sinew {
namespace {

// Carried by so little of the height, a round ends where it began.
constexpr double no_travel = 1e-3;

const ClipEnd& ending_of(ClipPlay& play, const Cast& cast, const Clip& clip) {
  const auto found = play.endings.find(&clip);
  if (found != play.endings.end()) return found->second;
  const Scene& scene = cast.prepared->scene;
  ActingSettings but_ground = scene.acting;
  but_ground.ground.reset();
  return play.endings[&clip] = live_ending(cast.opened->character, *scene.surface, clip, but_ground.empty());
}

}  // namespace

const Clip* clip_of(const ClipPlay& play, const Cast& cast) {
  if (play.clip.empty()) return nullptr;
  const Character& character = cast.opened->character;
  return &character.clips[static_cast<std::size_t>(choose_clip(character, play.clip))];
}

Playback playback_of(ClipPlay& play, const Cast& cast, bool loop) {
  play.cut = false;
  play.round = play.to_world = {};
  play.rounds = 0;
  const Clip* played = clip_of(play, cast);
  if (!played) return {};
  const Character& character = cast.opened->character;
  const Scene& scene = cast.prepared->scene;
  refuse_stray_clip(character, played);
  Playback playback = whole(*played, false);
  if (!scene.rest_controls.empty()) {
    if (cast.prepared->controls) playback.controls = cast.prepared->controls(choose_clip(character, play.clip));
    playback.range.loop = loop;
    return playback;
  }
  if (!loop) return playback;
  const ClipEnd& end = ending_of(play, cast, *played);
  play.cut = end.ending == Ending::elsewhere;
  if (play.cut) return playback;
  play.round = end.travel;
  if (norm(play.round.translation) < no_travel * scene.height) play.round = {};
  return live_loop(character, *scene.surface, *played, play.round);
}

bool follow_rounds(ClipPlay& play, const Playback& playback, double played) {
  const int rounds = playback.range.rounds(played);
  if (rounds == play.rounds || playback.seam.bones.empty()) return false;
  play.rounds = rounds;
  Affine carried;
  for (int k = 0; k < rounds; ++k) carried = play.round * carried;
  play.to_world = carried;
  return true;
}

}  // namespace sinew
