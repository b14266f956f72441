// Parses the messages that put instruments on the skin, and muscles under it: rings, attachments and free handles.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request place_ring(Keys& keys);
Request show_rings(Keys& keys);
Request attach_skin(Keys& keys);
Request place_handle(Keys& keys);
Request show_handles(Keys& keys);
Request edit_muscle(Keys& keys);

}  // namespace sinew::studio
