// Muscles inside the flesh: the settings `muscles` and `activation`.
#include <mutex>
#include <string>
#include <utility>

#include "studio/server/instrument/project_muscles.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
namespace {

// While a take is recorded, it has what is done to activation; else the project has.
void hold_in_take(Application& app, const Client& client, const command::EditMuscle& edit) {
  on_player(app, client, [edit](LivePlayer& player) {
    Action action;
    action.kind = Action::Kind::activation;
    action.name = edit.name;
    action.value = edit.value;
    player.activate(action);
  });
}

}  // namespace

void handle(Application& app, const Client& client, const command::EditMuscle& edit) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  using Kind = command::EditMuscle::Kind;
  switch (edit.kind) {
    case Kind::place:
      return commit_project(app, with_auto_muscles(app, std::move(next)), "muscles", "", client);
    case Kind::remove:
      next =
          edit.name.empty() ? without_muscles(app, std::move(next)) : without_muscle(app, std::move(next), edit.name);
      return commit_project(app, std::move(next), edit.name.empty() ? "no muscles" : "no " + edit.name, "", client);
    case Kind::hold:
      next = with_activation(app, std::move(next), edit.name, edit.value);
      if (app.play.mode == PlayMode::recording) return hold_in_take(app, client, edit);
      return commit_project(app, std::move(next), edit.name, "activation " + edit.name, client, edit.stroke);
    case Kind::move:
      next = with_end_at(app, std::move(next), edit.name, edit.origin, edit.to);
      return commit_project(app, std::move(next), "move " + edit.name, "", client, edit.stroke);
  }
}

}  // namespace sinew::studio
