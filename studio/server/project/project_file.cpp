#include "studio/server/project/project_file.h"

#include <utility>

#include "sinew/base/file.h"
#include "studio/server/web/access.h"

namespace sinew::studio {
std::filesystem::path project_path(const std::filesystem::path& character) {
  std::filesystem::path path = character;
  return path.replace_extension(".studio.json");
}

ProjectFile::ProjectFile(std::function<void(const std::string&)> failed, std::chrono::milliseconds gathering)
    : failed_(std::move(failed)), gathering_(gathering), thread_([this] { run(); }) {}

ProjectFile::~ProjectFile() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

void ProjectFile::save(const std::filesystem::path& path, std::function<std::string()> text) {
  std::unique_lock lock(mutex_);
  // Writes a pending file of another character first.
  ++hurries_;
  woken_.notify_all();
  done_.wait(lock, [&] { return !waiting_ || waiting_->path == path || ends_; });
  --hurries_;
  waiting_ = Waiting{path, std::move(text)};
  woken_.notify_all();
}

void ProjectFile::flush() {
  std::unique_lock lock(mutex_);
  ++hurries_;
  woken_.notify_all();
  done_.wait(lock, [this] { return !waiting_ && !writing_; });
  --hurries_;
}

void ProjectFile::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    woken_.wait(lock, [this] { return ends_ || waiting_; });
    if (!waiting_) return;
    if (!ends_ && hurries_ == 0) woken_.wait_for(lock, gathering_, [this] { return ends_ || hurries_ > 0; });
    const Waiting now = std::move(*waiting_);
    waiting_.reset();
    writing_ = true;
    lock.unlock();
    write(now);
    lock.lock();
    writing_ = false;
    done_.notify_all();
  }
}

void ProjectFile::write(const Waiting& waiting) {
  try {
    refuse_link(waiting.path);
    write_text_file(waiting.path, waiting.text());
    complained_ = false;
  } catch (const std::exception& error) {
    if (!std::exchange(complained_, true)) failed_(error.what());
  }
}

}  // namespace sinew::studio
