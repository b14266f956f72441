#include "studio/server/bake_verbs.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/jobs/animate/report.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

// Existing files that this studio did not bake: another character's, or older ones.
std::vector<std::string> in_the_way(const Application& app, const BakeRequest& request) {
  std::vector<std::string> names;
  for (const fs::path& file : request.files()) {
    std::error_code status;
    const auto baked = app.outputs.find(file.filename().string());
    if (fs::exists(file, status) && (baked == app.outputs.end() || baked->second != file))
      names.push_back(file.filename().string());
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

void handle(Application& app, const Client& client, const command::Bake& bake) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  if (app.character.value("look", false))
    throw usage_error("This sample is only looked at; open it, or a character of your own, to bake.");
  BakeRequest request =
      bake_request(bake, app.history.now(), choice_of(app, app.history.now()), app.loaded.opened, app.character_path);
  if (const std::vector<std::string> names = in_the_way(app, request); !names.empty() && !bake.replace) {
    app.pages.reply(client, {{"error", joined(names) + (names.size() > 1 ? " are" : " is") +
                                           " there already; choose another name, or let it be replaced."},
                             {"in_the_way", names}});
    return;
  }
  request.surface = app.rest_surface;
  const std::string command = request.command;
  app.bakes.begin(std::move(request));
  app.pages.reply(client, {{"command", command}});
}

// Called on the bake's thread.
void finish_bake(Application& app, const Baked& baked) {
  tell_progress(app, "baking", {"", 1});
  if (baked.stopped) return tell_failure(app, "baking", "The bake was stopped; nothing was written.");
  if (!baked.failure.empty()) return tell_failure(app, "baking", baked.failure);
  const std::lock_guard lock(app.mutex);
  PageJson files = PageJson::array();
  for (const fs::path& file : baked.files) {
    std::error_code status;
    const std::string name = file.filename().string();
    files.push_back({{"name", name}, {"bytes", fs::file_size(file, status)}});
    app.outputs[name] = file;
  }
  app.pages.send_all({{"event", "baked"},
                      {"files", files},
                      {"command", baked.command},
                      {"report", PageJson::parse(report_json(baked.report))},
                      {"seconds", baked.seconds}});
  app.pages.send_all({{"event", "changed"}, {"outputs", outputs_state(app)}});
}

void handle(Application& app, const Client& client, const command::Cancel&) {
  app.cook_worker.cancel();
  app.bakes.cancel();
  const std::lock_guard lock(app.mutex);
  for (const PendingReply& pending : app.pending_replies) app.pages.reply_error(pending.client, "It was stopped.");
  app.pending_replies.clear();
  app.pages.reply(client);
}

}  // namespace sinew::studio
