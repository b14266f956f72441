#include "studio/server/cook/bake_request.h"

#include <algorithm>
#include <charconv>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/choose_clip.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/write/write_paint.h"
#include "sinew/session/take_json.h"
#include "studio/server/cook/file_jobs.h"
#include "studio/server/motion/project_motions.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

// Prints enough digits to identify the number exactly.
std::string exactly(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), number).ptr;
  return {text, end};
}

// Throws usage_error if what plays has other motions than the project, since a motion is still being added or removed.
void require_same_motions(const std::vector<MotionRequest>& of_project, const std::vector<AddedMotion>& playing) {
  std::vector<std::string> names, names_playing;
  for (const MotionRequest& motion : of_project) names.push_back(motion_text(motion));
  for (const AddedMotion& motion : playing) names_playing.push_back(motion.motion);
  if (names == names_playing) return;
  const bool adds = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(names_playing.begin(), names_playing.end(), name) == names_playing.end();
  });
  throw usage_error(std::string("This motion is still being ") + (adds ? "added." : "removed."));
}

}  // namespace

BakeRequest bake_request(const command::Bake& bake, const Project& project, const CookRequest& cooked,
                         const LoadedCharacter& loaded, const fs::path& character) {
  const MethodChoice& choice = cooked.choice;
  const Character& with_clips = loaded.opened->character;
  require_same_motions(cooked.asked.motions, loaded.opened->motions);
  BakeRequest request;
  request.job.method = choice;
  request.read = loaded.read;
  AnimateJob& job = request.job;
  job.input = character;
  job.output = beside(character, bake.output, {".glb", ".gltf", ".pc2", ".mdd"});
  job.frames_per_second = bake.frames_per_second;
  if (bake.loop) job.loop = *bake.loop ? Loop::on : Loop::off;
  job.clip = bake.clip;
  if (!bake.preview.empty()) job.preview = beside(character, bake.preview, {".png", ".webp"});
  const std::string stem = job.output.stem().string();

  if (!project.paint.empty()) {
    request.paint = project.paint;
    job.input = character.parent_path() / (stem + ".painted.glb");
  }
  request.command = "sinew animate " + shell_word(job.input.filename().string()) + " -o " + shell_word(bake.output);
  for (const MotionRequest& motion : cooked.asked.motions) {
    job.motions.push_back(motion_text(motion));
    request.command += " --motion " + shell_word(text_of_motion(motion, character));
  }
  if (!job.motions.empty() && !cooked.asked.map.empty()) {
    job.motion_map = cooked.asked.map;
    request.command += " --motion-map " + shell_word(text_of_file(job.motion_map, character));
  }
  if (project.method != FleshMethod().name()) request.command += " --method " + project.method;
  request.settings = table_json(choice->settings());
  request.settings_file = character.parent_path() / (stem + ".settings.json");
  request.command += " --settings " + shell_word(request.settings_file.filename().string());
  if (!bake.take.empty() && (bake.from || bake.to))
    throw usage_error("A take is baked as a whole; trim it to bake a part.");
  if (bake.from || bake.to) {
    const int chosen = choose_clip(with_clips, bake.clip);
    const Clip* clip = chosen < 0 ? nullptr : &with_clips.clips[static_cast<std::size_t>(chosen)];
    if (!bake.to && !clip) throw usage_error("Without a clip, a part needs an end; give `to` as well.");
    job.begin = bake.from.value_or(clip ? clip->start : 0);
    job.end = bake.to.value_or(clip ? clip->end : 1);
    request.command += " --range " + exactly(*job.begin) + " " + exactly(*job.end);
  }
  if (!bake.take.empty()) {
    const auto take = std::find_if(project.takes.begin(), project.takes.end(),
                                   [&](const auto& each) { return each->name == bake.take; });
    if (take == project.takes.end()) throw usage_error("There is no take '" + bake.take + "'.");
    const RecordedTake& recorded = (*take)->take;
    job.clip = recorded.clip;
    request.take = take_json(recorded.actions);
    request.take_file = character.parent_path() / (stem + ".take.json");
    job.take = request.take_file;
    const Clip* clip = recorded.clip.empty()
                           ? nullptr
                           : &with_clips.clips[static_cast<std::size_t>(choose_clip(with_clips, recorded.clip))];
    job.begin = (clip ? clip->start : 0) + recorded.begin;
    job.end = *job.begin + recorded.seconds;
    request.command += " --take " + shell_word(request.take_file.filename().string()) + " --range " +
                       exactly(*job.begin) + " " + exactly(*job.end);
  }
  // With motions, no clip would be the first clip of each of them.
  if (!job.motions.empty() && !with_clips.clips.empty())
    job.clip = with_clips.clips[static_cast<std::size_t>(choose_clip(with_clips, job.clip))].name;
  if (!job.clip.empty()) request.command += " --clip " + shell_word(job.clip);
  if (job.frames_per_second != 30) request.command += " --fps " + exactly(job.frames_per_second);
  if (bake.loop) request.command += std::string(" --loop ") + (*bake.loop ? "on" : "off");
  if (!job.preview.empty()) request.command += " --preview " + shell_word(bake.preview);
  return request;
}

std::vector<fs::path> BakeRequest::files() const {
  std::vector<fs::path> files{job.output};
  if (!job.preview.empty()) files.push_back(job.preview);
  if (!paint.empty()) files.push_back(job.input);
  if (!settings.empty()) files.push_back(settings_file);
  if (!take.empty()) files.push_back(take_file);
  return files;
}

bool run_bake(const BakeRequest& request, const Progress& progress, RunReport& report) {
  if (!request.paint.empty()) {
    Character painted = request.read->character;
    put_paint(*request.surface, request.paint, painted);
    write_painted(*request.read->document, painted, request.job.input);
  }
  if (!request.settings.empty()) write_text_file(request.settings_file, request.settings);
  if (!request.take.empty()) write_text_file(request.take_file, request.take);
  AnimateResult result = animate_file(request.job, progress);
  report = std::move(result.report);
  return result.complete;
}

}  // namespace sinew::studio
