// Verbs that show how the flesh is computed: the body's cells, and a second method for comparison.
#include "studio/server/compare_verbs.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/methods.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

PageJson cells_state(const MovingCells& shown) {
  const BodyCells& cells = shown.cells();
  std::vector<std::uint32_t> edges;
  for (const auto& edge : cells.edges)
    for (const int point : edge) edges.push_back(static_cast<std::uint32_t>(point));
  return {{"number", shown.number()}, {"kind", cells.kind},   {"cells", cells.cells},
          {"points", cells.points},   {"outer", cells.outer}, {"edges", base64(edges)}};
}

void put_comparison(Application& app, const Client& client, std::shared_ptr<const Scene> scene, std::uint32_t character,
                    const PageJson& comparison) {
  on_player(app, client, [&app, scene = std::move(scene), character, comparison](LivePlayer& player) {
    if (player.loaded().number != character) throw usage_error("There is another character now.");
    player.play_comparison(scene);
    note_comparison(app, comparison);
  });
}

// Settings of the method in the player, or those that the project has for another one.
ComparisonRequest request_of(Application& app, const command::PlayComparison& asked) {
  require_live(asked.method, has_skin_weights(app.loaded.opened->character));
  if (method_named(asked.method)->traits().gives_curves)
    throw usage_error("The method " + asked.method +
                      " moves the rig's own controls and cannot be compared live; choose another method.");
  Project project = app.history.now();
  project.method = asked.method;
  give_first_settings(app, asked.model, project);
  return {app.loaded, choice_of(app, project), project.paint};
}

}  // namespace

void note_comparison(Application& app, const PageJson& comparison) {
  const std::lock_guard lock(app.mutex);
  app.comparison = comparison;
  app.pages.send_all({{"event", "changed"}, {"beside", app.comparison}});
}

void handle(Application& app, const Client& client, const command::ShowCells&) {
  const bool taken = app.player.post(client.page, client.id, [&app, client](LivePlayer& player) {
    try {
      app.pages.reply(client, cells_state(player.cells()));
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
  if (!taken) throw usage_error("The studio is busy with earlier requests; try again in a moment.");
}

void handle(Application& app, const Client& client, const command::PlayComparison& asked) {
  std::unique_lock lock(app.mutex);
  require_character(app);
  const LoadedCharacter loaded = app.loaded;
  const PageJson comparison =
      asked.method.empty() ? PageJson() : PageJson{{"method", asked.method}, {"model", asked.model}};
  const bool as_it_is = asked.method == app.history.now().method && asked.model.empty();
  if (asked.method.empty() || as_it_is) {
    lock.unlock();
    app.comparison_job.cancel();
    return put_comparison(app, client, as_it_is && !asked.method.empty() ? loaded.scene : nullptr, loaded.number,
                          comparison);
  }
  ComparisonRequest request = request_of(app, asked);
  lock.unlock();
  // Whoever holds the application's mutex must not wait for a job that needs it.
  app.comparison_job.begin(std::move(request),
                           [&app, client, comparison, number = loaded.number](auto scene, auto failure) {
                             try {
                               if (failure) std::rethrow_exception(failure);
                               put_comparison(app, client, scene, number, comparison);
                             } catch (const std::exception&) {
                               app.pages.reply_error(client, sentence_of(std::current_exception()));
                             }
                           });
}

}  // namespace sinew::studio
