// Verbs for free handles of the method `mixed`: its setting `handles`.
#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/contact/surface_patch.h"
#include "sinew/cook/mixed/mixed_method.h"
#include "sinew/files/handles_json.h"
#include "sinew/files/settings_json.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/live/hands.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
namespace {

std::vector<HandleSettings> handles_of(const Application& app) {
  const MethodChoice choice = choice_of(app, app.history.now());
  const auto* mixed = dynamic_cast<const MixedMethod*>(&*choice);
  return mixed ? handles_of_setting(mixed->values.handles) : std::vector<HandleSettings>();
}

// The joint that carries most of the skin there; empty if none does, or if another has the same name.
std::string joint_at(const Character& character, const SimulationSurface& surface, const Vec3& place) {
  const SurfacePoint nearest = nearest_surface_point(surface.rest, place);
  const auto strongest = std::max_element(nearest.weight.begin(), nearest.weight.end()) - nearest.weight.begin();
  const int vertex = nearest.vertex[static_cast<std::size_t>(strongest)];
  if (vertex < 0 || surface.influences.empty()) return "";
  const Influences& influences = surface.influences[static_cast<std::size_t>(vertex)];
  if (influences.count == 0) return "";
  const std::string& name = surface.bones[static_cast<std::size_t>(influences.joint[0])].name;
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto is_named = [&](const Joint& joint) { return joint.name == name; };
  return std::count_if(joints.begin(), joints.end(), is_named) == 1 ? name : "";
}

std::string free_handle_name(const std::vector<HandleSettings>& handles, const std::string& kind) {
  for (std::size_t number = 1;; ++number) {
    const std::string name = kind + " " + std::to_string(number);
    if (std::none_of(handles.begin(), handles.end(), [&](const HandleSettings& h) { return h.name == name; }))
      return name;
  }
}

// Where the default pose has the handle's place, metres, world.
Vec3 default_place(const Character& character, const SimulationSurface& surface, const HandleSettings& handle) {
  const auto found = std::find_if(surface.bones.begin(), surface.bones.end(),
                                  [&](const Bone& bone) { return bone.name == handle.joint; });
  if (handle.joint.empty() || found == surface.bones.end()) return handle.place;
  const Pose pose = sample(character.skeleton, nullptr, 0);
  return bone_transforms(character, std::span(&*found, 1), pose).front() * handle.place;
}

}  // namespace

void handle(Application& app, const Client& client, const command::PlaceHandle& place) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  if (next.method != "mixed") throw usage_error("Handles need the method Mixed.");
  std::vector<HandleSettings> handles = handles_of(app);
  if (handles.size() >= most_handles)
    throw usage_error("No more than " + std::to_string(most_handles) + " handles are possible; remove one.");
  HandleSettings added;
  added.kind = place.frame ? HandleKind::frame : HandleKind::point;
  added.name = free_handle_name(handles, place.frame ? "frame" : "point");
  added.place = rest_point(*app.loaded.scene, place.at);
  added.joint = joint_at(app.loaded.opened->character, *app.loaded.scene->surface, added.place);
  handles.push_back(std::move(added));
  std::string& settings = next.settings[next.method];
  settings = with_value(next.method, settings, "handles", handles_json(handles));
  commit_project(app, std::move(next), "handle", "", client);
}

void handle(Application& app, const Client& client, const command::ShowHandles&) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  PageJson handles = PageJson::array(), places = PageJson::array();
  for (const HandleSettings& handle : handles_of(app)) {
    handles.push_back(PageJson::parse(settings_json(handle)));
    const Vec3 place = default_place(app.loaded.opened->character, *app.loaded.scene->surface, handle);
    places.push_back({place.x, place.y, place.z});
  }
  app.pages.reply(client, {{"handles", std::move(handles)}, {"places", std::move(places)}});
}

}  // namespace sinew::studio
