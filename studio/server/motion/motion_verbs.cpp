// Verbs for motion of other files, and built-in motion.
#include <algorithm>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/jobs/motion/motion_map.h"
#include "sinew/jobs/motion/motion_source.h"
#include "sinew/kinematics/built_in_motion.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/motion/project_motions.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

void play_motion(Application& app, const Client& client, const std::string& text) {
  on_playing_player(app, client, [text, character = app.character_path](LivePlayer& player) {
    const std::string clip = first_clip_of(player.loaded(), text, character);
    if (clip.empty()) throw usage_error("This motion is still being added.");
    command::Play play;
    play.clip = clip;
    player.play(play);
  });
}

// Files of motion that are offered: those that pages have sent, those of the project, and motion beside the character
// that is nothing else.
std::set<fs::path> offered_files(const Application& app) {
  std::set<fs::path> files = app.motion_files;
  for (const std::string& text : app.history.now().motions) try {
      const MotionRequest motion = motion_of_text(text, app.character_path, app.folders);
      if (!is_built_in(motion)) files.insert(motion.file);
    } catch (const Error&) {
      // It is gone.
    }
  constexpr std::size_t most = 200;
  std::error_code status;
  const fs::path folder = fs::canonical(fs::absolute(app.character_path).parent_path(), status);
  if (status || app.character.value("look", false)) return files;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, status)) {
    const std::string ending = lower_case_ending(entry.path());
    if (files.size() < most && (ending == ".bvh" || ending == ".vrma") && entry.is_regular_file(status) &&
        entry.path().filename().string().front() != '.')
      files.insert(entry.path());
  }
  return files;
}

PageJson built_in_choices() {
  PageJson choices = PageJson::array();
  for (const Gesture& gesture : all_gestures())
    choices.push_back({{"motion", "test:" + std::string(gesture.name)},
                       {"name", std::string(gesture.name)},
                       {"about", std::string(gesture.summary)}});
  return choices;
}

PageJson file_choices(MotionWorker& worker, const fs::path& file, const fs::path& character) {
  PageJson json{{"file", file.filename().string()}, {"choices", PageJson::array()}};
  try {
    for (const std::string& clip : worker.clips_of(file))
      json["choices"].push_back({{"motion", text_of_motion({file, clip}, character)}, {"name", clip}, {"about", ""}});
  } catch (const std::exception&) {
    json["error"] = sentence_of(std::current_exception());
  }
  return json;
}

}  // namespace

void handle(Application& app, const Client& client, const command::EditMotion& edit) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  if (edit.action == "map") {
    next.motion_map.clear();
    if (!edit.motion.empty()) {
      const fs::path file = file_of_text(edit.motion, app.character_path, app.folders);
      read_motion_map(file);  // throws for a damaged one
      next.motion_map = text_of_file(file, app.character_path);
    }
    return commit_project(app, std::move(next), "bones of motion", "", client);
  }
  if (edit.action == "remove") {
    if (std::erase(next.motions, edit.motion) == 0)
      throw usage_error("'" + edit.motion + "' is no motion of this character.");
    return commit_project(app, std::move(next), "motion", "", client);
  }
  const std::string text =
      text_of_motion(motion_of_text(edit.motion, app.character_path, app.folders), app.character_path);
  if (std::find(next.motions.begin(), next.motions.end(), text) != next.motions.end())
    return play_motion(app, client, text);
  if (next.motions.size() == most_motions)
    throw usage_error("A project keeps " + std::to_string(most_motions) + " motions at most; remove one first.");
  next.motions.push_back(text);
  commit_project(app, std::move(next), "motion", "", client);
}

void handle(Application& app, const Client& client, const command::ListMotions&) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  app.motion_worker.run([&app, client, files = offered_files(app), character = app.character_path] {
    PageJson answer{{"built_in", built_in_choices()}, {"files", PageJson::array()}};
    for (const fs::path& file : files) answer["files"].push_back(file_choices(app.motion_worker, file, character));
    app.pages.reply(client, answer);
  });
}

void handle(Application& app, const Client& client, const command::PictureMotion& asked) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  const MotionPicture picture{app.loaded.read, motion_of_text(asked.motion, app.character_path, app.folders),
                              map_of(app.history.now(), app.character_path, app.folders)};
  app.motion_worker.run([&app, client, picture] {
    try {
      app.pages.reply(client, app.motion_worker.picture_of(picture));
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
}

}  // namespace sinew::studio
