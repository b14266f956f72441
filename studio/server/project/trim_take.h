// Cuts a part out of a take.
#pragma once

#include "studio/server/live/live_player.h"

namespace sinew::studio {

// Keeps what happens from `from` to `to`, seconds into the take. The result begins at the corresponding later clip
// time, with everything that acts at that moment acting from its beginning. Grabs keep their points of the skin and
// targets.
RecordedTake trimmed(const RecordedTake& take, double from, double to);

}  // namespace sinew::studio
