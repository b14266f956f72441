// Verbs that change the project; each adds an act to its history.
#include "studio/server/verbs.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/lattice/lattice_verbs.h"
#include "studio/server/live/reached_pose.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/rigging/rig_verbs.h"

namespace sinew::studio {
namespace {

void refuse_while_steered(const Application& app) {
  if (app.play.mode == PlayMode::steering)
    throw usage_error("Keys lead the character; end steering (Esc) before you pose it.");
}

void refuse_where_it_cannot_be_posed(const Application& app) {
  refuse_while_steered(app);
  if (app.loaded.scene && app.loaded.scene->follows_controls())
    throw usage_error("The method " + app.loaded.scene->method +
                      " moves the rig's own controls and cannot be posed by hand; choose another one.");
}

}  // namespace

void handle(Application& app, const Client& client, const command::PoseJoints& pose) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  refuse_where_it_cannot_be_posed(app);
  Project next = app.history.now();
  std::string kind = "pose";
  for (const auto& [joint, rotation] : pose.joints) {
    if (static_cast<std::size_t>(joint) >= app.loaded.opened->character.skeleton.joints.size())
      throw usage_error("The character has no joint " + std::to_string(joint) + ".");
    next.pose.joints[joint] = rotation;
    kind += " " + std::to_string(joint);
  }
  commit_project(app, std::move(next), "pose", kind, client, pose.stroke);
}
void handle(Application& app, const Client& client, const command::ReachJoint& reach) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  refuse_where_it_cannot_be_posed(app);
  Project next = app.history.now();
  next.pose = reached_pose(app.loaded, app.play.clip, next.pose, reach);
  commit_project(app, std::move(next), "pose", "reach " + std::to_string(reach.joint), client, reach.stroke);
}
void handle(Application& app, const Client& client, const command::DrawLine& line) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  refuse_where_it_cannot_be_posed(app);
  Project next = app.history.now();
  next.pose = lined_pose(app.loaded, app.play.clip, next.pose, line);
  commit_project(app, std::move(next), "pose", "line", client, line.stroke);
}
void handle(Application& app, const Client& client, const command::Unpose& unpose) {
  const std::lock_guard lock(app.mutex);
  refuse_while_steered(app);
  Project next = app.history.now();
  if (unpose.joints.empty()) next.pose = {};
  for (const int joint : unpose.joints) next.pose.joints.erase(joint);
  commit_project(app, std::move(next), "pose", "", client);
}
void handle(Application& app, const Client& client, const command::KeepPose& keep) {
  constexpr std::size_t most_kept = 500;
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  if (!keep.joints.empty())
    next.kept_poses[keep.name] = keep.joints;
  else if (next.kept_poses.erase(keep.name) == 0)
    throw usage_error("No pose '" + keep.name + "' is kept.");
  if (next.kept_poses.size() > most_kept)
    throw usage_error("A project keeps " + std::to_string(most_kept) + " poses at most; forget one first.");
  commit_project(app, std::move(next), keep.joints.empty() ? "forget pose" : "keep pose", "", client);
}
void handle(Application& app, const Client& client, const command::Carry& carry) {
  const std::lock_guard lock(app.mutex);
  refuse_while_steered(app);
  Project next = app.history.now();
  next.pose.carried = carry.by;
  commit_project(app, std::move(next), "place", "carry", client, carry.stroke);
}

void handle(Application& app, const Client& client, const command::Set& set) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  std::string& settings = next.settings[next.method];
  settings = with_value(next.method, settings, set.path, set.value);
  commit_project(app, std::move(next), set.path.empty() ? "settings" : set.path, "set " + set.path, client, set.stroke);
}
void handle(Application& app, const Client& client, const command::Reset& reset) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  if (reset.path.empty())
    next.settings.erase(next.method);
  else
    next.settings[next.method] = without_value(next.method, next.settings[next.method], reset.path);
  commit_project(app, std::move(next), reset.path.empty() ? "settings" : reset.path, "", client);
}
void handle(Application& app, const Client& client, const command::ChooseMethod& method) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  require_live(method.name, has_skin_weights(app.loaded.opened->character));
  Project next = app.history.now();
  next.method = method.name;
  give_first_settings(app, method.model, next);
  if (!method.settings.empty())
    next.settings[next.method] = with_value(next.method, next.settings[next.method], "", method.settings);
  commit_project(app, std::move(next), "method", "", client);
}

void handle(Application& app, const Client& client, const command::Undo&) {
  const std::lock_guard lock(app.mutex);
  if (app.rigging) return step_in_rigging(app, client, true);
  if (lattice_is_open(app)) return step_in_lattice(app, client, true);
  undo_act(app, client);
}
void handle(Application& app, const Client& client, const command::Redo&) {
  const std::lock_guard lock(app.mutex);
  if (app.rigging) return step_in_rigging(app, client, false);
  if (lattice_is_open(app)) return step_in_lattice(app, client, false);
  redo_act(app, client);
}

}  // namespace sinew::studio
