// Runs `sinew check` in the background, one at a time.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include "studio/server/live/live_player.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

class CheckJob {
 public:
  CheckJob() = default;
  ~CheckJob();
  CheckJob(const CheckJob&) = delete;
  CheckJob& operator=(const CheckJob&) = delete;

  // Calls `done` on a thread of its own with the answer, or the reason why there is none. Throws usage_error while
  // another check runs.
  void begin(const LoadedCharacter& loaded, const std::filesystem::path& file,
             std::function<void(const PageJson&)> done);

 private:
  std::atomic<bool> busy_{false}, ends_{false};
  std::thread thread_;
};

}  // namespace sinew::studio
