// Jobs that write files beside the character, in the background, one at a time: bakes, and models that are learned.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studio/server/worker.h"

namespace sinew::studio {

struct FileJob {
  std::string doing;                         // for progress: "baking"
  std::string command;                       // the equivalent command line
  std::vector<std::filesystem::path> files;  // that it writes, the result first
  // Writes them. Returns false if it was stopped.
  std::function<bool(const Progress&)> run;
};

struct FileJobDone {
  std::string doing, command;
  std::string failure;  // a sentence; empty if it succeeded
  bool stopped = false;
  std::vector<std::filesystem::path> files;
  double seconds = 0;
};

class FileJobs {
 public:
  using Listener = std::function<void(const std::string& doing, const ProgressReport&)>;
  explicit FileJobs(Listener listener) : listener_(std::move(listener)) {}

  // `done` is called on the job's thread. Files that were not there before are removed if the job fails or is stopped.
  // Throws usage_error while another job runs.
  void begin(FileJob job, std::function<void(const FileJobDone&)> done);
  // Waits for a job that is done but for telling so, so that whoever hears of its end may begin another one at once.
  // Call this without locks that `done` takes.
  void wait_for_ended() {
    if (delivered_.exchange(false)) worker_.wait();
  }
  void cancel() { worker_.cancel(); }

 private:
  void run(const FileJob& job, const std::function<void(const FileJobDone&)>& done, const Progress& progress);

  Listener listener_;
  std::atomic<bool> delivered_{false};  // true from the end of a job on, when its thread has nothing left to do
  Worker worker_{{.niceness = 10}};
};

// The path of a result beside the character. Throws usage_error unless the name is plain, with one of these endings.
std::filesystem::path beside(const std::filesystem::path& character, const std::string& name,
                             const std::vector<std::string>& endings);

// A word of a command line, quoted where a shell needs it.
std::string shell_word(const std::string& text);

}  // namespace sinew::studio
