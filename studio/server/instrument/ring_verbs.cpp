// Verbs for rings around the skin: entries of the setting `belts`.
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/files/settings_json.h"
#include "sinew/session/ring_placing.h"
#include "sinew/session/ring_skin.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/live/hands.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_rings = 50;

// The rings of the project; none for methods without rings.
std::vector<BeltSettings> rings_of(const Application& app) {
  const MethodChoice choice = choice_of(app, app.history.now());
  const auto* flesh = dynamic_cast<const FleshMethod*>(&*choice);
  return flesh ? flesh->values.belts : std::vector<BeltSettings>();
}

BeltSettings placed_ring(const Application& app, const command::PlaceRing& place,
                         const std::vector<BeltSettings>& rings) {
  const SimulationSurface& surface = *app.rest_surface;
  if (!place.at) {
    const RingPlane plane = plane_along(surface, place.vertices);
    return ring_in(surface, plane, extent_along(plane, surface.rest, place.vertices));
  }
  const Vec3 point = rest_point(*app.loaded.scene, *place.at);
  return place.ring ? ring_moved(surface, rings[static_cast<std::size_t>(*place.ring)], point)
                    : ring_in(surface, plane_across(surface, point));
}

PageJson list_json(const std::vector<BeltSettings>& rings) {
  PageJson list = PageJson::array();
  for (const BeltSettings& ring : rings) list.push_back(PageJson::parse(settings_json(ring)));
  return list;
}

PageJson line_json(const SectionLine& line) {
  PageJson points = PageJson::array();
  for (const EdgePoint& point : line.points) points.push_back({point.a, point.b, point.t});
  return {{"points", std::move(points)}, {"closed", line.closed}};
}

}  // namespace

void handle(Application& app, const Client& client, const command::PlaceRing& place) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  if (next.method != "flesh") throw usage_error("Rings need the method Flesh.");
  std::vector<BeltSettings> rings = rings_of(app);
  if (place.ring && static_cast<std::size_t>(*place.ring) >= rings.size())
    throw usage_error("There is no ring " + std::to_string(*place.ring) + ".");
  const BeltSettings ring = placed_ring(app, place, rings);
  if (place.ring) {
    rings[static_cast<std::size_t>(*place.ring)] = ring;
  } else {
    if (rings.size() >= most_rings)
      throw usage_error("No more than " + std::to_string(most_rings) + " rings are possible; remove one.");
    rings.push_back(ring);
  }
  std::string& settings = next.settings[next.method];
  settings = with_value(next.method, settings, "belts", list_json(rings).dump());
  commit_project(app, std::move(next), place.ring ? "move ring" : "ring",
                 place.ring ? "ring " + std::to_string(*place.ring) : "", client, place.stroke);
}

void handle(Application& app, const Client& client, const command::ShowRings&) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  PageJson rings = PageJson::array();
  const TriangleMesh& rest = app.rest_surface->rest;
  for (const BeltSettings& ring : rings_of(app)) {
    PageJson lines = PageJson::array();
    for (const SectionLine& line : ring_lines(rest, ring)) lines.push_back(line_json(line));
    rings.push_back({{"lines", std::move(lines)}});
  }
  app.pages.reply(client, {{"rings", std::move(rings)}});
}

}  // namespace sinew::studio
