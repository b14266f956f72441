// Runs `sinew check` in the background, one at a time.
#pragma once

#include <filesystem>
#include <functional>

#include "studio/server/live/live_player.h"
#include "studio/server/web/page_json.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class CheckJob {
 public:
  // Calls `done` on a thread of its own with the answer, or the reason why there is none. Throws usage_error while
  // another check runs.
  void begin(const LoadedCharacter& loaded, const std::filesystem::path& file,
             std::function<void(const PageJson&)> done);

 private:
  Worker worker_;
};

}  // namespace sinew::studio
