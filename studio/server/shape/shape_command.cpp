#include "studio/server/shape/shape_command.h"

#include <string>
#include <utility>
#include <vector>

namespace sinew::studio {
namespace {

// Places of the skin, each with a place in space.
std::vector<std::pair<SkinPlace, Vec3>> skin_pairs(Keys& keys, const char* key) {
  std::vector<std::pair<SkinPlace, Vec3>> pairs;
  const Json* list = keys.find(key);
  if (!list) return pairs;
  if (!list->is_array() || list->size() > 1000) throw keys.wrong(key, "must be a list of [at, [x, y, z]]");
  for (const Json& pair : *list) {
    if (!pair.is_array() || pair.size() != 2) throw keys.wrong(key, "must be a list of [at, [x, y, z]]");
    pairs.emplace_back(keys.place(key, pair[0]), keys.vector(key, pair[1], farthest));
  }
  return pairs;
}

command::TransferShapes transfer(Keys& keys) {
  constexpr const char *of_features = "must be a list of [[x, y, z], at]",
                       *of_moves = "must be a list of [[x, y, z], [x, y, z]]";
  const auto pairs = [&](const char* key, const char* form) {
    const Json* list = keys.find(key);
    if (!list) return Json::array();
    if (!list->is_array() || list->size() > 1000) throw keys.wrong(key, form);
    for (const Json& pair : *list)
      if (!pair.is_array() || pair.size() != 2) throw keys.wrong(key, form);
    return *list;
  };
  command::TransferShapes transfer;
  transfer.from = keys.text("from");
  for (const Json& pair : pairs("features", of_features))
    transfer.features.emplace_back(keys.vector("features", pair[0], farthest), keys.place("features", pair[1]));
  for (const Json& pair : pairs("moves", of_moves))
    transfer.moves.emplace_back(keys.vector("moves", pair[0], farthest), keys.vector("moves", pair[1], farthest));
  return transfer;
}

}  // namespace

Request shape(Keys& keys) {
  command::Shape shape;
  const Json *control = keys.find("control"), *rig = keys.find("rig"), *value = keys.find("value");
  if ((control == nullptr) == (rig == nullptr)) throw keys.wrong("control", "or rig must be named, one of the two");
  shape.action.kind = control ? Action::Kind::control : Action::Kind::rig;
  shape.action.name = control ? keys.text("control", *control, longest_name) : keys.text("rig", *rig, longest_name);
  if (value && !value->is_null()) shape.action.value = keys.number("value", *value, -farthest, farthest);
  if (rig && !shape.action.value) throw keys.wrong("value", "is missing");
  return shape;
}

Request add_shape(Keys& keys) {
  command::AddShape add{keys.text_or("preset", longest_name),
                        keys.text_or("template", longest_name),
                        keys.text_or("name", longest_name),
                        {}};
  if (add.preset.empty() == add.kind.empty()) throw keys.wrong("preset", "or template must be named, one of the two");
  if (const Json* at = keys.find("at")) add.at = keys.place("at", *at);
  return add;
}

Request edit_shape(Keys& keys) {
  const Json& rig = keys.need("rig");
  return command::EditShape{keys.text("name", longest_name),
                            rig.is_null() ? "" : rig.dump(-1, ' ', false, Json::error_handler_t::replace),
                            keys.stroke()};
}

Request move_shape(Keys& keys) {
  return command::MoveShape{keys.text("name", longest_name), keys.place("to", keys.need("to")), keys.stroke()};
}

Request fit_shape(Keys& keys) {
  command::FitShape fit;
  fit.name = keys.text("name", longest_name);
  fit.control = keys.text_or("control", longest_name);
  if (const Json* at = keys.find("at")) fit.at = keys.number("at", *at, -farthest, farthest);
  fit.points = skin_pairs(keys, "points");
  fit.features = skin_pairs(keys, "features");
  fit.fixed = keys.names("fixed");
  fit.dragging = keys.flag("dragging").value_or(false);
  fit.target = keys.text_or("target");
  if (fit.target.empty() == fit.points.empty()) throw keys.wrong("points", "or target must be given, one of the two");
  if (const Json* scale = keys.find("scale")) fit.scale = keys.number("scale", *scale, 1e-6, 1e6);
  if (const Json* smooth = keys.find("smoothness")) fit.smoothness = keys.number("smoothness", *smooth, 1e-6, 1);
  if (const Json* vertices = keys.find("vertices")) {
    if (!vertices->is_array()) throw keys.wrong("vertices", "must be a list of whole numbers");
    for (const Json& vertex : *vertices) fit.vertices.push_back(keys.integer("vertices", vertex, most_elements));
  }
  fit.stroke = keys.stroke();
  if (fit.name.empty()) throw keys.wrong("name", "must not be empty");
  return fit;
}

Request shapes_of_morphs(Keys& keys) { return command::ShapesOfMorphs{keys.names("names")}; }

Request picture_shape(Keys& keys) { return command::PictureShape{keys.text("name", longest_name)}; }

Request rehearse_shape(Keys& keys) {
  command::RehearseShape rehearse{keys.text("name", longest_name), {}};
  if (const Json* clip = keys.find("clip")) rehearse.clip = keys.text("clip", *clip, longest_text);
  return rehearse;
}

Request transfer_shapes(Keys& keys) {
  command::TransferShapes shapes = transfer(keys);
  shapes.rigs = keys.text_or("rigs");
  return shapes;
}

Request transfer_lattice(Keys& keys) {
  command::TransferShapes lattice = transfer(keys);
  lattice.lattice_only = true;
  return lattice;
}

Request show_surface(Keys& keys) {
  command::ShowSurface show{keys.text("path"), {}};
  if (const Json* scale = keys.find("scale")) show.scale = keys.number("scale", *scale, 1e-6, 1e6);
  return show;
}

}  // namespace sinew::studio
