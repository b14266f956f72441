// The pose while the player leads it in place of the session's clip: posed by hand, or standing while flesh moves.
#pragma once

#include <optional>

#include "sinew/session/session.h"
#include "studio/server/live/clip_play.h"
#include "studio/server/live/hand_pose.h"
#include "studio/server/live/loaded_character.h"

namespace sinew::studio {

struct Posing {
  std::optional<PosedCharacter> character;
  bool leads = false;  // the player, not the session's clip
  double played = 0;   // seconds into what is played, meanwhile
};

inline double now_played(const Posing& posing, const Session& session) {
  return posing.leads ? posing.played : session.played();
}

// From now on the player leads, where the session is. Of rigs without controls.
void take_lead(Posing& posing, const Session& session);
// Whether the clip may lead again: the hand's pose has given everything back.
bool gives_lead_back(const Posing& posing);
// In world space, for the playback's next step, `seconds` long.
Pose led_pose(Posing& posing, const Playback& playback, const ClipPlay& play, const LoadedCharacter& loaded,
              double seconds);

}  // namespace sinew::studio
