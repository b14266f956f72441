#include "studio/server/apply_project.h"

#include <utility>

#include "studio/server/cook_orders.h"
#include "studio/server/method_settings.h"
#include "studio/server/stage_orders.h"
#include "studio/server/studio_state.h"

namespace sinew {
namespace {

std::string settings_of_method(const Project& project) {
  const auto settings = project.settings.find(project.method);
  return settings == project.settings.end() ? "" : settings->second;
}

}  // namespace

// desk.mutex is held, as in all that follows here.
void decide(Desk& desk, Project next, const std::string& what, const std::string& kind, const Asker& asker) {
  choice_of(desk, next);  // throws for what makes no sense
  const Project before = desk.history.now();
  desk.history.act(std::move(next), what, kind, desk.clock.now());
  apply_project(desk, before, asker);
}

// The project is another one now: what follows from that is done, and told.
void apply_project(Desk& desk, const Project& before, const Asker& asker) {
  const Project& now = desk.history.now();
  save_project(desk);
  PageJson changed{{"event", "changed"}, {"history", history_state(desk.history)}};
  const bool other_method = before.method != now.method || before.model != now.model;
  const bool cooks = other_method || settings_of_method(before) != settings_of_method(now) || before.paint != now.paint;
  if (cooks) {
    changed["settings"] = settings_state(desk);
    changed["painted"] = painted_state(desk);
  }
  if (before.takes != now.takes) changed["takes"] = takes_state(now);
  if (before.pose != now.pose) {
    changed["pose"] = pose_state(now.pose);
    changed["carried"] = {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z};
    const auto lead = [pose = now.pose](Stage& stage) { stage.pose(pose); };
    if (cooks)
      desk.stage.post(lead);
    else
      on_stage(desk, asker, lead);
  }
  desk.pages.send_all(changed);
  if (cooks)
    cook(desk, asker);
  else if (before.pose == now.pose)
    desk.pages.reply(asker);
}

}  // namespace sinew
