// Hello, and what is opened.
#include "studio/server/verbs.h"

#include <filesystem>

#include "sinew/base/error.h"
#include "studio/server/character_folder.h"
#include "studio/server/opening.h"
#include "studio/server/studio.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr int protocol_version = 1;

}  // namespace

void handle(Desk& desk, const Asker& asker, const command::Hello& hello) {
  if (hello.version != protocol_version)
    throw usage_error(hello.version > protocol_version ? "This page is newer than the program; load it again."
                                                       : "This page is older than the program; load it again.");
  desk.pages.greet(asker.page);
  const std::lock_guard lock(desk.mutex);
  desk.pages.reply(asker, {{"version", protocol_version}, {"program", SINEW_VERSION}, {"state", studio_state(desk)}});
}

void handle(Desk& desk, const Asker& asker, const command::Next&) { desk.pages.ask_for_frame(asker.page); }

void handle(Desk& desk, const Asker& asker, const command::ListFiles& list) {
  PageJson answer{{"folders", PageJson::array()}, {"files", PageJson::array()}, {"samples", PageJson::array()}};
  for (const fs::path& folder : desk.folders.all()) answer["folders"].push_back(folder.string());
  if (const fs::path samples = samples_folder(); !samples.empty()) answer["samples"] = files_in(samples, false);
  if (!desk.folders.all().empty()) {
    const fs::path folder = list.folder.empty() ? desk.folders.all().front() : desk.folders.inside(list.folder);
    answer["folder"] = folder.string();
    answer["files"] = files_in(folder, true);
  }
  desk.pages.reply(asker, answer);
}

void handle(Desk& desk, const Asker& asker, const command::Open& asked) {
  fs::path file;
  std::error_code status;
  const fs::path samples = samples_folder(), sample = fs::path(asked.path);
  if (!samples.empty() && sample.parent_path() == samples && is_plain_name(sample.filename().string()))
    file = own_sample(desk.folders, sample);
  else
    file = desk.folders.inside(asked.path);
  if (!can_be_opened(file) || !fs::is_regular_file(file, status))
    throw usage_error(asked.path + ": is no character; the studio opens .glb, .gltf and .vrm files.");
  open_file(desk, {file, nullptr}, asker);
}

}  // namespace sinew
