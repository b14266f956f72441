#include "studio/server/cook/bake_jobs.h"

#include <algorithm>
#include <charconv>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/choose_clip.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/write/write_paint.h"
#include "sinew/session/take_json.h"
#include "studio/server/web/access.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

// Prints enough digits to identify the number exactly.
std::string exactly(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), number).ptr;
  return {text, end};
}

// Quotes a word for a shell.
std::string word(const std::string& text) {
  const bool plain =
      !text.empty() &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") ==
          std::string::npos &&
      text.front() != '-';
  if (plain) return text;
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

fs::path comparison(const fs::path& character, const std::string& name, const std::vector<std::string>& endings) {
  const std::string ending = lower_case_ending(name);
  if (!is_plain_name(name) || std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    std::string list;
    for (const std::string& each : endings) list += (list.empty() ? "" : ", ") + each;
    throw usage_error("'" + name +
                      "' cannot be the name of a bake, which is a file beside the character with one of the endings " +
                      list + ".");
  }
  return character.parent_path() / name;
}

}  // namespace

BakeRequest bake_request(const command::Bake& bake, const Project& project, const MethodChoice& choice,
                         const std::shared_ptr<const OpenedCharacter>& opened, const fs::path& character) {
  BakeRequest request;
  request.job.method = choice;
  request.opened = opened;
  AnimateJob& job = request.job;
  job.input = character;
  job.output = comparison(character, bake.output, {".glb", ".gltf", ".pc2", ".mdd"});
  job.frames_per_second = bake.frames_per_second;
  if (bake.loop) job.loop = *bake.loop ? Loop::on : Loop::off;
  job.clip = bake.clip;
  if (!bake.preview.empty()) job.preview = comparison(character, bake.preview, {".png", ".webp"});
  const std::string stem = job.output.stem().string();

  if (!project.paint.empty()) {
    request.paint = project.paint;
    job.input = character.parent_path() / (stem + ".painted.glb");
  }
  request.command = "sinew animate " + word(job.input.filename().string()) + " -o " + word(bake.output);
  if (project.method != FleshMethod().name()) request.command += " --method " + project.method;
  request.settings = table_json(choice->settings());
  request.settings_file = character.parent_path() / (stem + ".settings.json");
  request.command += " --settings " + word(request.settings_file.filename().string());
  if (!bake.take.empty() && (bake.from || bake.to))
    throw usage_error("A take is baked as a whole; trim it to bake a part.");
  if (bake.from || bake.to) {
    const bool rest = opened->character.clips.empty() || bake.clip.empty();
    const Clip* clip =
        rest ? nullptr : &opened->character.clips[static_cast<std::size_t>(choose_clip(opened->character, bake.clip))];
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
    const Clip* clip =
        recorded.clip.empty()
            ? nullptr
            : &opened->character.clips[static_cast<std::size_t>(choose_clip(opened->character, recorded.clip))];
    job.begin = (clip ? clip->start : 0) + recorded.begin;
    job.end = *job.begin + recorded.seconds;
    request.command += " --take " + word(request.take_file.filename().string()) + " --range " + exactly(*job.begin) +
                       " " + exactly(*job.end);
  }
  if (!job.clip.empty()) request.command += " --clip " + word(job.clip);
  if (job.frames_per_second != 30) request.command += " --fps " + exactly(job.frames_per_second);
  if (bake.loop) request.command += std::string(" --loop ") + (*bake.loop ? "on" : "off");
  if (!job.preview.empty()) request.command += " --preview " + word(bake.preview);
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

void BakeJobs::begin(BakeRequest request) {
  if (delivered_.exchange(false)) worker_.wait();  // who hears of the end of a bake may bake again at once
  const bool begun = worker_.give_if_idle(
      [this, request = std::move(request)](const Progress& progress) { run(request, telling(progress, listener_)); });
  if (!begun) throw usage_error("Something is being baked already; wait, or cancel it.");
}

void BakeJobs::run(const BakeRequest& request, const Progress& progress) {
  Baked baked;
  baked.command = request.command;
  const Stopwatch watch;
  std::vector<fs::path> fresh;  // files to delete if the bake ends early
  for (const fs::path& file : request.files()) {
    std::error_code status;
    if (!fs::exists(file, status)) fresh.push_back(file);
  }
  try {
    for (const fs::path& file : request.files()) refuse_link(file);
    if (!request.paint.empty()) {
      Character painted = request.opened->character;
      put_paint(*request.surface, request.paint, painted);
      write_painted(*request.opened->document, painted, request.job.input);
      baked.files.push_back(request.job.input);
    }
    if (!request.settings.empty()) {
      write_text_file(request.settings_file, request.settings);
      baked.files.push_back(request.settings_file);
    }
    if (!request.take.empty()) {
      write_text_file(request.take_file, request.take);
      baked.files.push_back(request.take_file);
    }
    AnimateResult result = animate_file(request.job, progress);
    baked.stopped = !result.complete;
    baked.report = std::move(result.report);
    if (!baked.stopped) {
      baked.files.insert(baked.files.begin(), request.job.output);
      if (!request.job.preview.empty()) baked.files.push_back(request.job.preview);
    }
  } catch (const std::exception& error) {
    baked.failure = error.what();
  }
  if (baked.stopped || !baked.failure.empty())
    for (const fs::path& file : fresh) {
      std::error_code status;
      fs::remove(file, status);
    }
  baked.seconds = watch.seconds();
  delivered_ = true;
  done_(std::move(baked));
}

}  // namespace sinew::studio
