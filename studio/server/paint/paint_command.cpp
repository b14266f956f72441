#include "studio/server/paint/paint_command.h"

#include "sinew/character/fields.h"
#include "studio/server/paint/limb_curves.h"

namespace sinew::studio {

Request paint(Keys& keys) {
  command::Paint paint;
  paint.channel = keys.text("channel", longest_name);
  if (!is_scene_field(paint.channel)) throw keys.wrong("channel", "must be one of " + listed_fields());
  const PaintedField& field = painted_fields[find_field(paint.channel)];
  const Json& values = keys.need("values");
  if (!values.is_array() || values.empty()) throw keys.wrong("values", "must be a list of [vertex, value]");
  for (const Json& pair : values) {
    if (!pair.is_array() || pair.size() != 2) throw keys.wrong("values", "must be a list of [vertex, value]");
    paint.values.emplace_back(keys.integer("values", pair[0], most_elements),
                              static_cast<float>(keys.number("values", pair[1], lowest_value(field), field.most)));
  }
  return paint;
}

Request channel(Keys& keys) { return command::Channel{keys.text("name", longest_name)}; }

Request edit_limb(Keys& keys) {
  command::EditLimb edit;
  edit.index = keys.integer("index", keys.need("index"), static_cast<int>(most_limb_curves));
  const Json& curve = keys.need("curve");
  if (!curve.is_object() && !curve.is_null()) throw keys.wrong("curve", "must be an object, or null");
  if (curve.is_object()) edit.curve = curve.dump(-1, ' ', false, Json::error_handler_t::replace);
  edit.stroke = keys.stroke();
  return edit;
}

Request show_limb(Keys& keys) { return command::ShowLimb{keys.text("from"), keys.text("to")}; }

}  // namespace sinew::studio
