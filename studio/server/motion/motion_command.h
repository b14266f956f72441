// Parses the messages about motion of other files.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request edit_motion(Keys& keys);
Request list_motions(Keys& keys);
Request picture_motion(Keys& keys);
Request steer(Keys& keys);
Request push_body(Keys& keys);
Request show_path(Keys& keys);
Request edit_path(Keys& keys);
Request draw_motion(Keys& keys);

}  // namespace sinew::studio
