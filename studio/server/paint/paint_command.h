// Parses the messages about painted fields: strokes, and curves along limbs.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request paint(Keys& keys);
Request channel(Keys& keys);
Request edit_limb(Keys& keys);
Request show_limb(Keys& keys);

}  // namespace sinew::studio
