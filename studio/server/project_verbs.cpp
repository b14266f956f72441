// Verbs that change the project; each adds an act to its history.
#include "studio/server/verbs.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/cook/surface_channels.h"
#include "studio/server/lattice/lattice_verbs.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/rigging/rig_verbs.h"

namespace sinew::studio {
namespace {

std::vector<float> channel_values(const Application& app, const std::string& name) {
  if (find_field(name) < body_fields) {
    const auto painted = app.history.now().paint.find(name);
    return painted == app.history.now().paint.end() ? unpainted(*app.rest_surface, name).values()
                                                    : painted->second.values();
  }
  if (name == "anatomy") return anatomy_channel(*app.loaded.scene);
  if (name == "depth") return depth_channel(*app.loaded.scene);
  throw usage_error("'" + name + "' is nothing that the surface has a number of; " + listed_fields() +
                    ", anatomy and depth are.");
}

}  // namespace

void handle(Application& app, const Client& client, const command::PoseJoints& pose) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
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
void handle(Application& app, const Client& client, const command::Unpose& unpose) {
  const std::lock_guard lock(app.mutex);
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
  commit_project(app, std::move(next), "method", "", client);
}

void handle(Application& app, const Client& client, const command::Paint& paint) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  const std::size_t vertices = app.rest_surface->rest.positions.size();
  for (const auto& [vertex, value] : paint.values)
    if (static_cast<std::size_t>(vertex) >= vertices)
      throw usage_error("The surface has no vertex " + std::to_string(vertex) + ".");
  Project next = app.history.now();
  const auto there = next.paint.find(paint.channel);
  const PaintLayer layer = there == next.paint.end() ? unpainted(*app.rest_surface, paint.channel) : there->second;
  next.paint[paint.channel] = layer.painted(paint.values);
  commit_project(app, std::move(next), "paint", "", client);
}
void handle(Application& app, const Client& client, const command::Channel& channel) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  app.pages.reply(client, {{"values", base64(channel_values(app, channel.name))}});
}

void handle(Application& app, const Client& client, const command::Undo&) {
  const std::lock_guard lock(app.mutex);
  if (app.rigging) return step_in_rigging(app, client, true);
  if (lattice_is_open(app)) return step_in_lattice(app, client, true);
  if (!app.history.can_undo()) throw usage_error("There is nothing more to undo.");
  const Project before = app.history.now();
  app.history.undo();
  apply_project(app, before, client);
}
void handle(Application& app, const Client& client, const command::Redo&) {
  const std::lock_guard lock(app.mutex);
  if (app.rigging) return step_in_rigging(app, client, false);
  if (lattice_is_open(app)) return step_in_lattice(app, client, false);
  if (!app.history.can_redo()) throw usage_error("There is nothing to do again.");
  const Project before = app.history.now();
  app.history.redo();
  apply_project(app, before, client);
}

}  // namespace sinew::studio
