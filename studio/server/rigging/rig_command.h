// Parses the messages by which a mesh gets a rig.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request edit_joint(Keys& keys);
Request show_rig_mesh(Keys& keys);
Request try_joints(Keys& keys);
Request show_weights(Keys& keys);
Request paint_weights(Keys& keys);
Request report_rig(Keys& keys);
Request save_rig(Keys& keys);

}  // namespace sinew::studio
