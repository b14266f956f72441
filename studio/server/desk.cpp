#include "studio/server/desk.h"

#include <system_error>
#include <utility>

#include "sinew/base/error.h"
#include "studio/server/history_file.h"
#include "studio/server/method_settings.h"
#include "studio/server/studio_state.h"

namespace sinew {
namespace {

Project with_recording(const Desk& desk) {
  Project project = desk.history.now();
  if (desk.recording) project.takes.push_back(desk.recording);
  return project;
}

}  // namespace

void tell_failure(Desk& desk, const std::string& what, const std::string& sentence) {
  desk.pages.send_all({{"event", "failed"}, {"what", what}, {"error", sentence}});
}
void tell_opening_failure(Desk& desk, const std::string& sentence) {
  bool empty = false;
  {
    const std::lock_guard lock(desk.mutex);
    empty = !desk.cast.opened;
    if (empty) desk.opening_failed = sentence;
  }
  if (empty && desk.options.say) desk.options.say(sentence);
  tell_failure(desk, "opening", sentence);
}

void tell_progress(Desk& desk, const std::string& what, const ProgressReport& done) {
  PageJson json{{"what", what}, {"activity", done.activity}, {"share", done.fraction}};
  {
    const std::lock_guard lock(desk.mutex);
    desk.work = done.fraction >= 1 ? PageJson() : json;
  }
  PageJson event{{"event", "progress"}};
  event.update(json);
  desk.pages.send_all(event);
}

void require_character(const Desk& desk) {
  if (!desk.cast.opened) throw usage_error("There is no character yet; open one.");
}

MethodChoice choice_of(const Desk& desk, const Project& project) {
  const auto settings = project.settings.find(project.method);
  return choice_from(project.method, project.model, settings == project.settings.end() ? "" : settings->second,
                     desk.folders);
}

// With what null comes to in the flesh that was cooked last.
PageJson settings_state(const Desk& desk) {
  std::map<std::string, double> now;
  if (desk.cast.prepared && desk.cast.prepared->flesh) {
    now["young"] = desk.cast.prepared->flesh->material.young;
    now["damping"] = desk.cast.prepared->flesh->material.damping_ratio;
  }
  return describe_settings(choice_of(desk, desk.history.now()), now);
}

PageJson painted_state(const Desk& desk) {
  PageJson painted = PageJson::array();
  for (const auto& [channel, layer] : desk.history.now().paint) painted.push_back(channel);
  return painted;
}

void save_project(Desk& desk) {
  if (desk.project_file.empty() || !desk.project_is_ours) return;
  const Project project = with_recording(desk);
  desk.saver.save(desk.project_file, [project, name = desk.character_name] { return project_json(project, name); });
  if (std::exchange(desk.history_kept, desk.history.revision()) == desk.history.revision()) return;
  desk.history_saver.save(desk.history_file, [line = desk.history.line(), name = desk.character_name] {
    return history_json(line, name);
  });
}
PageJson take_state(const Desk& desk) {
  return desk.take_doing.empty() ? PageJson() : PageJson{{"name", desk.take_name}, {"doing", desk.take_doing}};
}

PageJson outputs_state(const Desk& desk) {
  PageJson outputs = PageJson::array();
  for (const auto& [name, file] : desk.outputs) {
    std::error_code status;
    outputs.push_back({{"name", name}, {"bytes", std::filesystem::file_size(file, status)}});
  }
  return outputs;
}

PageJson studio_state(const Desk& desk) {
  PageJson json{{"character", desk.character}};
  json["failed"] = desk.opening_failed.empty() ? PageJson() : PageJson(desk.opening_failed);
  if (!desk.cast.opened) return json;
  const Project& now = desk.history.now();
  json["play"] = play_state(desk.play);
  json["method"] = desk.method;
  json["settings"] = settings_state(desk);
  json["pose"] = pose_state(now.pose);
  json["carried"] = {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z};
  json["gravity"] = desk.gravity;
  json["hands"] = desk.hands;
  json["painted"] = painted_state(desk);
  json["history"] = history_state(desk.history);
  json["takes"] = takes_state(now);
  json["take"] = take_state(desk);
  json["work"] = desk.work;
  json["beside"] = desk.beside;
  json["outputs"] = outputs_state(desk);
  return json;
}

}  // namespace sinew
