// Parses the messages that edit a lattice by hand.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request edit_lattice(Keys& keys);
Request show_lattice(Keys& keys);
Request show_lattice_skin(Keys& keys);
Request check_lattice_by_hand(Keys& keys);

}  // namespace sinew::studio
