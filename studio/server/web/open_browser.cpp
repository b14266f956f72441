#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <thread>

#include "studio/server/studio.h"

extern char** environ;

namespace sinew::studio {

std::filesystem::path samples_folder() {
  std::error_code status;
  const std::filesystem::path program = std::filesystem::canonical("/proc/self/exe", status);
  if (status) return {};
  // Installed, and in the build tree.
  for (const char* way : {"../share/sinew/samples", "../../../samples"}) {
    const std::filesystem::path folder = std::filesystem::weakly_canonical(program.parent_path() / way, status);
    if (!status && std::filesystem::is_regular_file(folder / "sumo.glb", status)) return folder;
  }
  return {};
}

void open_browser(const std::string& address) {
  const char* const browser = std::getenv("BROWSER");
  const std::string program = browser && *browser ? browser : "xdg-open";
  std::string words[] = {program, address};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return;
  std::thread([child] { waitpid(child, nullptr, 0); }).detach();
}

}  // namespace sinew::studio
