// Override of the clip's pose in the player: by a user pose, or by standing still while flesh moves.
#pragma once

#include <optional>

#include "sinew/session/session.h"
#include "studio/server/live/clip_play.h"
#include "studio/server/live/hand_pose.h"
#include "studio/server/live/loaded_character.h"

namespace sinew::studio {

struct Posing {
  std::optional<PosedCharacter> character;
  bool leads = false;  // the player sets the pose instead of the session's clip
  double played = 0;   // seconds into the playback, while it does
};

inline double now_played(const Posing& posing, const Session& session) {
  return posing.leads ? posing.played : session.played();
}

// Starts to override the pose at the session's present one. Only for rigs without controls.
void take_lead(Posing& posing, const Session& session);
// True if the override can end, because the pose is the clip's again.
bool gives_lead_back(const Posing& posing);
// The world pose for the playback's next step, `seconds` long.
Pose led_pose(Posing& posing, const Playback& playback, const ClipPlay& play, const LoadedCharacter& loaded,
              double seconds);

}  // namespace sinew::studio
