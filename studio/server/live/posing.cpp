#include "studio/server/live/posing.h"

namespace sinew::studio {

void take_lead(Posing& posing, const Session& session) {
  if (posing.leads || session.scene().follows_controls()) return;
  posing.played = session.played();
  posing.leads = true;
}

bool gives_lead_back(const Posing& posing) { return posing.leads && posing.character->follows_clip(); }

Pose led_pose(Posing& posing, const Playback& playback, const ClipPlay& play, const LoadedCharacter& loaded,
              double seconds) {
  if (play.playing) posing.played += seconds;
  const double time = playback.range.clip_time(posing.played);
  Pose pose = posing.character->at(clip_of(play, loaded), time, seconds);
  if (play.rounds > 0) {
    const Affine carried{play.to_world.linear, play.to_world.translation / loaded.opened->character.metres_per_unit};
    for (Affine& joint : pose.world) joint = carried * joint;
  }
  return pose;
}

}  // namespace sinew::studio
