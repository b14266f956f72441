// Saves project files beside the character, soon after each change and by renaming a temporary file, so that at most a
// second of work can be lost.
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

// hero.glb gives hero.studio.json beside it.
std::filesystem::path project_path(const std::filesystem::path& character);

// Writes the newest text on a thread of its own; nobody waits for the disk.
class ProjectFile {
 public:
  // `failed` is called once when writing fails, and again only after it has succeeded. Changes within `gathering` are
  // written together.
  explicit ProjectFile(std::function<void(const std::string& sentence)> failed,
                       std::chrono::milliseconds gathering = std::chrono::milliseconds(250));
  ~ProjectFile();  // writes what is pending
  ProjectFile(const ProjectFile&) = delete;
  ProjectFile& operator=(const ProjectFile&) = delete;

  // `text` is called when the file is written, since making it takes longer than most actions.
  void save(const std::filesystem::path& path, std::function<std::string()> text);
  void flush();  // waits until everything pending is on disk

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
  int hurries_ = 0;  // number of threads in flush()
  std::thread thread_;
};

}  // namespace sinew::studio
