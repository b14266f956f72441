#include "studio/server/live/player_tasks.h"

#include <utility>

#include "sinew/base/error.h"
#include "studio/server/curves/curve_verbs.h"
#include "studio/server/studio_state.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {

void on_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work, bool can_wait) {
  const bool taken = app.player.post(
      client.page, client.id,
      [&app, client, work = std::move(work)](LivePlayer& player) {
        try {
          work(player);
          app.pages.reply(client);
        } catch (const std::exception&) {
          app.pages.reply_error(client, sentence_of(std::current_exception()));
        }
      },
      can_wait);
  if (!taken) throw usage_error("The studio is busy with earlier requests; try again in a moment.");
}

// Changes of playback are reported to all pages.
void on_playing_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work) {
  on_player(app, client, [&app, work = std::move(work)](LivePlayer& player) {
    work(player);
    note_play(app, player.state());
  });
}
void on_holding_player(Application& app, const Client& client, std::function<void(LivePlayer&)> work, bool can_wait) {
  on_player(
      app, client,
      [&app, work = std::move(work)](LivePlayer& player) {
        work(player);
        note_hands(app, player);
      },
      can_wait);
}

void note_play(Application& app, const PlayState& play) {
  const std::lock_guard lock(app.mutex);
  app.play = play;
  app.pages.send_all({{"event", "changed"}, {"play", play_state(play)}, {"take", take_state(app)}});
  follow_curves(app);
}
void note_hands(Application& app, LivePlayer& player) {
  const std::lock_guard lock(app.mutex);
  app.acting = acting_state(player.hands());
  PageJson changed{{"event", "changed"}};
  changed.update(app.acting);
  app.pages.send_all(changed);
}

}  // namespace sinew::studio
