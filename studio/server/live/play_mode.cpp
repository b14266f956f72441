#include "studio/server/live/play_mode.h"

#include <array>
#include <cstddef>

namespace sinew::studio {
namespace {

constexpr PlayMode standing = PlayMode::standing, playing = PlayMode::playing, recording = PlayMode::recording,
                   repeating = PlayMode::repeating, steering = PlayMode::steering;

constexpr std::size_t modes = 5, events = 11;

// A row per mode, a column per event, each in the order of its enumeration.
constexpr std::array<std::array<PlayMode, events>, modes> transitions{{
    // play     pause     scrub     record     stop       repeat     steer     clip_ended take_ended new_body  gave_up
    {playing, standing, standing, recording, standing, repeating, steering, standing, standing, standing, standing},
    {playing, standing, playing, recording, playing, repeating, steering, standing, playing, playing, standing},
    {playing, standing, playing, recording, playing, repeating, steering, recording, recording, playing, standing},
    {playing, standing, playing, recording, repeating, repeating, steering, repeating, playing, playing, standing},
    {playing, standing, playing, recording, steering, repeating, steering, steering, steering, playing, standing},
}};

}  // namespace

PlayMode after(PlayMode mode, PlayEvent event) {
  return transitions[static_cast<std::size_t>(mode)][static_cast<std::size_t>(event)];
}

}  // namespace sinew::studio
