#include "studio/server/stage_orders.h"

#include <utility>

#include "sinew/base/error.h"
#include "studio/server/failure.h"
#include "studio/server/studio_state.h"

namespace sinew {

void on_stage(Desk& desk, const Asker& asker, std::function<void(Stage&)> work) {
  const bool taken = desk.stage.post(asker.page, asker.id, [&desk, asker, work = std::move(work)](Stage& stage) {
    try {
      work(stage);
      desk.pages.reply(asker);
    } catch (const std::exception&) {
      desk.pages.reply_error(asker, sentence_of(std::current_exception()));
    }
  });
  if (!taken) throw usage_error("More is waiting to be done than the machine can do; ask again in a moment.");
}

// What changes how it plays is told to all pages.
void on_stage_playing(Desk& desk, const Asker& asker, std::function<void(Stage&)> work) {
  on_stage(desk, asker, [&desk, work = std::move(work)](Stage& stage) {
    work(stage);
    note_play(desk, stage.state());
  });
}
void on_stage_holding(Desk& desk, const Asker& asker, std::function<void(Stage&)> work) {
  on_stage(desk, asker, [&desk, work = std::move(work)](Stage& stage) {
    work(stage);
    note_hands(desk, stage);
  });
}

void note_play(Desk& desk, const PlayState& play) {
  const std::lock_guard lock(desk.mutex);
  desk.play = play;
  if (desk.take_doing == "playing" && !play.playing) desk.take_doing.clear();
  desk.pages.send_all({{"event", "changed"}, {"play", play_state(play)}});
}
void note_hands(Desk& desk, Stage& stage) {
  const std::lock_guard lock(desk.mutex);
  desk.hands = hands_state(stage.hands());
  desk.pages.send_all({{"event", "changed"}, {"hands", desk.hands}});
}

}  // namespace sinew
