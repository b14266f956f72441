// Verbs of painted fields: strokes of the brush, and curves along limbs.
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/cook/surface_channels.h"
#include "studio/server/paint/limb_curves.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
namespace {

std::vector<float> channel_values(const Application& app, const std::string& name) {
  if (is_scene_field(name)) {
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

void handle(Application& app, const Client& client, const command::EditLimb& edit) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  const MethodChoice choice = choice_of(app, next);
  const std::vector<LimbCurve> curves = with_limb_curve(limb_curves_of(choice), static_cast<std::size_t>(edit.index),
                                                        edit.curve, choice, *app.rest_surface);
  std::string& settings = next.settings[next.method];
  settings = with_value(next.method, settings, "along", along_value(curves));
  // Without a stroke each edit is an act of its own, however soon it follows another one.
  const std::string kind = edit.stroke == 0 ? "" : "limb";
  commit_project(app, std::move(next), "curve along a limb", kind, client, edit.stroke);
}

void handle(Application& app, const Client& client, const command::ShowLimb& show) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  const SimulationSurface& surface = *app.rest_surface;
  const LimbChain chain = limb_chain(surface.bones, {{}, show.from, show.to, {}}, "limb_places: ");
  std::vector<float> shares, distances;
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    const LimbPlace place = place_along(chain, surface.rest.positions[v], surface.influences[v]);
    shares.push_back(static_cast<float>(place.share));
    distances.push_back(static_cast<float>(place.distance));
  }
  PageJson joints = PageJson::array();
  for (std::size_t k = 0; k < chain.bones.size(); ++k)
    joints.push_back({surface.bones[static_cast<std::size_t>(chain.bones[k])].name, chain.distance[k]});
  app.pages.reply(client, {{"shares", base64(shares)}, {"distances", base64(distances)}, {"joints", joints}});
}

}  // namespace sinew::studio
