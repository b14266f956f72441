// Posts work of verbs to the player, and reports the player's state to pages.
#pragma once

#include <functional>

#include "studio/server/application.h"

namespace sinew::studio {

// Runs `work` in the player, then answers the client. `can_wait`: see LivePlayer::post(). Throws usage_error if the
// player's queue is full.
void on_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work, bool can_wait = false);
// Like on_player(), and then reports the playback, or the grabs, to all pages.
void on_playing_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work);
void on_holding_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work,
                       bool can_wait = false);

// Report to all pages.
void note_play(Application& app, const PlayState& play);
void note_hands(Application& app, LivePlayer& player);

}  // namespace sinew::studio
