// Opens a character: reads it, finds its project, cooks it and puts it into the player.
#pragma once

#include "studio/server/application.h"

namespace sinew::studio {

// Opens a file. The client, if there is one, is answered when the character plays.
void open_file(Application& app, OpenRequest file, const Client& client);

}  // namespace sinew::studio
