#include "studio/server/application.h"

#include <system_error>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cook/methods.h"
#include "sinew/files/settings_json.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/lattice/lattice_verbs.h"
#include "studio/server/motion/project_motions.h"
#include "studio/server/paint/limb_curves.h"
#include "studio/server/project/history_file.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/studio_state.h"

namespace sinew::studio {
namespace {

Project with_recording(const Application& app) {
  Project project = app.history.now();
  if (app.recording) project.takes.push_back(app.recording);
  return project;
}

}  // namespace

void tell_failure(Application& app, const std::string& what, const std::string& sentence) {
  app.pages.send_all({{"event", "failed"}, {"what", what}, {"error", sentence}});
}
void tell_opening_failure(Application& app, const std::string& sentence) {
  bool empty = false;
  {
    const std::lock_guard lock(app.mutex);
    empty = !app.loaded.opened;
    if (empty) app.opening_failed = sentence;
  }
  if (empty && app.options.say) app.options.say(sentence);
  tell_failure(app, "opening", sentence);
}

void tell_progress(Application& app, const std::string& what, const ProgressReport& done) {
  PageJson json{{"what", what}, {"activity", done.activity}, {"share", done.fraction}};
  {
    const std::lock_guard lock(app.mutex);
    app.work = done.fraction >= 1 ? PageJson() : json;
  }
  PageJson event{{"event", "progress"}};
  event.update(json);
  app.pages.send_all(event);
}

void require_character(const Application& app) {
  if (!app.loaded.opened) throw usage_error("There is no character yet; open one.");
}

MethodChoice choice_of(const Application& app, const Project& project) {
  const auto settings = project.settings.find(project.method);
  return choice_from(project.method, settings == project.settings.end() ? "" : settings->second, app.folders);
}

CookRequest cook_request(const Application& app, const Project& project) {
  return {choice_of(app, project), project.paint,
          motions_of(project, app.character_path, app.folders, app.loaded.asked)};
}

void give_first_settings(const Application& app, const std::string& model, Project& project) {
  if (!project.settings.contains(project.method)) {
    MethodChoice choice = method_named(project.method);
    const std::string usual = table_json(choice->settings());
    choice->suit(*app.loaded.scene->surface);
    if (const std::string fitting = table_json(choice->settings()); fitting != usual)
      project.settings[project.method] = fitting;
  }
  if (!model.empty())
    project.settings[project.method] =
        with_model(project.method, project.settings[project.method], app.folders.inside(model).string());
}

PageJson settings_state(const Application& app) {
  const std::map<std::string, double> decided =
      app.loaded.scene ? app.loaded.scene->decided : std::map<std::string, double>();
  return describe_settings(choice_of(app, app.history.now()), decided);
}

PageJson fields_state(const Application& app) {
  PageJson fields = PageJson::array();
  const std::vector<FieldInUse> in_use = choice_of(app, app.history.now())->traits().fields;
  for (const FieldInUse& use : in_use) {
    const PaintedField& field = painted_fields[use.field];
    fields.push_back({{"name", field.name},
                      {"title", field.title},
                      {"least", field.least},
                      {"most", field.most},
                      {"neutral", field.neutral},
                      {"multiplies", field.kind == FieldKind::multiplies},
                      {"unit", field.unit},
                      {"effect", field.effect}});
  }
  return fields;
}

PageJson limbs_state(const Application& app) { return limbs_json(choice_of(app, app.history.now())); }

PageJson painted_state(const Application& app) {
  PageJson painted = PageJson::array();
  for (const auto& [channel, layer] : app.history.now().paint) painted.push_back(channel);
  return painted;
}

void save_project(Application& app) {
  if (app.project_file.empty() || !app.project_is_ours) return;
  const Project project = with_recording(app);
  app.saver.save(app.project_file, [project, name = app.character_name] { return project_json(project, name); });
  if (std::exchange(app.history_kept, app.history.revision()) == app.history.revision()) return;
  app.history_saver.save(app.history_file,
                         [line = app.history.line(), name = app.character_name] { return history_json(line, name); });
}
PageJson take_state(const Application& app) {
  if (may_loop(app.play.mode) || app.play.mode == PlayMode::steering) return nullptr;
  const bool recorded = app.play.mode == PlayMode::recording;
  return {{"name", app.take_name}, {"doing", recorded ? "recording" : "playing"}};
}

PageJson outputs_state(const Application& app) {
  PageJson outputs = PageJson::array();
  for (const auto& [name, file] : app.outputs) {
    std::error_code status;
    outputs.push_back({{"name", name}, {"bytes", std::filesystem::file_size(file, status)}});
  }
  return outputs;
}

PageJson studio_state(const Application& app) {
  PageJson json{{"character", app.character}};
  json["failed"] = app.opening_failed.empty() ? PageJson() : PageJson(app.opening_failed);
  json["loads"] = loads_state();
  json["presets"] = presets_state();
  json.update(templates_state());
  json["rigging"] = app.rigging ? rigging_state(*app.rigging) : PageJson();
  json["lattice"] = lattice_state(app);
  if (!app.loaded.opened) return json;
  const Project& now = app.history.now();
  json["clips"] = clips_state(*app.loaded.opened, app.character_path);
  json["motions"] = motions_state(*app.loaded.opened, app.character_path);
  json["motion_map"] = now.motion_map;
  json["play"] = play_state(app.play);
  json["method"] = app.method;
  json["settings"] = settings_state(app);
  json["pose"] = pose_state(now.pose);
  json["kept_poses"] = kept_poses_state(now);
  json["carried"] = {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z};
  json.update(app.acting);
  json["shapes"] = app.shapes;
  json["muscles"] = app.muscles;
  json["rigs"] = rigs_state(app, now);
  json["fields"] = fields_state(app);
  json["limbs"] = limbs_state(app);
  json["painted"] = painted_state(app);
  json["history"] = history_state(app.history);
  json["takes"] = takes_state(now);
  json["take"] = take_state(app);
  json["work"] = app.work;
  json["beside"] = app.comparison;
  json["outputs"] = outputs_state(app);
  return json;
}

}  // namespace sinew::studio
