#include "studio/server/rigging/rig_command.h"

#include <utility>

namespace sinew::studio {

Request edit_joint(Keys& keys) {
  command::EditJoint edit;
  edit.action = keys.text("action", longest_name);
  for (const auto& [key, text] :
       {std::pair("name", &edit.name), std::pair("to", &edit.to), std::pair("parent", &edit.parent),
        std::pair("above", &edit.above), std::pair("axis", &edit.axis)})
    *text = keys.text_or(key, longest_name);
  if (const Json* line = keys.find("line")) {
    if (!line->is_array() || line->size() != 2) throw keys.wrong("line", "must be [origin, direction]");
    edit.line = {keys.vector("line", (*line)[0], farthest), keys.vector("line", (*line)[1], farthest)};
  }
  if (const Json* position = keys.find("position")) edit.position = keys.vector("position", *position, farthest);
  if (const Json* normal = keys.find("normal")) edit.normal = keys.vector("normal", *normal, farthest);
  edit.snap = keys.flag("snap").value_or(true);
  edit.both = keys.flag("both").value_or(false);
  edit.stroke = keys.stroke();
  return edit;
}

Request show_rig_mesh(Keys&) { return command::ShowRigMesh{}; }

Request try_joints(Keys& keys) {
  command::TryJoints tried;
  const Json& joints = keys.need("joints");
  if (!joints.is_object() || joints.size() > 1000)
    throw keys.wrong("joints", "must be an object of at most 1000 rotations");
  for (const auto& [name, value] : joints.items()) tried.joints[name] = rotation(keys, value);
  return tried;
}

Request show_weights(Keys& keys) { return command::ShowWeights{keys.text_or("name", longest_name)}; }

Request paint_weights(Keys& keys) {
  command::PaintWeights paint;
  paint.action = keys.text("action", longest_name);
  paint.name = keys.text_or("name", longest_name);
  paint.locked = keys.names("locked");
  paint.stroke = keys.stroke();
  const Json* values = keys.find("values");
  if (!values) return paint;
  if (!values->is_array()) throw keys.wrong("values", "must be a list of [vertex, amount]");
  for (const Json& pair : *values) {
    if (!pair.is_array() || pair.size() != 2) throw keys.wrong("values", "must be a list of [vertex, amount]");
    paint.values.emplace_back(keys.integer("values", pair[0], most_elements), keys.number("values", pair[1], -1, 1));
  }
  return paint;
}

Request report_rig(Keys&) { return command::ReportRig{}; }

Request save_rig(Keys& keys) {
  return command::SaveRig{keys.text("output"), keys.flag("replace").value_or(false), keys.flag("open").value_or(false)};
}

}  // namespace sinew::studio
