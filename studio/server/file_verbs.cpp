// Hello, and what is opened.
#include "studio/server/verbs.h"

#include <filesystem>
#include <mutex>

#include "sinew/base/error.h"
#include "studio/server/cook/opening.h"
#include "studio/server/project/character_folder.h"
#include "studio/server/studio.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

constexpr int protocol_version = 1;

// A sample that pages open by themselves takes the place of nothing that a user opened or is opening.
void refuse_to_look(const Application& app) {
  const bool looked_at = app.loaded.opened && app.character.value("look", false);
  if (app.options.file || app.rigging || (app.loaded.opened && !looked_at))
    throw usage_error("A character was named or is open already; samples are looked at only where there is none.");
}

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
  if (asked.look) {
    const std::lock_guard lock(app.mutex);
    refuse_to_look(app);
  }
  fs::path file;
  std::error_code status;
  const fs::path samples = samples_folder(), sample = fs::path(asked.path);
  if (!samples.empty() && sample.parent_path() == samples && is_plain_name(sample.filename().string()))
    file = asked.look ? sample : own_sample(app.folders, sample);
  else if (asked.look)
    throw usage_error(asked.path + ": is not a sample; only those are opened to be looked at.");
  else
    file = app.folders.inside(asked.path);
  if (!can_be_opened(file) || !fs::is_regular_file(file, status))
    throw usage_error(asked.path + ": is not a character; the studio opens .glb, .gltf, .vrm and .obj files.");
  open_file(app, {file, nullptr, asked.look}, client);
}

}  // namespace sinew::studio
