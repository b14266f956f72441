// The verb that steers a character by keys.
#include <exception>
#include <memory>
#include <mutex>

#include "sinew/base/error.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {

void handle(Application& app, const Client& client, const command::Steer& steer) {
  if (steer.action == "go")
    return on_player(
        app, client, [steer, page = client.page](LivePlayer& player) { player.lead(steer, page); }, true);
  if (steer.action == "end") return on_playing_player(app, client, [](LivePlayer& player) { player.end_steering(); });
  std::shared_ptr<const OpenedCharacter> opened;
  {
    const std::lock_guard lock(app.mutex);
    require_character(app);
    if (app.play.mode == PlayMode::recording) throw usage_error("Stop recording before you steer.");
    opened = app.loaded.opened;
    if (opened->character.clips.empty() || !opened->document)
      throw usage_error("The character has no clip to be steered through; give it motion first.");
  }
  app.steer_job.begin(
      std::move(opened), [&app, client](std::shared_ptr<const LiveGraph> graph, std::exception_ptr failure) {
        try {
          if (failure) std::rethrow_exception(failure);
          on_playing_player(app, client, [graph = std::move(graph)](LivePlayer& player) { player.steer(graph); });
        } catch (const std::exception&) {
          app.pages.reply_error(client, sentence_of(std::current_exception()));
        }
      });
}

}  // namespace sinew::studio
