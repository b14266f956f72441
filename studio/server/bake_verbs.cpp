#include "studio/server/bake_verbs.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/jobs/report.h"
#include "studio/server/verbs.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// What is there already, and was not baked here: another character's, or one from before.
std::vector<std::string> in_the_way(const Desk& desk, const BakeOrder& order) {
  std::vector<std::string> names;
  for (const fs::path& file : order.files()) {
    std::error_code status;
    const auto baked = desk.outputs.find(file.filename().string());
    if (fs::exists(file, status) && (baked == desk.outputs.end() || baked->second != file))
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

void handle(Desk& desk, const Asker& asker, const command::Bake& bake) {
  const std::lock_guard lock(desk.mutex);
  require_character(desk);
  BakeOrder order =
      bake_order(bake, desk.history.now(), choice_of(desk, desk.history.now()), desk.cast.opened, desk.character_path);
  if (const std::vector<std::string> names = in_the_way(desk, order); !names.empty() && !bake.replace) {
    desk.pages.reply(asker, {{"error", joined(names) + (names.size() > 1 ? " are" : " is") +
                                           " there already; choose another name, or let it be replaced."},
                             {"in_the_way", names}});
    return;
  }
  order.surface = desk.rest_surface;
  const std::string command = order.command;
  desk.bakes.begin(std::move(order));
  desk.pages.reply(asker, {{"command", command}});
}

// On the thread that baked.
void finish_bake(Desk& desk, const Baked& baked) {
  tell_progress(desk, "baking", {"", 1});
  if (baked.stopped) return tell_failure(desk, "baking", "The bake was stopped; nothing was written.");
  if (!baked.failure.empty()) return tell_failure(desk, "baking", baked.failure);
  const std::lock_guard lock(desk.mutex);
  PageJson files = PageJson::array();
  for (const fs::path& file : baked.files) {
    std::error_code status;
    const std::string name = file.filename().string();
    files.push_back({{"name", name}, {"bytes", fs::file_size(file, status)}});
    desk.outputs[name] = file;
  }
  desk.pages.send_all({{"event", "baked"},
                       {"files", files},
                       {"command", baked.command},
                       {"report", PageJson::parse(report_json(baked.report))},
                       {"seconds", baked.seconds}});
  desk.pages.send_all({{"event", "changed"}, {"outputs", outputs_state(desk)}});
}

void handle(Desk& desk, const Asker& asker, const command::Cancel&) {
  desk.kitchen.cancel();
  desk.bakes.cancel();
  const std::lock_guard lock(desk.mutex);
  for (const Waiter& waiter : desk.waiters) desk.pages.reply_error(waiter.asker, "It was stopped.");
  desk.waiters.clear();
  desk.pages.reply(asker);
}

}  // namespace sinew
