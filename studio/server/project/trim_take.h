// A part of a take as a take of its own.
#pragma once

#include "studio/server/live/live_player.h"

namespace sinew::studio {

// What happens from `from` to `to`, seconds into the take: it begins that much later on the clip's time line, with what
// acts at that moment acting from its beginning. Hands take hold of the same points of the skin and lead them where
// they led them.
RecordedTake trimmed(const RecordedTake& take, double from, double to);

}  // namespace sinew::studio
