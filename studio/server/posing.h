// The pose while the stage leads it in place of the session's clip: posed by hand, or standing while flesh moves.
#pragma once

#include <optional>

#include "sinew/session/session.h"
#include "studio/server/cast.h"
#include "studio/server/clip_play.h"
#include "studio/server/hand_pose.h"

namespace sinew {

struct Posing {
  std::optional<PosedCharacter> character;
  bool leads = false;  // the stage, not the session's clip
  double played = 0;   // seconds into what is played, meanwhile
};

inline double now_played(const Posing& posing, const Session& session) {
  return posing.leads ? posing.played : session.played();
}

// From now on the stage leads, where the session is. Of rigs without controls.
void take_lead(Posing& posing, const Session& session);
// The clip leads again, where the hand's pose has given everything back.
void give_lead_back(Posing& posing, Session& session, double played);
// The session's pose for its next step, `seconds` long.
void lead_pose(Posing& posing, Session& session, const ClipPlay& play, const Cast& cast, double seconds);

}  // namespace sinew
