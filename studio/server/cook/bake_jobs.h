// Bakes in the background, one at a time. They call the same function as `sinew animate`, so that the bytes are the
// same.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/jobs/animate_file.h"
#include "studio/server/command.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/project/project.h"
#include "studio/server/worker.h"

namespace sinew::studio {

// Everything that a bake needs, with the equivalent command line.
struct BakeRequest {
  AnimateJob job;
  std::shared_ptr<const OpenedCharacter> opened;
  std::string settings, take;  // contents of the files beside the output that the command names; empty: none
  std::filesystem::path settings_file, take_file;
  Paint paint;  // written into a copy of the character that the job reads
  std::shared_ptr<const SimulationSurface> surface;
  std::string command;

  // Files that the bake writes, the result first.
  std::vector<std::filesystem::path> files() const;
};

// `character` is its file; all outputs go beside it. Throws usage_error for invalid file names.
BakeRequest bake_request(const command::Bake& bake, const Project& project, const MethodChoice& choice,
                         const std::shared_ptr<const OpenedCharacter>& opened, const std::filesystem::path& character);

struct Baked {
  std::string failure;  // a sentence; empty if it succeeded
  bool stopped = false;
  std::vector<std::filesystem::path> files;
  std::string command;
  RunReport report;
  double seconds = 0;
};

class BakeJobs {
 public:
  BakeJobs(std::function<void(const ProgressReport&)> listener, std::function<void(Baked)> done)
      : listener_(std::move(listener)), done_(std::move(done)) {}

  // Throws usage_error while another bake runs.
  void begin(BakeRequest request);
  void cancel() { worker_.cancel(); }

 private:
  void run(const BakeRequest& request, const Progress& progress);

  std::function<void(const ProgressReport&)> listener_;
  std::function<void(Baked)> done_;
  std::atomic<bool> delivered_{false};  // true from the end of a bake on, when its thread has nothing left to do
  Worker worker_{{.niceness = 10}};
};

}  // namespace sinew::studio
