// `sinew check` beside the stage, one at a time.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include "studio/server/page_json.h"
#include "studio/server/stage.h"

namespace sinew {

class CheckJob {
 public:
  CheckJob() = default;
  ~CheckJob();
  CheckJob(const CheckJob&) = delete;
  CheckJob& operator=(const CheckJob&) = delete;

  // `done` gets the answer, or why there is none, on a thread of its own. Throws usage_error while another one runs.
  void begin(const Cast& cast, const std::filesystem::path& file, std::function<void(const PageJson&)> done);

 private:
  std::atomic<bool> busy_{false}, ends_{false};
  std::thread thread_;
};

}  // namespace sinew
