#include "studio/server/project/apply_project.h"

#include <cstdint>
#include <utility>

#include "sinew/base/error.h"
#include "studio/server/cook/cook_requests.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/motion/project_motions.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/studio_state.h"

namespace sinew::studio {
namespace {

// The application's mutex is held here and in all functions below. Takes a step of the history, applies the difference
// that it makes, and reports it.
void take_step(Application& app, Step step, const Client& client) {
  const Project before = app.history.now();
  const bool cooks = app.uncooked.take(app.history, std::move(step), app.requests + 1);
  const Project& now = app.history.now();
  save_project(app);
  PageJson changed{{"event", "changed"}, {"history", history_state(app.history)}};
  if (cooks) {
    changed["settings"] = settings_state(app);
    changed["painted"] = painted_state(app);
    changed["fields"] = fields_state(app);
    changed["limbs"] = limbs_state(app);
    changed["rigs"] = rigs_state(app, now);
  }
  if (before.kept_poses != now.kept_poses) changed["kept_poses"] = kept_poses_state(now);
  if (before.motion_map != now.motion_map) changed["motion_map"] = now.motion_map;
  if (before.takes != now.takes) changed["takes"] = takes_state(now);
  if (before.pose != now.pose) {
    changed["pose"] = pose_state(now.pose);
    changed["carried"] = {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z};
    const auto lead = [pose = now.pose](LivePlayer& player) { player.pose(pose); };
    if (cooks)
      app.player.post(0, 0, lead, true);
    else
      on_player(app, client, lead, true);
  }
  app.pages.send_all(changed);
  if (cooks)
    cook(app, client);
  else if (before.pose == now.pose)
    app.pages.reply(client);
}

// `title` names the step to the user.
void check_step(const Application& app, const Project& next, const std::string& title) try {
  cook_request(app, next);
} catch (const Error& error) {
  throw Error(error.kind(), "This cannot be " + title + ": " + error.what());
}

// Takes an undo or a redo, which leads to `next`. Motions that cannot be found any more are left out of it with a
// sentence, as where a project is opened.
void step_to(Application& app, StepKind kind, Project next, const std::string& title, const Client& client) {
  LostMotions lost = lost_motions(next, app.character_path, app.folders, app.loaded.asked);
  leave_out_motions(lost.texts, next);
  check_step(app, next, title);
  for (const std::string& note : lost.notes) tell_failure(app, "motion", note);
  take_step(app, {.kind = kind, .lost = std::move(lost.texts)}, client);
}

}  // namespace

void commit_project(Application& app, Project next, const std::string& what, const std::string& kind,
                    const Client& client, int stroke) {
  cook_request(app, next);  // throws for invalid settings
  Step step{StepKind::act, std::move(next), what, kind, app.clock.now()};
  if (stroke != 0) step.stroke = std::uint64_t{client.page} << 32 | static_cast<std::uint32_t>(stroke);
  take_step(app, std::move(step), client);
}

void undo_act(Application& app, const Client& client) {
  if (!app.history.can_undo()) throw usage_error("There is nothing more to undo.");
  step_to(app, StepKind::undo, app.history.undone(), "undone", client);
}

void redo_act(Application& app, const Client& client) {
  if (!app.history.can_redo()) throw usage_error("There is nothing to do again.");
  step_to(app, StepKind::redo, app.history.redone(), "redone", client);
}

}  // namespace sinew::studio
