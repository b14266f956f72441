#include "studio/server/project/apply_project.h"

#include <cstdint>
#include <utility>

#include "studio/server/cook/cook_requests.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/studio_state.h"

namespace sinew::studio {
// The application's mutex is held here and in all functions below.
void commit_project(Application& app, Project next, const std::string& what, const std::string& kind,
                    const Client& client, int stroke) {
  choice_of(app, next);  // throws for invalid settings
  const Project before = app.history.now();
  app.history.act(std::move(next), what, kind, app.clock.now(),
                  stroke == 0 ? 0 : std::uint64_t{client.page} << 32 | static_cast<std::uint32_t>(stroke));
  apply_project(app, before, client);
}

// The project has changed: apply and report it.
void apply_project(Application& app, const Project& before, const Client& client) {
  const Project& now = app.history.now();
  save_project(app);
  PageJson changed{{"event", "changed"}, {"history", history_state(app.history)}};
  const bool cooks = !cook_alike(before, now);
  if (cooks) {
    changed["settings"] = settings_state(app);
    changed["painted"] = painted_state(app);
    changed["fields"] = fields_state(app);
    changed["limbs"] = limbs_state(app);
    changed["rigs"] = rigs_state(app, now);
  }
  if (before.kept_poses != now.kept_poses) changed["kept_poses"] = kept_poses_state(now);
  if (before.takes != now.takes) changed["takes"] = takes_state(now);
  if (before.pose != now.pose) {
    changed["pose"] = pose_state(now.pose);
    changed["carried"] = {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z};
    const auto lead = [pose = now.pose](LivePlayer& player) { player.pose(pose); };
    if (cooks)
      app.player.post(lead);
    else
      on_player(app, client, lead);
  }
  app.pages.send_all(changed);
  if (cooks)
    cook(app, client);
  else if (before.pose == now.pose)
    app.pages.reply(client);
}

}  // namespace sinew::studio
