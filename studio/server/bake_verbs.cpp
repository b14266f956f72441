// Verbs that write files beside the character: bakes, and models that are learned from its flesh.
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/jobs/animate/report.h"
#include "studio/server/application.h"
#include "studio/server/cook/bake_request.h"
#include "studio/server/cook/file_jobs.h"
#include "studio/server/cook/fit_request.h"
#include "studio/server/cook/learn_request.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

// Existing files that this studio did not write: another character's, or older ones.
std::vector<std::string> in_the_way(const Application& app, const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files) {
    std::error_code status;
    const auto written = app.outputs.find(file.filename().string());
    if (fs::exists(file, status) && (written == app.outputs.end() || written->second != file))
      names.push_back(file.filename().string());
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// A character beside which files may be written.
void require_own_character(const Application& app) {
  require_character(app);
  if (app.character.value("look", false))
    throw usage_error("This sample is only looked at; open it, or a character of your own.");
}

// Tells pages what was written. Called on the job's thread.
void finish(Application& app, const FileJobDone& done, const char* event, const PageJson& report) {
  tell_progress(app, done.doing, {"", 1});
  if (done.stopped)
    return tell_failure(app, done.doing, "It was stopped before its result was complete; new files were removed.");
  if (!done.failure.empty()) return tell_failure(app, done.doing, done.failure);
  const std::lock_guard lock(app.mutex);
  PageJson files = PageJson::array();
  for (const fs::path& file : done.files) {
    std::error_code status;
    const std::string name = file.filename().string();
    files.push_back({{"name", name}, {"bytes", fs::file_size(file, status)}});
    app.outputs[name] = file;
  }
  app.pages.send_all(
      {{"event", event}, {"files", files}, {"command", done.command}, {"report", report}, {"seconds", done.seconds}});
  app.pages.send_all({{"event", "changed"}, {"outputs", outputs_state(app)}});
}

// Begins a job unless files are in its way, and answers. `report`: what the job reports once it has run.
void begin(Application& app, const Client& client, FileJob job, bool replace, const char* event,
           std::function<PageJson()> report) {
  if (const std::vector<std::string> names = in_the_way(app, job.files); !names.empty() && !replace) {
    app.pages.reply(client, {{"error", joined(names) + (names.size() > 1 ? " are" : " is") +
                                           " there already; choose another name, or let it be replaced."},
                             {"in_the_way", names}});
    return;
  }
  const std::string command = job.command;
  app.file_jobs.begin(std::move(job), [&app, event, report = std::move(report)](const FileJobDone& done) {
    finish(app, done, event, done.failure.empty() && !done.stopped ? report() : PageJson());
  });
  app.pages.reply(client, {{"command", command}});
}

JobInputs inputs_of(const Application& app, const Paint& paint) {
  return {app.loaded.opened, app.rest_surface, app.character_path, paint};
}

}  // namespace

void handle(Application& app, const Client& client, const command::Bake& bake) {
  app.file_jobs.wait_for_ended();
  const std::lock_guard lock(app.mutex);
  require_own_character(app);
  const Project& project = app.history.now();
  const auto request = std::make_shared<BakeRequest>(
      bake_request(bake, project, cook_request(app, project), app.loaded, app.character_path));
  request->surface = app.rest_surface;
  const auto report = std::make_shared<RunReport>();
  begin(app, client,
        {"baking", request->command, request->files(),
         [request, report](const Progress& progress) { return run_bake(*request, progress, *report); }},
        bake.replace, "baked", [report] { return PageJson::parse(report_json(*report)); });
}

void handle(Application& app, const Client& client, const command::Fit& fit) {
  app.file_jobs.wait_for_ended();
  const std::lock_guard lock(app.mutex);
  require_own_character(app);
  const Project& project = app.history.now();
  const auto settings = project.settings.find("flesh");
  const MethodChoice flesh =
      choice_from("flesh", settings == project.settings.end() ? "" : settings->second, app.folders);
  const auto request =
      std::make_shared<FitRequest>(fit_request(fit, inputs_of(app, project.paint), flesh.as<FleshMethod>().values));
  const auto report = std::make_shared<FitReport>();
  begin(app, client,
        {"learning", request->command, request->files.written(),
         [request, report](const Progress& progress) { return run_fit(*request, progress, *report); }},
        fit.replace, "learned", [request, report] { return PageJson::parse(fit_report_json(request->job, *report)); });
}

void handle(Application& app, const Client& client, const command::Learn& learn) {
  app.file_jobs.wait_for_ended();
  const std::lock_guard lock(app.mutex);
  require_own_character(app);
  if (!has_skin_weights(app.loaded.opened->character))
    throw usage_error("Only a character with skin weights has controls that its inside could follow.");
  Project project = app.history.now();
  project.method = RigSpaceMethod().name();
  give_first_settings(app, "", project);
  const auto request = std::make_shared<LearnRequest>(
      learn_request(learn, inputs_of(app, project.paint), choice_of(app, project).as<RigSpaceMethod>().values));
  const auto report = std::make_shared<LearnReport>();
  begin(app, client,
        {"learning the inside", request->command, request->files.written(),
         [request, report](const Progress& progress) { return run_learn(*request, progress, *report); }},
        learn.replace, "learned_inside", [report] { return learn_report_json(*report); });
}

void handle(Application& app, const Client& client, const command::Cancel&) {
  app.cook_worker.cancel();
  app.file_jobs.cancel();
  app.steer_job.cancel();
  app.push_job.cancel();
  app.path_job.cancel();
  const std::lock_guard lock(app.mutex);
  for (const PendingReply& pending : app.pending_replies) app.pages.reply_error(pending.client, "It was stopped.");
  app.pending_replies.clear();
  app.pages.reply(client);
}

}  // namespace sinew::studio
