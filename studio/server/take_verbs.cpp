#include "studio/server/take_verbs.h"

#include <mutex>
#include <utility>

#include "sinew/base/error.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/project/edit_takes.h"
#include "studio/server/studio_state.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
void note_recorded(Application& app, const RecordedTake& take, bool ended) {
  const std::lock_guard lock(app.mutex);
  app.recording = std::make_shared<const NamedTake>(NamedTake{app.take_name, take});
  if (ended) {
    Project next = app.history.now();
    // Redo may have brought back a take of that name meanwhile.
    if (is_take_named(next, app.take_name))
      app.recording = std::make_shared<const NamedTake>(NamedTake{free_take_name(next), take});
    next.takes.push_back(std::exchange(app.recording, nullptr));
    app.history.act(std::move(next), "take", "", app.clock.now());
    app.pages.send_all({{"event", "changed"},
                        {"takes", takes_state(app.history.now())},
                        {"take", PageJson()},
                        {"history", history_state(app.history)}});
  }
  save_project(app);
}

void handle(Application& app, const Client& client, const command::EditTake& edit) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  const Project& now = app.history.now();
  if (edit.action == "record") {
    if (app.play.mode == PlayMode::steering)
      throw usage_error("Steering is not kept in takes; end it (Esc) before you record.");
    app.take_name = edit.name.empty() ? free_take_name(now) : edit.name;
    refuse_take_named(now, app.take_name);
    return on_playing_player(app, client, [&app](LivePlayer& player) {
      player.record();
      note_hands(app, player);
    });
  }
  if (edit.action == "stop") return on_playing_player(app, client, [](LivePlayer& player) { player.stop(); });
  if (edit.action == "play")
    return on_playing_player(app, client, [&app, take = take_named(now, edit.name)](LivePlayer& player) {
      player.repeat(take.take);
      const std::lock_guard inner(app.mutex);
      app.take_name = take.name;
    });
  commit_project(app, with_edited_take(now, edit), "take", "", client);
}

}  // namespace sinew::studio
