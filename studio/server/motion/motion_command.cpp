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

}  // namespace sinew::studio
