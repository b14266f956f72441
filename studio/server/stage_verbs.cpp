// What is played, touched and looked at: for the stage alone, and no part of the project.
#include "studio/server/verbs.h"

#include <mutex>

#include "studio/server/stage_orders.h"

namespace sinew {

void handle(Desk& desk, const Asker& asker, const command::Play& play) {
  on_stage_playing(desk, asker, [play](Stage& stage) { stage.play(play); });
}
void handle(Desk& desk, const Asker& asker, const command::Pause&) {
  on_stage_playing(desk, asker, [](Stage& stage) { stage.pause(); });
}
void handle(Desk& desk, const Asker& asker, const command::Scrub& scrub) {
  on_stage_playing(desk, asker, [scrub](Stage& stage) { stage.scrub(scrub.time); });
}
void handle(Desk& desk, const Asker& asker, const command::Speed& speed) {
  on_stage_playing(desk, asker, [speed](Stage& stage) { stage.speed(speed.value); });
}
void handle(Desk& desk, const Asker& asker, const command::Grab& grab) {
  on_stage_holding(desk, asker, [grab, page = asker.page](Stage& stage) { stage.grab(grab, page); });
}
void handle(Desk& desk, const Asker& asker, const command::Drag& drag) {
  on_stage(desk, asker, [drag](Stage& stage) { stage.drag(drag); });
}
void handle(Desk& desk, const Asker& asker, const command::Release& release) {
  on_stage_holding(desk, asker, [release](Stage& stage) { stage.release(release.name); });
}
void handle(Desk& desk, const Asker& asker, const command::Poke& poke) {
  on_stage(desk, asker, [poke](Stage& stage) { stage.poke(poke); });
}
void handle(Desk& desk, const Asker& asker, const command::Gravity& gravity) {
  on_stage(desk, asker, [&desk, gravity](Stage& stage) {
    stage.gravity(gravity.value);
    const std::lock_guard lock(desk.mutex);
    desk.gravity = {gravity.value.x, gravity.value.y, gravity.value.z};
    desk.pages.send_all({{"event", "changed"}, {"gravity", desk.gravity}});
  });
}
void handle(Desk& desk, const Asker& asker, const command::Show& show) {
  on_stage(desk, asker, [show](Stage& stage) { stage.show(show); });
}

}  // namespace sinew
