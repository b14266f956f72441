// Saves project files beside the character, soon after each change and by renaming a temporary file, so that at most a
// second of work can be lost.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "studio/server/worker.h"

namespace sinew::studio {

// hero.glb gives hero.studio.json beside it.
std::filesystem::path project_path(const std::filesystem::path& character);

// Writes the newest text on a thread of its own; nobody waits for the disk.
class ProjectFile {
 public:
  // The destructor writes what waits. `failed` hears once, until it works again, that a file cannot be written.
  // `gathering`: so long what comes is written together.
  explicit ProjectFile(std::function<void(const std::string& sentence)> failed,
                       std::chrono::milliseconds gathering = std::chrono::milliseconds(250));

  // `text` is called when the file is written, since making it takes longer than most actions.
  void save(const std::filesystem::path& path, std::function<std::string()> text);
  void flush();  // waits until everything pending is on disk

 private:
  void write(const std::filesystem::path& path, const std::function<std::string()>& text);

  std::function<void(const std::string&)> failed_;
  std::filesystem::path path_;  // that was saved last
  bool complained_ = false;     // on the worker's thread alone
  Worker worker_;
};

}  // namespace sinew::studio
