// Makes clips of drawn paths, on a background thread: a joint's path in a clip is edited, or a stroke is the way of the
// whole body. The newest request wins.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sinew/jobs/motion/draw_motion.h"
#include "sinew/jobs/motion/edit_path.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class PathJob {
 public:
  // Called on the job's thread with the new clip, or the reason why there is none: Stopped if another request came.
  using Edited = std::function<void(EditedPath edited, std::exception_ptr failure)>;
  using Drawn = std::function<void(DrawnMotion drawn, std::exception_ptr failure)>;

  void edit(std::shared_ptr<const OpenedCharacter> opened, std::string clip, PathEdit edit, Edited done);
  void draw(std::shared_ptr<const OpenedCharacter> opened, DrawnStroke stroke, Drawn done);
  void cancel() { worker_.cancel(); }

 private:
  // The clip that was edited last, as far as it is known; on the worker's thread alone.
  std::shared_ptr<const OpenedCharacter> opened_;
  std::string clip_;
  std::optional<PathEditor> editor_;
  Worker worker_{{.niceness = 5}};  // the player has priority
};

}  // namespace sinew::studio
