#include "sinew/files/acting_settings_json.h"

#include <utility>

namespace sinew {
namespace {

constexpr Names<ColliderShape, 3> shapes{
    {{"plane", ColliderShape::plane}, {"sphere", ColliderShape::sphere}, {"capsule", ColliderShape::capsule}}};

ColliderShape shape_from_name(const std::string& name) { return value_of(shapes, name, "shape"); }

ColliderSettings collider_from(SettingsFields& fields) {
  ColliderSettings collider;
  fields.named("shape", collider.shape, shape_from_name);
  if (!fields.takes_null("joint")) fields.string("joint", collider.joint);
  switch (collider.shape) {
    case ColliderShape::plane:
      fields.vector("point", collider.point);
      fields.vector("normal", collider.normal);
      break;
    case ColliderShape::sphere:
      fields.vector("centre", collider.point);
      fields.number("radius", collider.radius);
      break;
    case ColliderShape::capsule:
      fields.vector("from", collider.point);
      fields.vector("to", collider.other_end);
      fields.number("radius", collider.radius);
      break;
  }
  return collider;
}

SettingsJson collider_json(const ColliderSettings& collider) {
  SettingsJson json{{"shape", name_of(shapes, collider.shape)}};
  switch (collider.shape) {
    case ColliderShape::plane:
      json["point"] = three_numbers(collider.point);
      json["normal"] = three_numbers(collider.normal);
      break;
    case ColliderShape::sphere:
      json["centre"] = three_numbers(collider.point);
      json["radius"] = collider.radius;
      break;
    case ColliderShape::capsule:
      json["from"] = three_numbers(collider.point);
      json["to"] = three_numbers(collider.other_end);
      json["radius"] = collider.radius;
      break;
  }
  json["joint"] = collider.joint.empty() ? SettingsJson(nullptr) : SettingsJson(collider.joint);
  return json;
}

PokeSettings poke_from(SettingsFields& fields) {
  PokeSettings poke;
  fields.vector("point", poke.point);
  fields.vector("force", poke.force);
  fields.number("radius", poke.radius);
  fields.optional("begin", poke.begin);
  fields.optional("end", poke.end);
  return poke;
}

SettingsJson poke_json(const PokeSettings& poke) {
  return {{"point", three_numbers(poke.point)},
          {"force", three_numbers(poke.force)},
          {"radius", poke.radius},
          {"begin", optional_number(poke.begin)},
          {"end", optional_number(poke.end)}};
}

}  // namespace

void take_colliders(SettingsFields& fields, std::vector<ColliderSettings>& colliders) {
  std::vector<ColliderSettings> taken;
  if (fields.list("colliders", [&](SettingsFields& item) { taken.push_back(collider_from(item)); }))
    colliders = std::move(taken);
}

SettingsJson colliders_json(const std::vector<ColliderSettings>& colliders) {
  SettingsJson json = SettingsJson::array();
  for (const ColliderSettings& collider : colliders) json.push_back(collider_json(collider));
  return json;
}

void take_pokes(SettingsFields& fields, std::vector<PokeSettings>& pokes) {
  std::vector<PokeSettings> taken;
  if (fields.list("pokes", [&](SettingsFields& item) { taken.push_back(poke_from(item)); })) pokes = std::move(taken);
}

SettingsJson pokes_json(const std::vector<PokeSettings>& pokes) {
  SettingsJson json = SettingsJson::array();
  for (const PokeSettings& poke : pokes) json.push_back(poke_json(poke));
  return json;
}

}  // namespace sinew
