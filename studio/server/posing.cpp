#include "studio/server/posing.h"

namespace sinew {

void take_lead(Posing& posing, const Session& session) {
  if (posing.leads || !session.scene().rest_controls.empty()) return;
  posing.played = session.played();
  posing.leads = true;
}

void give_lead_back(Posing& posing, Session& session, double played) {
  if (!posing.leads || !posing.character->follows_clip()) return;
  session.unpose(played);
  posing.leads = false;
}

void lead_pose(Posing& posing, Session& session, const ClipPlay& play, const Cast& cast, double seconds) {
  if (play.playing) posing.played += seconds;
  const double time = session.playback().range.clip_time(posing.played);
  Pose pose = posing.character->at(clip_of(play, cast), time, seconds);
  if (play.rounds > 0) {
    const Affine carried{play.to_world.linear, play.to_world.translation / cast.opened->character.metres_per_unit};
    for (Affine& joint : pose.world) joint = carried * joint;
  }
  session.pose(pose);
  if (play.playing) give_lead_back(posing, session, posing.played - seconds);
}

}  // namespace sinew
