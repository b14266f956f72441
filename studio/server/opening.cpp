#include "studio/server/opening.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/adopt_skeleton.h"
#include "studio/server/cook_orders.h"
#include "studio/server/failure.h"
#include "studio/server/history_file.h"
#include "studio/server/method_settings.h"
#include "studio/server/project_file.h"
#include "studio/server/studio_state.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct Opening {
  fs::path path;
  Project project;
  History history;
  std::vector<std::string> notes;
  bool project_is_ours = true;
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

// Throws for a state that the character cannot be in.
void check_states(const Desk& desk, const Character& character, const HistoryLine& line, const std::string& file) {
  const std::size_t vertices = simulation_surface(character).rest.positions.size();
  const auto joints = static_cast<int>(character.skeleton.joints.size());
  std::set<std::tuple<std::string, std::string, std::string>> sound;  // methods with models and settings
  for (const auto& state : line.states) {
    const bool fits =
        std::all_of(state->paint.begin(), state->paint.end(), [&](const auto& item) { return item.second.size() == vertices; }) &&
        std::all_of(state->pose.joints.begin(), state->pose.joints.end(), [&](const auto& item) { return item.first < joints; });
    if (!fits) throw input_error(file + ": is of another character's surface or joints; what was done before cannot be undone.");
    const auto settings = state->settings.find(state->method);
    if (sound.emplace(state->method, state->model, settings == state->settings.end() ? "" : settings->second).second)
      choice_of(desk, *state);
  }
}

// What led to the project, or nothing where its file does not tell.
History history_beside(const Desk& desk, const Character& character, Opening& opening) {
  const fs::path file = history_path(opening.path);
  std::error_code status;
  if (!fs::exists(file, status)) return History(opening.project);
  try {
    const HistoryLine line = read_history(file);
    check_states(desk, character, line, file.string());
    return History(leading_to(line, opening.project));
  } catch (const Error& error) {
    opening.notes.emplace_back(error.what());
    return History(opening.project);
  }
}

// On the kitchen's thread: the project beside the file with its history, or a new one.
Order first_order(const Desk& desk, const OpenedCharacter& opened, Opening& opening) {
  const Character& character = opened.character;
  const fs::path file = project_path(opening.path);
  Project fresh;
  fresh.method = has_skin_weights(character) ? "flesh" : "mixed";
  opening.project = fresh;
  opening.history = History(fresh);
  std::error_code status;
  if (fs::exists(file, status)) {
    try {
      opening.project = project_from_json(read_text_file(file), file.string());
      choice_of(desk, opening.project);
      drop_what_does_not_fit(character, opening);
      opening.history = history_beside(desk, character, opening);
    } catch (const Error& error) {
      opening.project = fresh;
      opening.history = History(fresh);
      opening.project_is_ours = false;
      opening.notes.push_back(std::string(error.what()) + " Until then nothing is kept.");
    }
  }
  return {choice_of(desk, opening.project), opening.project.paint};
}

// On the kitchen's thread.
void enter(Desk& desk, Served served, const Opening& opening, const Asker& asker) {
  if (served.again) return serve(desk, std::move(served), 0);
  if (served.failure) {
    const std::string sentence = sentence_of(served.failure);
    if (asker.page == 0)
      tell_opening_failure(desk, sentence);
    else
      desk.pages.reply_error(asker, sentence);
    return;
  }
  const auto surface = std::make_shared<const SimulationSurface>(simulation_surface(served.cast.opened->character));
  desk.stage.post(asker.page, asker.id, [&desk, served, opening, surface, asker](Stage& stage) {
    const Character& character = served.cast.opened->character;
    try {
      stage.enter(served.cast, character.clips.empty() ? "" : character.clips[0].name, true);
      if (!opening.project.pose.empty()) stage.pose(opening.project.pose);
    } catch (const std::exception&) {
      const std::string sentence = sentence_of(std::current_exception());
      if (asker.page == 0)
        tell_opening_failure(desk, sentence);
      else
        desk.pages.reply_error(asker, sentence);
      return;
    }
    const std::lock_guard lock(desk.mutex);
    desk.cast = served.cast;
    desk.rest_surface = surface;
    desk.history = opening.history;
    desk.history_kept = desk.history.revision();
    desk.project_file = project_path(opening.path);
    desk.history_file = history_path(opening.path);
    desk.project_is_ours = opening.project_is_ours;
    desk.character_path = opening.path;
    desk.character_name = opening.path.filename().string();
    desk.recording.reset();
    desk.take_doing.clear();
    desk.gravity = PageJson();
    desk.outputs.clear();
    desk.waiters.clear();
    desk.opening_failed.clear();
    std::vector<std::string> notes = opening.notes;
    for (const std::string& note : served.cast.prepared->report.warnings) notes.push_back(note);
    if (!served.cast.opened->size.sentence.empty()) notes.insert(notes.begin(), served.cast.opened->size.sentence);
    desk.character = character_state(served.cast, desk.project_file.filename().string(), notes);
    desk.play = stage.state();
    desk.hands = hands_state(stage.hands());
    desk.method = method_state(desk.history.now(), stage.session().traits());
    desk.pages.send_all({{"event", "state"}, {"state", studio_state(desk)}});
    desk.pages.reply(asker);
  });
}

}  // namespace

void open_file(Desk& desk, OpenOrder file, const Asker& asker) {
  const auto opening = std::make_shared<Opening>();
  opening->path = file.file;
  desk.kitchen.open(
      std::move(file), [&desk, opening](const OpenedCharacter& opened) { return first_order(desk, opened, *opening); },
      [&desk, opening, asker](Served served) { enter(desk, std::move(served), *opening, asker); });
}

}  // namespace sinew
