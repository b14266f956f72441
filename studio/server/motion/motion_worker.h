// Lists and draws motions on a thread of its own, in the order in which pages ask.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/jobs/motion/add_motions.h"
#include "sinew/picture/picture.h"
#include "studio/server/web/page_json.h"
#include "studio/server/worker.h"

namespace sinew::studio {

// The motion of a character that is drawn.
struct MotionPicture {
  std::shared_ptr<const OpenedCharacter> read;  // the character as its file has it
  MotionRequest motion;
  std::filesystem::path map;  // file of bones named by hand; empty: none
};

class MotionWorker {
 public:
  // Runs the task after those that were given before; those that wait when this ends are never run.
  void run(std::function<void()> task);

  // The following are called by tasks, and keep what they found.

  // Names of the clips in a file. Throws input_error if it cannot be read or has none.
  const std::vector<std::string>& clips_of(const std::filesystem::path& file);
  // Three pictures of the character in its motion, side by side, as a data URL, and its length: {picture, seconds}.
  // Throws what add_motions() throws.
  const PageJson& picture_of(const MotionPicture& picture);

 private:
  // A file, and when it was written.
  using FileState = std::pair<std::filesystem::path, std::int64_t>;
  static FileState state_of(const std::filesystem::path& file);
  void run_all(const Progress& progress);

  std::mutex mutex_;
  std::deque<std::function<void()>> waiting_;
  bool runs_ = false;

  // On the worker's thread alone.
  std::map<FileState, std::vector<std::string>> clips_;
  std::shared_ptr<const OpenedCharacter> drawn_;  // the character of `pictures_`, and its map
  FileState map_;
  std::vector<PictureFinish> finishes_;  // of the character's parts
  std::map<std::pair<FileState, std::string>, PageJson> pictures_;

  Worker worker_{{.niceness = 10}};
};

}  // namespace sinew::studio
