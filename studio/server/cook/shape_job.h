// Adds force rigs to a character's file of rigs in the background, one at a time.
#pragma once

#include <functional>
#include <string>

#include "sinew/jobs/shape_file.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class ShapeJob {
 public:
  // Copies the rigs of `before`, unless that is empty, to the job's file, and adds to them there. Calls `done` on a
  // thread of its own with a sentence about what went wrong, or an empty one. Throws usage_error while another runs.
  void begin(const AddShapeJob& job, const std::filesystem::path& before,
             std::function<void(const std::string& failure)> done);

 private:
  Worker worker_;
};

}  // namespace sinew::studio
