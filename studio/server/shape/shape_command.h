// Parses the messages about rigs of forces and their transfer.
#pragma once

#include "studio/server/message_keys.h"

namespace sinew::studio {

Request shape(Keys& keys);
Request add_shape(Keys& keys);
Request edit_shape(Keys& keys);
Request move_shape(Keys& keys);
Request fit_shape(Keys& keys);
Request shapes_of_morphs(Keys& keys);
Request picture_shape(Keys& keys);
Request rehearse_shape(Keys& keys);
Request transfer_shapes(Keys& keys);
Request transfer_lattice(Keys& keys);
Request show_surface(Keys& keys);

}  // namespace sinew::studio
