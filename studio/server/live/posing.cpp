#include "studio/server/live/posing.h"

namespace sinew::studio {

void override_pose(Posing& posing, const Session& session) {
  if (posing.overrides || session.scene().follows_controls()) return;
  posing.played = session.played();
  posing.overrides = true;
}

bool override_is_over(const Posing& posing) { return posing.overrides && posing.character->follows_clip(); }

Pose overriding_pose(Posing& posing, const Playback& playback, const ClipPlay& play, const LoadedCharacter& loaded,
                     double seconds) {
  if (play.playing) posing.played += seconds;
  const double time = playback.range.clip_time(posing.played);
  Pose pose = posing.character->at(clip_of(play, loaded), time, seconds);
  if (play.cycles > 0) {
    const Affine carried{play.to_world.linear, play.to_world.translation / loaded.opened->character.metres_per_unit};
    for (Affine& joint : pose.world) joint = carried * joint;
  }
  return pose;
}

}  // namespace sinew::studio
