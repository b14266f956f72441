#include "studio/server/cook/opening.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/jobs/motion/motion_map.h"
#include "studio/server/cook/cook_requests.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/curves/curve_verbs.h"
#include "studio/server/motion/project_motions.h"
#include "studio/server/project/history_file.h"
#include "studio/server/project/project_file.h"
#include "studio/server/rigging/rig_verbs.h"
#include "studio/server/studio_state.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

struct Opening {
  fs::path path;
  Project project;
  History history;
  std::vector<std::string> notes;
  bool project_is_ours = true;
  bool look = false;
};

void drop_what_does_not_fit(const Character& character, Opening& opening) {
  Project& project = opening.project;
  if (!project.paint.empty()) {
    const std::size_t vertices = simulation_surface(character).rest.positions.size();
    const bool fits = std::all_of(project.paint.begin(), project.paint.end(),
                                  [&](const auto& item) { return item.second.size() == vertices; });
    if (!fits) {
      project.paint.clear();
      opening.notes.push_back(
          "The character has another surface than when it was painted; the project's paint is left out.");
    }
  }
  const auto joints = static_cast<int>(character.skeleton.joints.size());
  std::erase_if(project.pose.joints, [&](const auto& item) { return item.first >= joints; });
}

// Leaves out motions whose files are gone, or that the character cannot have any more.
void drop_lost_motions(const Application& app, const OpenedCharacter& opened, Opening& opening) {
  std::vector<std::string> kept;
  fs::path map;
  if (!opening.project.motion_map.empty()) try {
      map = file_of_text(opening.project.motion_map, opening.path, app.folders);
      read_motion_map(map);
    } catch (const Error& error) {
      opening.notes.push_back(lost_map_note(error.what()));
      opening.project.motion_map.clear();
    }
  for (const std::string& text : opening.project.motions) try {
      const MotionRequest motion = motion_of_text(text, opening.path, app.folders);
      OpenedCharacter tried = copy_of(opened);
      add_motions(std::span(&motion, 1), opening.project.motion_map.empty() ? fs::path() : map, tried);
      kept.push_back(text_of_motion(motion, opening.path));
    } catch (const Error& error) {
      opening.notes.push_back(lost_motion_note(error.what(), text));
    }
  opening.project.motions = std::move(kept);
}

// Throws if the state is impossible for the character.
void check_states(const Application& app, const Character& character, const HistoryLine& line,
                  const std::string& file) {
  const std::size_t vertices = simulation_surface(character).rest.positions.size();
  const auto joints = static_cast<int>(character.skeleton.joints.size());
  std::set<std::pair<std::string, std::string>> sound;  // methods with settings, already checked
  for (const auto& state : line.states) {
    const bool fits = std::all_of(state->paint.begin(), state->paint.end(),
                                  [&](const auto& item) { return item.second.size() == vertices; }) &&
                      std::all_of(state->pose.joints.begin(), state->pose.joints.end(),
                                  [&](const auto& item) { return item.first < joints; });
    if (!fits)
      throw input_error(file + ": belongs to another character's surface or joints; earlier changes cannot be undone.");
    const auto settings = state->settings.find(state->method);
    if (sound.emplace(state->method, settings == state->settings.end() ? "" : settings->second).second)
      choice_of(app, *state);
  }
}

// The history that leads to the project; empty if its file does not contain it.
History history_beside(const Application& app, const Character& character, Opening& opening) {
  const fs::path file = history_path(opening.path);
  std::error_code status;
  if (!fs::exists(file, status)) return History(opening.project);
  try {
    const HistoryLine line = read_history(file);
    check_states(app, character, line, file.string());
    return History(leading_to(line, opening.project));
  } catch (const Error& error) {
    opening.notes.emplace_back(error.what());
    return History(opening.project);
  }
}

