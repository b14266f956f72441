// What verbs ask of the stage, and what the stage tells of itself.
#pragma once

#include <functional>

#include "studio/server/desk.h"

namespace sinew {

// Done on stage, then answered. Throws usage_error where the stage has too much to do.
void on_stage(Desk& desk, const Asker& asker, std::function<void(Stage&)> work);
// The same for what changes how it plays, or who holds it: that is told to all pages.
void on_stage_playing(Desk& desk, const Asker& asker, std::function<void(Stage&)> work);
void on_stage_holding(Desk& desk, const Asker& asker, std::function<void(Stage&)> work);

// Told to all pages.
void note_play(Desk& desk, const PlayState& play);
void note_hands(Desk& desk, Stage& stage);

}  // namespace sinew
