#include "studio/server/take_verbs.h"

#include <mutex>
#include <utility>

#include "studio/server/apply_project.h"
#include "studio/server/edit_takes.h"
#include "studio/server/stage_orders.h"
#include "studio/server/studio_state.h"
#include "studio/server/verbs.h"

namespace sinew {
namespace {

void note_take(Desk& desk, const std::string& doing) {
  const std::lock_guard lock(desk.mutex);
  desk.take_doing = doing;
  desk.pages.send_all({{"event", "changed"}, {"take", take_state(desk)}});
}

}  // namespace

void note_recorded(Desk& desk, const RecordedTake& take, bool ended) {
  const std::lock_guard lock(desk.mutex);
  desk.recording = std::make_shared<const NamedTake>(NamedTake{desk.take_name, take});
  if (ended) {
    Project next = desk.history.now();
    next.takes.push_back(std::exchange(desk.recording, nullptr));
    desk.history.act(std::move(next), "take", "", desk.clock.now());
    desk.take_doing.clear();
    desk.pages.send_all({{"event", "changed"},
                         {"takes", takes_state(desk.history.now())},
                         {"take", PageJson()},
                         {"history", history_state(desk.history)}});
  }
  save_project(desk);
}

void handle(Desk& desk, const Asker& asker, const command::EditTake& edit) {
  const std::lock_guard lock(desk.mutex);
  require_character(desk);
  const Project& now = desk.history.now();
  if (edit.action == "record") {
    desk.take_name = edit.name.empty() ? free_take_name(now) : edit.name;
    refuse_take_named(now, desk.take_name);
    return on_stage_playing(desk, asker, [&desk](Stage& stage) {
      stage.record();
      note_take(desk, "recording");
      note_hands(desk, stage);
    });
  }
  if (edit.action == "stop")
    return on_stage_playing(desk, asker, [&desk](Stage& stage) {
      if (stage.recording())
        stage.stop_recording();
      else
        stage.pause();
      note_take(desk, "");
    });
  if (edit.action == "play")
    return on_stage_playing(desk, asker, [&desk, take = take_named(now, edit.name)](Stage& stage) {
      stage.repeat(take.take);
      {
        const std::lock_guard inner(desk.mutex);
        desk.take_name = take.name;
      }
      note_take(desk, "playing");
    });
  decide(desk, with_edited_take(now, edit), "take", "", asker);
}

}  // namespace sinew
