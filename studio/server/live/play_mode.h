// The modes in which the player plays its clip, and the events that lead from one mode to another.
#pragma once

namespace sinew::studio {

enum class PlayMode {
  standing,   // the clip's time stands; flesh may still move
  playing,    // the clip's time goes on
  recording,  // plays once, and keeps what acts on the flesh as a take
  repeating,  // plays once, with the actions of a take
  steering    // keys lead through the motion graph of the clips
};

enum class PlayEvent {
  play,
  pause,
  scrub,           // to another time of the clip
  record,          // a new take
  stop_recording,  // without effect in other modes
  repeat,          // a take
  steer,
  clip_ended,  // of a clip that is played once
  take_ended,
  new_body,  // that could not go on where the one before it was
  gave_up    // after failures
};

PlayMode after(PlayMode mode, PlayEvent event);

// Whether the clip's time goes on.
inline bool advances(PlayMode mode) { return mode != PlayMode::standing; }

// Whether clips may be played in a loop: takes have one beginning and one end.
inline bool may_loop(PlayMode mode) { return mode == PlayMode::standing || mode == PlayMode::playing; }

}  // namespace sinew::studio
