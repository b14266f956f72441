// Verbs for drawn paths, of a joint and of the whole body: the clips that they make become motions of the project.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"
#include "sinew/jobs/motion/motion_file.h"
#include "studio/server/motion/project_motions.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

// A file of this clip in the folder of edits that does not exist yet.
fs::path file_for_edit(const fs::path& folder, const std::string& clip) {
  std::string name = clip.substr(0, 80);
  for (char& letter : name) {
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                       (letter >= 'A' && letter <= 'Z') || letter == ' ' || letter == ',' || letter == '-';
    if (!plain) letter = '_';
  }
  std::error_code status;
  for (int k = 1; k < 10000; ++k)
    if (fs::path file = folder / (name + (k > 1 ? " " + std::to_string(k) : "") + ".glb"); !fs::exists(file, status))
      return file;
  throw usage_error("There are too many edits in " + folder.filename().string() + "; remove some.");
}

const Clip& clip_that_plays(const Application& app) {
  const Character& character = app.loaded.opened->character;
  if (!app.loaded.opened->document || !app.loaded.scene)
    throw usage_error("The character has no bones whose path could be edited.");
  if (app.play.clip.empty()) throw usage_error("Choose a clip: a path is edited in one.");
  return character.clips[static_cast<std::size_t>(choose_clip(character, app.play.clip))];
}

void check_joint(const Application& app, int joint) {
  if (static_cast<std::size_t>(joint) >= app.loaded.opened->character.skeleton.joints.size())
    throw usage_error("The character has no joint " + std::to_string(joint) + ".");
}

// A clip that begins would end what is recorded or steered. `act`: what the user is about to do.
void check_may_draw(const Application& app, const std::string& act) {
  require_character(app);
  if (app.play.mode == PlayMode::recording) throw usage_error("Stop recording before you " + act + ".");
  if (app.play.mode == PlayMode::steering) throw usage_error("End steering (Esc) before you " + act + ".");
  if (app.character.value("look", false))
    throw usage_error("This sample is only looked at; open it, or a character of your own.");
  if (!app.loaded.opened->document || !app.loaded.scene)
    throw usage_error("The character has no bones that could be led along a path.");
}

PageJson path_json(const PathOfJoint& path) {
  PageJson places = PageJson::array();
  for (const Vec3& place : path.places) places.push_back({place.x, place.y, place.z});
  return {{"times", path.times}, {"places", std::move(places)}};
}

constexpr const char *edit_a_path = "edit a path", *draw_a_motion = "draw a motion";

// Keeps a clip as a motion of the project, which then plays: in the place of the clip that was edited, if that was an
// edit itself. `edited` is empty for a clip that was drawn.
void keep_clip(Application& app, const Client& client, const std::shared_ptr<const OpenedCharacter>& opened,
               const std::string& edited, const Clip& clip) {
  const std::lock_guard lock(app.mutex);
  if (app.loaded.opened != opened) throw usage_error("The character has other clips now; try again.");
  check_may_draw(app, edited.empty() ? draw_a_motion : edit_a_path);
  Project next = app.history.now();
  const fs::path folder = edits_folder(app.character_path);
  std::error_code status;
  auto place = next.motions.end();
  for (const AddedMotion& added : opened->motions)
    for (int k = added.first; k < added.first + added.count; ++k)
      if (const MotionRequest motion = motion_request(added.motion);
          opened->character.clips[static_cast<std::size_t>(k)].name == edited &&
          fs::equivalent(motion.file.parent_path(), folder, status))
        place = std::find(next.motions.begin(), next.motions.end(), text_of_motion(motion, app.character_path));
  if (place == next.motions.end() && next.motions.size() >= most_motions)
    throw usage_error("A project keeps " + std::to_string(most_motions) + " motions at most; remove one first.");
  fs::create_directories(folder, status);
  app.folders.inside(folder.string());  // throws for a link to elsewhere
  const fs::path file = file_for_edit(folder, clip.name);
  write_motion_file(*opened->document, clip, file);
  const std::string text = text_of_motion({file, clip.name}, app.character_path);
  if (place == next.motions.end())
    next.motions.push_back(text);
  else
    *place = text;
  commit_project(app, std::move(next), "path", "", client);
}

}  // namespace

void handle(Application& app, const Client& client, const command::ShowPath& asked) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  const Clip& clip = clip_that_plays(app);
  check_joint(app, asked.joint);
  app.pages.reply(client, path_json(path_of_joint(app.loaded.opened->character, clip, asked.joint)));
}

void handle(Application& app, const Client& client, const command::EditPath& asked) {
  std::shared_ptr<const OpenedCharacter> opened;
  std::string clip;
  {
    const std::lock_guard lock(app.mutex);
    check_may_draw(app, edit_a_path);
    clip = clip_that_plays(app).name;
    check_joint(app, asked.edit.joint);
    for (const int pin : asked.edit.pinned) check_joint(app, pin);
    if (!app.history.now().pose.joints.empty())
      throw usage_error("Joints are posed by hand; give all back before you edit a path.");
    opened = app.loaded.opened;
  }
  app.path_job.edit(opened, clip, asked.edit,
                    [&app, client, opened, clip, joint = asked.edit.joint, trial = asked.trial](
                        EditedPath edited, std::exception_ptr failure) {
                      try {
                        if (failure) std::rethrow_exception(failure);
                        if (!trial) return keep_clip(app, client, opened, clip, edited.clip);
                        PageJson answer = path_json(path_of_joint(opened->character, edited.clip, joint));
                        answer["missed"] = edited.missed;
                        answer["trunk_helps"] = edited.trunk_helps;
                        app.pages.reply(client, answer);
                      } catch (const std::exception&) {
                        app.pages.reply_error(client, sentence_of(std::current_exception()));
                      }
                    });
}

void handle(Application& app, const Client& client, const command::DrawMotion& asked) {
  std::shared_ptr<const OpenedCharacter> opened;
  {
    const std::lock_guard lock(app.mutex);
    check_may_draw(app, draw_a_motion);
    opened = app.loaded.opened;
  }
  app.path_job.draw(opened, asked.stroke, [&app, client, opened](const DrawnMotion& drawn, std::exception_ptr failure) {
    try {
      if (failure) std::rethrow_exception(failure);
      keep_clip(app, client, opened, "", drawn.clip);
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
}

}  // namespace sinew::studio
