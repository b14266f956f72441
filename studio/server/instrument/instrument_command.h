// Parses the messages that put instruments on the skin: rings and attachments.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request place_ring(Keys& keys);
Request show_rings(Keys& keys);
Request attach_skin(Keys& keys);

}  // namespace sinew::studio
