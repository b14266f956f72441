// What verbs ask of the player, and what the player tells of itself.
#pragma once

#include <functional>

#include "studio/server/application.h"

namespace sinew::studio {

// Done in the player, then answered. Throws usage_error where the player has too much to do.
void on_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work);
// The same for what changes how it plays, or who holds it: that is told to all pages.
void on_playing_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work);
void on_holding_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work);

// Told to all pages.
void note_play(Application& app, const PlayState& play);
void note_hands(Application& app, LivePlayer& player);

}  // namespace sinew::studio
