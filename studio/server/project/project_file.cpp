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
    : failed_(std::move(failed)), worker_({.gathering = gathering, .finishes = true}) {}

void ProjectFile::save(const std::filesystem::path& path, std::function<std::string()> text) {
  if (path != std::exchange(path_, path)) flush();  // another character's file is not lost to this one's
  worker_.give([this, path, text = std::move(text)](const Progress& progress) {
    if (report(progress, "", 0)) write(path, text);  // a newer one is written else
  });
}

void ProjectFile::flush() { worker_.wait(); }

void ProjectFile::write(const std::filesystem::path& path, const std::function<std::string()>& text) {
  try {
    refuse_link(path);
    write_text_file(path, text());
    complained_ = false;
  } catch (const std::exception& error) {
    if (!std::exchange(complained_, true)) failed_(error.what());
  }
}

}  // namespace sinew::studio
