// How the flesh is computed, to be seen: the cells that it moves in, and another method beside it.
#include "studio/server/compare_verbs.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "studio/server/failure.h"
#include "studio/server/method_settings.h"
#include "studio/server/springs_settings.h"
#include "studio/server/stage_orders.h"
#include "studio/server/verbs.h"

namespace sinew {
namespace {

PageJson cells_state(const MovingCells& shown) {
  const BodyCells& cells = shown.cells();
  std::vector<std::uint32_t> edges;
  for (const auto& edge : cells.edges)
    for (const int point : edge) edges.push_back(static_cast<std::uint32_t>(point));
  return {{"number", shown.number()}, {"kind", cells.kind},   {"cells", cells.cells},
          {"points", cells.points},   {"outer", cells.outer}, {"edges", base64(edges)}};
}

void put_beside(Desk& desk, const Asker& asker, std::shared_ptr<const PreparedMethod> prepared, std::uint32_t character,
                const PageJson& beside) {
  on_stage(desk, asker, [&desk, prepared = std::move(prepared), character, beside](Stage& stage) {
    if (stage.cast().number != character) throw usage_error("There is another character now.");
    stage.play_beside(prepared);
    note_beside(desk, beside);
  });
}

// As the method on stage is now, or as the project has another one.
BesideOrder order_of(Desk& desk, const command::PlayBeside& asked) {
  const auto methods = live_methods(has_skin_weights(desk.cast.opened->character));
  if (std::none_of(methods.begin(), methods.end(), [&](const MethodName& known) { return known.name == asked.method; }))
    throw usage_error("'" + asked.method + "' is no method that this character can be played with.");
  Project project = desk.history.now();
  project.method = asked.method;
  if (project.method == "springs" && !project.settings.contains("springs"))
    project.settings["springs"] = springs_settings(*desk.cast.prepared->scene.surface);
  if (!asked.model.empty()) project.model = desk.folders.inside(asked.model).string();
  return {desk.cast, choice_of(desk, project), project.paint};
}

}  // namespace

void note_beside(Desk& desk, const PageJson& beside) {
  const std::lock_guard lock(desk.mutex);
  desk.beside = beside;
  desk.pages.send_all({{"event", "changed"}, {"beside", desk.beside}});
}

void handle(Desk& desk, const Asker& asker, const command::ShowCells&) {
  const bool taken = desk.stage.post(asker.page, asker.id, [&desk, asker](Stage& stage) {
    try {
      desk.pages.reply(asker, cells_state(stage.cells()));
    } catch (const std::exception&) {
      desk.pages.reply_error(asker, sentence_of(std::current_exception()));
    }
  });
  if (!taken) throw usage_error("More is waiting to be done than the machine can do; ask again in a moment.");
}

void handle(Desk& desk, const Asker& asker, const command::PlayBeside& asked) {
  std::unique_lock lock(desk.mutex);
  require_character(desk);
  const Cast cast = desk.cast;
  const PageJson beside = asked.method.empty() ? PageJson()
                                               : PageJson{{"method", asked.method}, {"model", asked.model}};
  const bool as_it_is = asked.method == desk.history.now().method && asked.model.empty();
  if (asked.method.empty() || as_it_is) {
    lock.unlock();
    desk.beside_job.cancel();
    return put_beside(desk, asker, as_it_is && !asked.method.empty() ? cast.prepared : nullptr, cast.number, beside);
  }
  BesideOrder order = order_of(desk, asked);
  lock.unlock();
  // What waits for the desk must not be waited for by who holds it.
  desk.beside_job.begin(std::move(order), [&desk, asker, beside, number = cast.number](auto prepared, auto failure) {
    try {
      if (failure) std::rethrow_exception(failure);
      put_beside(desk, asker, prepared, number, beside);
    } catch (const std::exception&) {
      desk.pages.reply_error(asker, sentence_of(std::current_exception()));
    }
  });
}

}  // namespace sinew
