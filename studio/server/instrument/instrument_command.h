// Parses the messages that put instruments on the skin: rings, attachments and free handles.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request place_ring(Keys& keys);
Request show_rings(Keys& keys);
Request attach_skin(Keys& keys);
Request place_handle(Keys& keys);
Request show_handles(Keys& keys);

}  // namespace sinew::studio
