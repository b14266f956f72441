// Edits the path of a joint in a character's clip, on a background thread. The newest request wins.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sinew/jobs/motion/edit_path.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class PathJob {
 public:
  using Done = std::function<void(EditedPath edited, std::exception_ptr failure)>;

  // Calls `done` on the job's thread with the new clip, or the reason why there is none: Stopped if another request
  // came.
  void begin(std::shared_ptr<const OpenedCharacter> opened, std::string clip, PathEdit edit, Done done);
  void cancel() { worker_.cancel(); }

 private:
  // The clip that was edited last, as far as it is known; on the worker's thread alone.
  std::shared_ptr<const OpenedCharacter> opened_;
  std::string clip_;
  std::optional<PathEditor> editor_;
  Worker worker_{{.niceness = 5}};  // the player has priority
};

}  // namespace sinew::studio
