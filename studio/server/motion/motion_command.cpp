#include "studio/server/motion/motion_command.h"

namespace sinew::studio {

Request edit_motion(Keys& keys) {
  command::EditMotion edit{keys.text("action", longest_name), keys.text("motion")};
  if (edit.action != "add" && edit.action != "remove" && edit.action != "map")
    throw keys.wrong("action", "must be add, remove or map");
  if (edit.motion.empty() && edit.action != "map") throw keys.wrong("motion", "must not be empty");
  return edit;
}

Request list_motions(Keys&) { return command::ListMotions{}; }

Request picture_motion(Keys& keys) { return command::PictureMotion{keys.text("motion")}; }

Request steer(Keys& keys) {
  command::Steer steer{keys.text("action", longest_name)};
  if (steer.action != "begin" && steer.action != "go" && steer.action != "end")
    throw keys.wrong("action", "must be begin, go or end");
  if (steer.action == "go") {
    steer.turn = keys.number("turn", -1, 1);
    steer.pace = keys.number("pace", 0, 2);
  }
  return steer;
}

Request push_body(Keys& keys) {
  constexpr double strongest_push = 1e5;  // N s
  return command::PushBody{keys.place("at", keys.need("at")),
                           keys.vector("impulse", keys.need("impulse"), strongest_push),
                           keys.number("clip_time", -1e6, 1e6)};
}

Request show_path(Keys& keys) { return command::ShowPath{keys.integer("joint", keys.need("joint"), most_joints)}; }

Request edit_path(Keys& keys) {
  constexpr double longest_clip = 1e6;  // seconds
  command::EditPath asked;
  PathEdit& edit = asked.edit;
  edit.joint = keys.integer("joint", keys.need("joint"), most_joints);
  edit.time = keys.number("time", -longest_clip, longest_clip);
  edit.width = keys.number("width", 0.02, 3600);
  if (const Json* pinned = keys.find("pinned")) {
    if (!pinned->is_array() || pinned->size() > 100) throw keys.wrong("pinned", "must be a list of at most 100 joints");
    for (const Json& joint : *pinned) edit.pinned.push_back(keys.integer("pinned", joint, most_joints));
  }
  asked.trial = keys.flag("trial").value_or(false);
  const Json *by = keys.find("by"), *points = keys.find("points"), *from = keys.find("from");
  if ((by != nullptr) + (points != nullptr) + (from != nullptr) != 1)
    throw keys.wrong("by", "or points or from must be given, and only one of them");
  if (by) edit.by = keys.vector("by", *by, farthest);
  if (from) edit.from = keys.number("from", *from, -longest_clip, longest_clip);
  if (points) {
    edit.stroke = DrawnLine{keys.places("points", 2, 2000, farthest), keys.vector("normal", keys.need("normal"), 1000),
                            keys.vector("eye", keys.need("eye"), farthest)};
    edit.until = keys.number("until", -longest_clip, longest_clip);
  }
  return asked;
}

Request draw_motion(Keys& keys) {
  constexpr double latest = 1e6;  // seconds
  DrawnStroke stroke{{}, keys.places("points", 2, 5000, farthest)};
  const Json& times = keys.need("times");
  if (!times.is_array() || times.size() != stroke.points.size())
    throw keys.wrong("times", "must be a list of as many numbers as there are points");
  for (const Json& time : times) {
    stroke.times.push_back(keys.number("times", time, -latest, latest));
    if (const std::size_t k = stroke.times.size() - 1; k > 0 && !(stroke.times[k] > stroke.times[k - 1]))
      throw keys.wrong("times", "must ascend");
  }
  return command::DrawMotion{std::move(stroke)};
}

}  // namespace sinew::studio
