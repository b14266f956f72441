#include "sinew/jobs/open_session.h"

#include <utility>

#include "sinew/base/simulation_context.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"
#include "sinew/cook/cook.h"
#include "sinew/deform/rig_controls.h"
#include "sinew/jobs/motion/add_motions.h"

namespace sinew {
namespace {

constexpr double read = 0.1;  // share of the progress

// Adds the motions and returns what is left of the clip that is asked for (MotionChoice).
std::string take_motions(const SessionRequest& request, OpenedCharacter& opened) {
  const MotionChoice choice = motion_choice(request.motions, request.clip, opened.character);
  add_motions(choice.motions, request.motion_map, opened);
  return choice.clip;
}

// Index of a clip, -1 for the rest pose.
int chosen_clip(const OpenedCharacter& opened, const std::string& clip) {
  if (opened.motions.empty()) return choose_clip(opened.character, clip);
  return clip.empty() ? opened.motions.front().first : choose_clip_with_motions(opened, clip);
}

const Clip* clip_at(const Character& character, int clip) {
  return clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(clip)];
}

Scene cooked(OpenedCharacter& opened, const std::string& name, const MethodChoice& method, const Progress& progress) {
  const int clip = chosen_clip(opened, name);
  refuse_outlier_clip(opened.character, clip_at(opened.character, clip));
  Scene scene = cook(*method, {opened.character, {clip}}, part_of(progress, read, 1));
  if (scene.completed) opened.character = *scene.completed;
  std::vector<std::string>& warnings = scene.report.warnings;
  std::vector<std::string> notes = notes_on_motions(opened);
  if (const std::string& note = opened.size.sentence; !note.empty()) notes.push_back(note);
  warnings.insert(warnings.begin(), notes.begin(), notes.end());
  return scene;
}

template <class Open>
std::unique_ptr<LiveCharacter> open(const std::string& name, const Open& read_it, const SessionRequest& request,
                                    const Progress& progress, const std::stop_token& stop) {
  const StopInLoops stops([&](const ProgressReport& done) {
    return !stop.stop_requested() && report(progress, done.activity, done.fraction);
  });
  report_or_stop(stops.progress(), "reading " + name, 0);
  return in_context(name, other_body, [&] {
    auto live = std::make_unique<LiveCharacter>(read_it(), request, stops.progress());
    report_or_stop(stops.progress(), "ready", 1);
    return live;
  });
}

}  // namespace

LiveCharacter::LiveCharacter(OpenedCharacter opened, const SessionRequest& request, const Progress& progress)
    : opened_(std::move(opened)),
      first_clip_(take_motions(request, opened_)),
      scene_(cooked(opened_, first_clip_, request.method, progress)),
      session_(opened_.character, scene_, playback(first_clip_, request.loop)) {}

Playback LiveCharacter::playback(const std::string& name, bool loop) const {
  const int index = chosen_clip(opened_, name);
  const Clip* clip = clip_at(character(), index);
  refuse_outlier_clip(character(), clip);
  Playback playback = clip ? whole(*clip, loop) : Playback{};
  if (scene_.controls) playback.controls = scene_.controls->animation(index);
  return playback;
}

std::unique_ptr<LiveCharacter> open_session(const std::filesystem::path& file, const SessionRequest& request,
                                            const Progress& progress, const std::stop_token& stop) {
  return open(
      file.string(), [&] { return open_rigged_character(file, request.size); }, request, progress, stop);
}

std::unique_ptr<LiveCharacter> open_session(std::span<const std::byte> file, const std::string& name,
                                            const SessionRequest& request, const Progress& progress,
                                            const std::stop_token& stop) {
  return open(
      name, [&] { return open_rigged_character(file, name, request.size); }, request, progress, stop);
}

}  // namespace sinew
