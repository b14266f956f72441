// Verbs for force rigs: holding their controls, and making rigs from presets.
#include <exception>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/studio_state.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

constexpr int most_files = 10000;

// The file of rigs in the settings; empty: none.
std::string rigs_in(const Project& project) {
  const auto settings = project.settings.find(project.method);
  if (settings == project.settings.end() || settings->second.empty()) return "";
  const nlohmann::json json = nlohmann::json::parse(settings->second, nullptr, false);
  const auto shapes = json.find("shapes");
  return json.is_object() && shapes != json.end() && shapes->is_string() ? shapes->get<std::string>() : "";
}

// A file beside the project that does not exist yet. Every change makes another, so that undo finds the one before.
std::filesystem::path next_file(const Application& app) {
  const std::filesystem::path folder = app.project_file.parent_path();
  const std::string name = app.character_path.stem().string() + ".shapes";
  for (int k = 1; k < most_files; ++k)
    if (const std::filesystem::path file = folder / (name + (k > 1 ? "-" + std::to_string(k) : "") + ".json");
        !std::filesystem::exists(file))
      return file;
  throw usage_error("There are too many files of force rigs beside the project; remove some.");
}

}  // namespace

void handle(Application& app, const Client& client, const command::Shape& shape) {
  on_player(app, client, [&app, shape](LivePlayer& player) {
    player.shape(shape);
    const std::lock_guard lock(app.mutex);
    app.shapes = shapes_state(*player.loaded().scene, player.shapes());
    app.pages.send_all({{"event", "changed"}, {"shapes", app.shapes}});
  });
}

void handle(Application& app, const Client& client, const command::AddShape& add) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  if (app.history.now().method != FleshMethod().name())
    throw usage_error("Force rigs shape flesh; choose the method Flesh first.");
  AddShapeJob job;
  job.input = app.character_path;
  job.rigs = next_file(app);
  job.preset = add.preset;
  job.name = add.name;
  if (add.at) job.guide = Guide{GuideKind::skin, "", rest_point(*app.loaded.scene, *add.at)};
  const std::string before = rigs_in(app.history.now());
  app.shape_job.begin(job, before.empty() ? before : app.folders.inside(before).string(),
                      [&app, client, job](const std::string& failure) {
                        if (!failure.empty()) return app.pages.reply_error(client, failure);
                        const std::lock_guard again(app.mutex);
                        try {
                          require_character(app);
                          Project next = app.history.now();
                          if (app.character_path != job.input || next.method != FleshMethod().name())
                            throw usage_error("There is another character or method now; the rig is in " +
                                              job.rigs.filename().string() + ".");
                          std::string& settings = next.settings[next.method];
                          settings =
                              with_value(next.method, settings, "shapes", nlohmann::json(job.rigs.string()).dump());
                          commit_project(app, std::move(next), "shapes", "", client);
                        } catch (const std::exception&) {
                          app.pages.reply_error(client, sentence_of(std::current_exception()));
                        }
                      });
}

}  // namespace sinew::studio
