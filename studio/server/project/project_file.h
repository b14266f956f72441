// Files of the project beside the character: written soon after each change, under a temporary name that is renamed, so
// that whatever happens nothing older than a second is lost.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sinew::studio {

// hero.glb: hero.studio.json beside it.
std::filesystem::path project_path(const std::filesystem::path& character);

// Writes the newest text on a thread of its own; nobody waits for the disk.
class ProjectFile {
 public:
  // `failed` hears once, until it works again, that a file cannot be written. `gathering`: so long what comes is
  // written together.
  explicit ProjectFile(std::function<void(const std::string& sentence)> failed,
                       std::chrono::milliseconds gathering = std::chrono::milliseconds(250));
  ~ProjectFile();  // what waits is written
  ProjectFile(const ProjectFile&) = delete;
  ProjectFile& operator=(const ProjectFile&) = delete;

  // `text` is asked for when it is written: making it takes longer than most actions.
  void save(const std::filesystem::path& path, std::function<std::string()> text);
  void flush();  // returns when what waits is on disk

 private:
  struct Waiting {
    std::filesystem::path path;
    std::function<std::string()> text;
  };

  void run();
  void write(const Waiting& waiting);

  std::function<void(const std::string&)> failed_;
  std::chrono::milliseconds gathering_;
  std::mutex mutex_;
  std::condition_variable woken_, done_;
  std::optional<Waiting> waiting_;
  bool writing_ = false, ends_ = false, complained_ = false;
  int hurries_ = 0;  // those who wait for the disk
  std::thread thread_;
};

}  // namespace sinew::studio