// The project beside the file with its history, or a new one. Called on the cook worker's thread.
CookRequest first_request(const Application& app, const OpenedCharacter& opened, Opening& opening) {
  const Character& character = opened.character;
  const fs::path file = project_path(opening.path);
  Project fresh;
  fresh.method = has_skin_weights(character) ? "flesh" : "mixed";
  opening.project = fresh;
  opening.history = History(fresh);
  if (opening.look) opening.project_is_ours = false;
  std::error_code status;
  if (!opening.look && fs::exists(file, status)) {
    try {
      opening.project = project_from_json(read_text_file(file), file.string());
      choice_of(app, opening.project);
      drop_what_does_not_fit(character, opening);
      drop_lost_motions(app, opened, opening);
      opening.history = history_beside(app, character, opening);
    } catch (const Error& error) {
      opening.project = fresh;
      opening.history = History(fresh);
      opening.project_is_ours = false;
      opening.notes.push_back(std::string(error.what()) + " Until then nothing is kept.");
    }
  }
  return {choice_of(app, opening.project), opening.project.paint,
          motions_of(opening.project, opening.path, app.folders)};
}

void refuse(Application& app, const std::string& sentence, const Client& client) {
  if (client.page == 0)
    tell_opening_failure(app, sentence);
  else
    app.pages.reply_error(client, sentence);
}

// Called on the cook worker's thread.
void enter(Application& app, CookResult delivered, const Opening& opening, const Client& client) {
  if (delivered.again) return deliver(app, std::move(delivered), {});
  if (delivered.failure) {
    refuse(app, sentence_of(delivered.failure), client);
    return;
  }
  if (!delivered.loaded.scene) {
    try {
      return enter_rigging(app, delivered.loaded, opening.path, client);
    } catch (const std::exception&) {
      return refuse(app, sentence_of(std::current_exception()), client);
    }
  }
  const auto surface =
      std::make_shared<const SimulationSurface>(simulation_surface(delivered.loaded.opened->character));
  app.player.post(client.page, client.id, [&app, delivered, opening, surface, client](LivePlayer& player) {
    const Character& character = delivered.loaded.opened->character;
    try {
      player.enter(delivered.loaded, character.clips.empty() ? "" : character.clips[0].name, true);
      if (!opening.project.pose.empty()) player.pose(opening.project.pose);
    } catch (const std::exception&) {
      return refuse(app, sentence_of(std::current_exception()), client);
    }
    const std::lock_guard lock(app.mutex);
    app.loaded = delivered.loaded;
    app.rigging.reset();
    app.lattice.reset();
    app.rest_surface = surface;
    app.history = opening.history;
    app.history_kept = app.history.revision();
    app.uncooked.clear();
    ++app.cooks;  // those before were for another character
    app.project_file = project_path(opening.path);
    app.history_file = history_path(opening.path);
    app.project_is_ours = opening.project_is_ours;
    app.character_path = opening.path;
    app.character_name = opening.path.filename().string();
    app.recording.reset();
    app.outputs.clear();
    app.pending_replies.clear();
    app.opening_failed.clear();
    std::vector<std::string> notes = opening.notes;
    for (const std::string& note : delivered.loaded.scene->report.warnings) notes.push_back(note);
    if (!delivered.loaded.opened->size.sentence.empty())
      notes.insert(notes.begin(), delivered.loaded.opened->size.sentence);
    app.character = character_state(delivered.loaded, app.project_file.filename().string(), notes);
    app.character["look"] = opening.look;
    app.play = player.state();
    app.acting = acting_state(player.hands());
    app.shapes = shapes_state(*delivered.loaded.scene, player.hands().shapes);
    app.muscles = muscles_state(*delivered.loaded.scene);
    app.method = method_state(app.history.now(), player.session().traits());
    app.pages.send_all({{"event", "state"}, {"state", studio_state(app)}});
    follow_curves(app);
    app.pages.reply(client);
  });
}

}  // namespace

void open_file(Application& app, OpenRequest file, const Client& client) {
  app.push_job.cancel();  // its clip would be of the character that is left
  app.path_job.cancel();
  const auto opening = std::make_shared<Opening>();
  opening->path = file.file;
  opening->look = file.look;
  app.cook_worker.open(
      std::move(file), [&app, opening](const OpenedCharacter& opened) { return first_request(app, opened, *opening); },
      [&app, opening, client](CookResult delivered) { enter(app, std::move(delivered), *opening, client); });
}

}  // namespace sinew::studio
