// The verb that pushes the body: its reaction becomes a clip of the character.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/jobs/motion/motion_file.h"
#include "sinew/session/attachment_placing.h"
#include "studio/server/live/hands.h"
#include "studio/server/motion/project_motions.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

// A file beside the character that does not exist yet.
std::filesystem::path file_for_push(const std::filesystem::path& character) {
  std::filesystem::path file;
  std::error_code status;
  for (int k = 1; k < 10000; ++k) {
    file = character;
    file.replace_extension(".pushed" + (k > 1 ? std::to_string(k) : std::string()) + ".glb");
    if (!std::filesystem::exists(file, status)) return file;
  }
  throw usage_error("There are too many files like " + file.filename().string() +
                    " beside the character; remove some.");
}

// A clip that begins would end what is recorded or steered.
void check_mode(const Application& app) {
  if (app.play.mode == PlayMode::recording) throw usage_error("Stop recording before you push the body.");
  if (app.play.mode == PlayMode::steering) throw usage_error("End steering (Esc) before you push the body.");
}

// Keeps a clip beside the character as a motion of the project, which then plays.
void keep_reaction(Application& app, const Client& client, const OpenedCharacter& opened,
                   const std::shared_ptr<const OpenedCharacter>& read, const Clip& clip) {
  const std::lock_guard lock(app.mutex);
  if (app.loaded.read != read) throw usage_error("Another character was opened meanwhile.");
  check_mode(app);
  Project next = app.history.now();
  if (next.motions.size() >= most_motions)
    throw usage_error("A project keeps " + std::to_string(most_motions) + " motions at most; remove one first.");
  const std::filesystem::path file = file_for_push(app.character_path);
  write_motion_file(*opened.document, clip, file);
  next.motions.push_back(text_of_motion({file, clip.name}, app.character_path));
  commit_project(app, std::move(next), "push", "", client);
}

}  // namespace

void handle(Application& app, const Client& client, const command::PushBody& push) {
  ReactMotionJob job;
  std::shared_ptr<const OpenedCharacter> opened, read;
  {
    const std::lock_guard lock(app.mutex);
    require_character(app);
    check_mode(app);
    if (app.character.value("look", false))
      throw usage_error("This sample is only looked at; open it, or a character of your own.");
    opened = app.loaded.opened;
    read = app.loaded.read;
    const Character& character = opened->character;
    if (!opened->document || !app.loaded.scene) throw usage_error("The character has no bones that could react.");
    if (app.play.clip.empty() && !character.clips.empty()) throw usage_error("Choose a clip before you push the body.");
    job.clip = app.play.clip;
    double start = 0, end = 0;
    for (const Clip& clip : character.clips)
      if (clip.name == job.clip) start = clip.start, end = clip.end;
    const std::string joint =
        attachment_at(character, *app.rest_surface, rest_point(*app.loaded.scene, push.at), "").joint;
    job.pushes.push_back({std::clamp(push.clip_time, start, end) - start, joint, push.impulse});
  }
  app.push_job.begin(std::move(opened), std::move(job),
                     [&app, client, read](const OpenedCharacter& character, Clip clip, std::exception_ptr failure) {
                       try {
                         if (failure) std::rethrow_exception(failure);
                         keep_reaction(app, client, character, read, clip);
                       } catch (const std::exception&) {
                         app.pages.reply_error(client, sentence_of(std::current_exception()));
                       }
                     });
}

}  // namespace sinew::studio
