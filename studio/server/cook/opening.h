// A character is opened: read, its project found, cooked, put in the player.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// The client, where there is one, is answered when it plays.
void open_file(Application& app, OpenRequest file, const Client& client);

}  // namespace sinew::studio
