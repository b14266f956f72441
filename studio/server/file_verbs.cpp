// Hello, and what is opened.
#include "studio/server/verbs.h"

#include <filesystem>

#include "sinew/base/error.h"
#include "studio/server/cook/opening.h"
#include "studio/server/project/character_folder.h"
#include "studio/server/studio.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

constexpr int protocol_version = 1;

}  // namespace

void handle(Application& app, const Client& client, const command::Hello& hello) {
  if (hello.version != protocol_version)
    throw usage_error(hello.version > protocol_version ? "This page is newer than the program; load it again."
                                                       : "This page is older than the program; load it again.");
  app.pages.greet(client.page);
  const std::lock_guard lock(app.mutex);
  app.pages.reply(client, {{"version", protocol_version}, {"program", SINEW_VERSION}, {"state", studio_state(app)}});
}

void handle(Application& app, const Client& client, const command::Next&) { app.pages.ask_for_frame(client.page); }

void handle(Application& app, const Client& client, const command::ListFiles& list) {
  PageJson answer{{"folders", PageJson::array()}, {"files", PageJson::array()}, {"samples", PageJson::array()}};
  for (const fs::path& folder : app.folders.all()) answer["folders"].push_back(folder.string());
  if (const fs::path samples = samples_folder(); !samples.empty()) answer["samples"] = files_in(samples, false);
  if (!app.folders.all().empty()) {
    const fs::path folder = list.folder.empty() ? app.folders.all().front() : app.folders.inside(list.folder);
    answer["folder"] = folder.string();
    answer["files"] = files_in(folder, true);
  }
  app.pages.reply(client, answer);
}

void handle(Application& app, const Client& client, const command::Open& asked) {
  fs::path file;
  std::error_code status;
  const fs::path samples = samples_folder(), sample = fs::path(asked.path);
  if (!samples.empty() && sample.parent_path() == samples && is_plain_name(sample.filename().string()))
    file = own_sample(app.folders, sample);
  else
    file = app.folders.inside(asked.path);
  if (!can_be_opened(file) || !fs::is_regular_file(file, status))
    throw usage_error(asked.path + ": is not a character; the studio opens .glb, .gltf, .vrm and .obj files.");
  open_file(app, {file, nullptr}, client);
}

}  // namespace sinew::studio
