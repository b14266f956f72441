#include "studio/server/instrument/instrument_command.h"

namespace sinew::studio {
namespace {

constexpr int most_instruments = 200;
constexpr std::size_t most_lassoed = 100'000;

std::vector<int> lassoed_vertices(Keys& keys) {
  std::vector<int> vertices;
  const Json* list = keys.find("vertices");
  if (!list) return vertices;
  if (!list->is_array() || list->empty() || list->size() > most_lassoed)
    throw keys.wrong("vertices", "must be a list of 1 to 100000 whole numbers");
  for (const Json& vertex : *list) vertices.push_back(keys.integer("vertices", vertex, most_elements));
  return vertices;
}

}  // namespace

Request place_ring(Keys& keys) {
  command::PlaceRing place;
  if (const Json* at = keys.find("at")) place.at = keys.place("at", *at);
  place.vertices = lassoed_vertices(keys);
  if (place.at.has_value() == !place.vertices.empty())
    throw keys.wrong("at", "or vertices must be given, one of the two");
  if (const Json* ring = keys.find("ring")) place.ring = keys.integer("ring", *ring, most_instruments - 1);
  if (place.ring && !place.at) throw keys.wrong("at", "must say where the ring is moved");
  place.stroke = keys.stroke();
  return place;
}

Request show_rings(Keys&) { return command::ShowRings{}; }

Request attach_skin(Keys& keys) {
  command::AttachSkin attach;
  attach.at = keys.place("at", keys.need("at"));
  attach.joint = keys.text_or("joint");
  return attach;
}

Request place_handle(Keys& keys) {
  command::PlaceHandle place;
  place.at = keys.place("at", keys.need("at"));
  place.frame = keys.flag("frame").value_or(false);
  return place;
}

Request show_handles(Keys&) { return command::ShowHandles{}; }

Request edit_muscle(Keys& keys) {
  using Kind = command::EditMuscle::Kind;
  command::EditMuscle edit;
  const std::string action = keys.text("action", longest_name);
  if (action == "place") return edit;
  if (action == "remove") {
    edit.kind = Kind::remove;
    edit.name = keys.text_or("name");
    return edit;
  }
  if (action != "hold" && action != "move") throw keys.wrong("action", "must be place, remove, hold or move");
  edit.name = keys.text("name");
  if (action == "hold") {
    edit.kind = Kind::hold;
    if (const Json& value = keys.need("value"); !value.is_null()) edit.value = keys.number("value", value, 0, 1);
  } else {
    edit.kind = Kind::move;
    const std::string end = keys.text("end", longest_name);
    if (end != "origin" && end != "insertion") throw keys.wrong("end", "must be origin or insertion");
    edit.origin = end == "origin";
    edit.to = keys.vector("to");
  }
  edit.stroke = keys.stroke();
  return edit;
}

}  // namespace sinew::studio
