// `sinew check` beside the player, one at a time.
#pragma once

#include <filesystem>
#include <functional>

#include "studio/server/live/live_player.h"
#include "studio/server/web/page_json.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class CheckJob {
 public:
  // `done` gets the answer, or why there is none, on a thread of its own. Throws usage_error while another one runs.
  void begin(const LoadedCharacter& loaded, const std::filesystem::path& file,
             std::function<void(const PageJson&)> done);

 private:
  Worker worker_;
};

}  // namespace sinew::studio
